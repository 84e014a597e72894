import { directionOf, type Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { html, toMarkup, trusted } from '../shared/html.ts';

/**
 * The policy of the frame of a shop's script: it may run inline scripts and show text, nothing else. It has an opaque
 * origin, so no cookies or storage and no access to other pages, and it loads nothing. It combines two policies: the
 * first runs only scripts with the nonce; the second blocks external sources even with the nonce, which a nonce alone
 * would allow.
 */
export function frameCsp(nonce: string): string[] {
  return [
    [
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
  ];
}

/** Runs the script once the outer page has sent the receipt, and reports the frame's height to that page. */
const RUNNER = `(() => {
  const { nonce } = document.currentScript;
  const code = JSON.parse(document.getElementById('code').textContent);
  const freeze = (value) => {
    if (value && typeof value === 'object') Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  let begun = false;
  addEventListener('message', ({ source, data }) => {
    if (begun || parent === self || source !== parent || !data || data.type !== 'receipt') return;
    begun = true;
    Object.defineProperty(window, 'receipt', { value: freeze(data.receipt), enumerable: true });
    const script = document.createElement('script');
    script.nonce = nonce;
    script.textContent = code;
    document.body.append(script);
  });
  new ResizeObserver(() => parent.postMessage({ type: 'height', height: document.body.scrollHeight }, '*')).observe(document.body);
})();`;

const STYLE =
  ':root{color-scheme:light dark}body{margin:0;overflow-wrap:anywhere;font:15px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}';

/** Text for a script element that does not run. Every `<` is escaped, so that the text cannot close the element. */
const island = (value: string): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The frame's document. The script is embedded as data, so that its text is never parsed as markup. */
export function renderFrame(script: string, language: Language, nonce: string): string {
  return toMarkup(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<title>${wordsOf('payment', language)('paid')}</title>
<style>${trusted(STYLE)}</style>
<script type="application/json" id="code">${trusted(island(script))}</script>
</head>
<body><script nonce="${nonce}">${trusted(RUNNER)}</script></body>
</html>
`);
}
