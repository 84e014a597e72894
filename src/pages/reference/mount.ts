import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../core/errors.ts';
import { sendFile } from '../send-file.ts';
import type { PageAssets } from '../shell.ts';
import { renderReference } from './page.ts';
import { loadViewer, VIEWER_PREFIX } from './viewer.ts';

/**
 * Scripts and styles of this server alone, and nothing from anywhere else: no font, no proxy, no telemetry. The page's script marks the style
 * sheets that the viewer makes; styles on single elements are let be.
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

/** `GET /docs`, for anyone: the API document as pages to read. Whoever opens the bare address is led there. */
export function mountReference(server: FastifyInstance, assets: PageAssets): void {
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
      .send(renderReference({ assets, viewer: path, nonce }));
  });

  server.get(`${VIEWER_PREFIX}:file`, async (request, reply) => {
    const { path, ...file } = await loadViewer();
    if (request.url !== path) throw refuse('not_found');
    return sendFile(reply, file);
  });
}
