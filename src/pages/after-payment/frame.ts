import { html, toMarkup, trusted } from '../html.ts';

/**
 * What the frame of a shop's script may do: run scripts that stand in it, show text, and nothing else. It has no origin, so neither cookies nor storage,
 * reaches no other page, and loads nothing. Two policies hold at once: by the first only what carries the nonce runs; by the second nothing is loaded
 * from elsewhere even with it, which a nonce alone would allow.
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

/** Runs the script once the page around has told the receipt, and tells the page how high the frame wants to be. */
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

/** Text for the inside of a script element that does not run: no `<` is left that could end it. */
const island = (value: string): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The frame's document. The script is data in it, so that nothing that it says is read as markup. */
export function renderFrame(script: string, nonce: string): string {
  return toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<title>After payment</title>
<style>${trusted(STYLE)}</style>
<script type="application/json" id="code">${trusted(island(script))}</script>
</head>
<body><script nonce="${nonce}">${trusted(RUNNER)}</script></body>
</html>
`);
}
