import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { ERRORS_PATH } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { sendFile } from '../shared/send-file.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderErrors } from './errors.ts';
import { renderReference } from './page.ts';
import { loadViewer, VIEWER_PREFIX } from './viewer.ts';

/**
 * Scripts and styles only from this server, and nothing from elsewhere: no font, no proxy, no telemetry. The page's
 * script adds the nonce to the style sheets that the viewer creates; inline style attributes are allowed.
 */
const POLICY = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** `GET /docs`, public: the API reference, and the page of error codes. The root path redirects to the reference. */
export function mountReference(
  server: FastifyInstance,
  { settings }: Pick<Deps, 'settings'>,
  assets: PageAssets,
): void {
  const graphiql = settings.graphiql !== 'off';
  server.get('/', async (_request, reply) => reply.redirect('/docs'));
  server.get('/docs', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const { path } = await loadViewer();
    return reply
      .headers({
        'content-security-policy': POLICY(nonce),
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(renderReference({ assets, viewer: path, nonce, graphiql }));
  });

  server.get(ERRORS_PATH, async (_request, reply) => sendPage(reply, 200, (nonce) => renderErrors(assets, nonce)));

  server.get(`${VIEWER_PREFIX}:file`, async (request, reply) => {
    const { path, ...file } = await loadViewer();
    if (request.url !== path) throw refuse('not_found');
    return sendFile(reply, file);
  });
}
