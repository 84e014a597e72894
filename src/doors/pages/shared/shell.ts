import { directionOf } from '../../../base/core/messages/languages.ts';
import { type Html, html, toMarkup, trusted } from './html.ts';
import { seal } from './icons.ts';
import { alternates, languageSwitch, type Reading } from './reading.ts';
import { type PageTheme, themeCss } from './theme.ts';

/** URLs of the built files, from `buildPages`. */
export interface PageAssets {
  script: string;
  style: string;
}

/** One HTML page: its title, brand, files and content. */
export interface Shell {
  reading: Reading;
  title: string;
  theme: PageTheme;
  assets: PageAssets;
  nonce: string;
  head?: Html;
  body: Html;
}

/** The complete HTML document of a page. `nonce` must be fresh for each response and also be in its `pageCsp`. */
export function shell({ reading, title, theme, assets, nonce, head, body }: Shell): string {
  return toMarkup(html`<!doctype html>
<html lang="${reading.language}" dir="${directionOf(reading.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<style nonce="${nonce}">${trusted(themeCss(theme))}</style>
${alternates(reading)}${head}
</head>
<body>
${body}${languageSwitch(reading)}
</body>
</html>
`);
}

/** A page with a single message, for errors. */
export function messagePage(
  reading: Reading,
  assets: PageAssets,
  nonce: string,
  sign: 'clock' | 'question',
  title: string,
  text: string,
): string {
  return shell({
    reading,
    title,
    theme: {},
    assets,
    nonce,
    body: html`<main class="ticket single"><div class="pay"><div class="panel"><div class="outcome">${seal(sign, 'muted')}<h1 class="message-title">${title}</h1><p class="lead">${text}</p></div></div></div></main>`,
  });
}
