import { html, toMarkup, trusted } from '../shared/html.ts';
import type { PageAssets } from '../shared/shell.ts';
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
