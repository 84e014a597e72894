import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { ERRORS_PATH } from '../../../base/graphql/errors.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { ENGLISH } from '../shared/reading.ts';
import { type StaticFile, sendFile } from '../shared/send-file.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderErrors, renderReference } from './page.ts';

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
export function mountReference(server: FastifyInstance, settings: Settings, assets: PageAssets): void {
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

  server.get(ERRORS_PATH, async (_request, reply) =>
    sendPage(reply, ENGLISH, 200, (nonce) => renderErrors(assets, nonce)),
  );

  server.get(`${VIEWER_PREFIX}:file`, async (request, reply) => {
    const { path, ...file } = await loadViewer();
    if (request.url !== path) throw refuse('not_found');
    return sendFile(reply, file);
  });
}

/** The viewer's script, which this server serves itself. */
interface Viewer extends StaticFile {
  /** The path below `/_next/static/`, which contains a hash of the content. */
  readonly path: string;
}

let loading: Promise<Viewer> | undefined;

/** Reads the viewer from its package on first use, because it is four megabytes that most servers never serve. */
function loadViewer(): Promise<Viewer> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Viewer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  // The package provides its script only through a server, so read it from a temporary one.
  const inner = fastify({ logger: false });
  await inner.register(scalar, { routePrefix: '/viewer', configuration: { url: '/' } });
  const { rawPayload: body } = await inner.inject('/viewer/js/scalar.js');
  await inner.close();
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8).toUpperCase();
  return {
    path: `${VIEWER_PREFIX}${hash}.js`,
    body,
    packed: await promisify(gzip)(body),
    type: 'text/javascript; charset=utf-8',
  };
}

/** The prefix of the script's path. */
const VIEWER_PREFIX = '/_next/static/viewer.';
