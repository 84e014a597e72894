import { references } from '../reference/references.ts';
import { html, toMarkup, trusted } from '../shared/html.ts';
import type { PageAssets } from '../shared/shell.ts';
import { themeCss } from '../shared/theme.ts';
import type { Viewer } from './viewer.ts';

/** The page that shows the documentation of the GraphQL schema. */
export function renderGraphQLReference({
  assets,
  viewer: { script, style },
  graphiql,
}: {
  readonly assets: PageAssets;
  readonly viewer: Viewer;
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
<meta property="viewer" content="${script}">
<title>Quittance GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<style>${trusted(themeCss({}))}</style>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" type="module"></script>
</head>
<body class="graphql">
${references('/docs/graphql', graphiql)}
<main id="root"></main>
<noscript>The reference needs a script to be read; the schema itself is at <a href="/api/schema.graphql">/api/schema.graphql</a>.</noscript>
</body>
</html>
`);
}
