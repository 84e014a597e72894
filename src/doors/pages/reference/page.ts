import { errorAdvice } from '../../../base/core/error-advice.ts';
import { type ErrorCode, errorCatalogue, INPUT_REASONS } from '../../../base/core/errors.ts';
import { FORBIDDEN_REASONS, SESSION_REASONS } from '../../../base/core/forbidden.ts';
import { type Html, html, toMarkup, trusted } from '../shared/html.ts';
import { ENGLISH } from '../shared/reading.ts';
import { type PageAssets, shell } from '../shared/shell.ts';
import { themeCss } from '../shared/theme.ts';
import { references } from './references.ts';

/** The page that shows the API document. `nonce` must be fresh and also be in the page's policy. */
export function renderReference({
  assets,
  viewer,
  nonce,
  graphiql,
}: {
  readonly assets: PageAssets;
  readonly viewer: string;
  readonly nonce: string;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
}): string {
  return toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta property="csp-nonce" content="${nonce}">
<meta property="viewer" content="${viewer}">
<link rel="preload" href="${viewer}" as="script">
<title>Quittance API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${trusted(themeCss({}))}</style>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" type="module"></script>
</head>
<body>
${references('/docs', graphiql)}
<main id="reference"></main>
<noscript>The reference needs a script to be read; the document itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
</body>
</html>
`);
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
export function renderErrors(assets: PageAssets, nonce: string): string {
  return shell({
    reading: ENGLISH,
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
<h2 id="input-reasons">Reasons of <code>invalid_input</code></h2>
<dl>${Object.entries(INPUT_REASONS).map(reason)}</dl>
</main>`,
  });
}
