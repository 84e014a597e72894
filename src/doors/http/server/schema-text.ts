import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../../base/platform/deps.ts';
import { schemaRefusal } from './graphql-policy.ts';
import type { HttpGuard } from './http-guard.ts';
import { sendRevalidated } from './revalidate.ts';
import { printedSchema } from './schema.ts';

/** Serves `GET /api/schema.graphql`: the schema as text, to callers who may introspect it. */
export function mountSchemaText(
  server: FastifyInstance,
  settings: Settings,
  guard: Pick<HttpGuard, 'identify' | 'limit'>,
): void {
  const development = settings.environment !== 'production';
  let text: string | undefined;
  server.get('/api/schema.graphql', async (request, reply) => {
    request.caller = await guard.identify(request, { open: true });
    const refusal = schemaRefusal(request.caller, development);
    if (refusal) throw refusal;
    await guard.limit(request, reply, 'reads');
    text ??= printedSchema();
    return sendRevalidated(request, reply.type('text/plain; charset=utf-8'), text);
  });
}
