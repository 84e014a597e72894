import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Settings } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { schema } from '../../http/server/schema.ts';
import { type Part, parts } from '../routes.ts';
import { describeApi } from './document.ts';

/** Serves `GET /api/openapi.json` to all callers: the API document with this server's own address. */
export function mountDocument(
  server: FastifyInstance,
  parts: readonly Part[],
  schema: GraphQLSchema,
  settings: Settings,
  guard: HttpGuard,
): void {
  let document: string | undefined;
  server.get('/api/openapi.json', async (request, reply) => {
    await guard.limit(request, reply, 'reads');
    document ??= JSON.stringify(describeApi(parts, schema, settings.baseUrl));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

/** The API document as stored in `openapi.json`, without a server address. */
export const printedDocument = (): string => `${JSON.stringify(describeApi(parts, schema), null, 2)}\n`;
