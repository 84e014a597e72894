import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { GRAPHQL_PATH } from '../reference/references.ts';
import { sendFile } from '../shared/send-file.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderGraphQLReference } from './page.ts';
import { introspectionAnswer, loadViewer, SCHEMA_PATH, VIEWER_PREFIX } from './viewer.ts';

/** GraphiQL adds style blocks without a nonce, and starts the workers of its editor from blobs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'worker-src blob:',
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs/graphql`, public: the documentation of the GraphQL schema, also where GraphiQL is switched off. */
export function mountGraphQLReference(
  server: FastifyInstance,
  settings: Settings,
  guard: Pick<HttpGuard, 'limit'>,
  assets: PageAssets,
): void {
  const graphiql = settings.graphiql !== 'off';
  server.get(GRAPHQL_PATH, async (_request, reply) => {
    const viewer = await loadViewer();
    return reply
      .headers({
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(renderGraphQLReference({ assets, viewer, graphiql }));
  });

  server.get(SCHEMA_PATH, async (request, reply) => {
    await guard.limit(request, reply, 'reads');
    return reply.type('application/json; charset=utf-8').send(introspectionAnswer());
  });

  server.get(`${VIEWER_PREFIX}:file`, async (request, reply) => {
    const file = (await loadViewer()).files.get(request.url);
    if (!file) throw refuse('not_found');
    return sendFile(reply, file);
  });
}
