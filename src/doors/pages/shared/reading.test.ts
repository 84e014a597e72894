import { expect, test } from 'vitest';
import { html, toMarkup } from './html.ts';
import { attributeJson } from './reading.ts';

test.each([
  `' onload='alert(1)`,
  `" onload="alert(1)`,
  `'><script>alert(1)</script>`,
  '&#39; &apos; &quot; &lt; &amp;amp;',
  `\\' \\u0027 \\\\'`,
  '<!-- ]]> \u2028\u2029\0\t\r\n\ud800',
  '٣ العربية ‮ 🙂',
])('%j stays in its attribute, and a browser reads it as it is', (text) => {
  const model = { [text]: [text, { text }], none: null };
  const written = toMarkup(html`<i data-model='${attributeJson(model)}'></i>`);
  const [, value = ''] = /^<i data-model='([^'<>&]*)'><\/i>$/.exec(written) ?? [];
  expect(JSON.parse(value)).toEqual(model);
});
