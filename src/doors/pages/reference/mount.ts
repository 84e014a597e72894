import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { errorAdvice } from '../../../base/core/error-advice.ts';
import { type ErrorCode, errorCatalogue, refuse } from '../../../base/core/errors.ts';
import { FORBIDDEN_REASONS, SESSION_REASONS } from '../../../base/core/forbidden.ts';
import { ERRORS_PATH } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Html, html } from '../shared/html.ts';
import { type StaticFile, sendFile } from '../shared/send-file.ts';
import { sendPage } from '../shared/send-page.ts';
import { type PageAssets, shell } from '../shared/shell.ts';
import { renderReference } from './page.ts';

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

/** Text with the parts between backticks as code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const entry = ([code, [status, sentence]]: [string, readonly [number, string]]): Html => html`
<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <small>HTTP ${status}</small></h2>
<p>${prose(sentence)}</p>
<p>${prose(errorAdvice[code as ErrorCode])}</p>
</section>`;

const reason = ([name, meaning]: [string, string]): Html =>
  html`<dt><code>${name}</code></dt><dd>${prose(meaning)}</dd>`;

/** The page that describes every error code, each under the anchor that `extensions.docs` of an error names. */
function renderErrors(assets: PageAssets, nonce: string): string {
  return shell({
    title: 'Errors of the Quittance API',
    theme: {},
    assets,
    nonce,
    body: html`<main class="errors">
<p><a href="/docs">API reference</a></p>
<h1>Errors</h1>
<p>REST names the code in <code>error</code>, GraphQL in <code>extensions.code</code>. Compare the code, not the message.
The correlation id of an answer names it in the server’s log.</p>
${Object.entries(errorCatalogue).map(entry)}
<h2 id="reasons">Reasons of <code>forbidden</code></h2>
<dl>${Object.entries(FORBIDDEN_REASONS).map(reason)}</dl>
<h2 id="session-reasons">Reasons of <code>unauthorized</code></h2>
<dl>${Object.entries(SESSION_REASONS).map(reason)}</dl>
</main>`,
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
