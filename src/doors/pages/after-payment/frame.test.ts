import { expect, test } from 'vitest';
import { frameCsp, renderFrame } from './frame.ts';

const codeIn = (markup: string) => /id="code">([\s\S]*?)<\/script>/.exec(markup)?.[1] ?? '';

test.each(['alert(1)', '</script><img src=x>', '<!-- <script> ', ']]>\u2028\u2029', '"`$(x)`\\', "'</ScRiPt "])(
  'the script %j is data in its document, and comes out as it was',
  (script) => {
    const markup = renderFrame(script, 'ar', 'n');
    expect(JSON.parse(codeIn(markup))).toBe(script);
    expect(codeIn(markup)).not.toContain('<');
    expect(markup.match(/<script/g)).toHaveLength(2);
    expect(markup).toContain('<html lang="ar" dir="rtl">');
  },
);

test('the frame is sandboxed to scripts, and nothing is loaded from anywhere, nonce or not', () => {
  const [first = '', second = ''] = frameCsp('abc');
  expect(first).toContain("sandbox allow-scripts; default-src 'none'; script-src 'nonce-abc';");
  for (const policy of [first, second]) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(
      /allow-same-origin|https?:|'self'(?<!frame-ancestors 'self')|unsafe-eval|connect-src|img-src/,
    );
  }
});
