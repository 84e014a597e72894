import { expect, test } from 'vitest';
import { buttonMarkup } from './button-markup.ts';

test('the name of a link adds no markup to the button that a merchant copies', () => {
  const markup = buttonMarkup('https://pay.test/pay/link_1', 'Cup "<script>alert(1)</script>" & saucer');
  expect(markup).toMatch(/^<a href="https:\/\/pay\.test\/pay\/link_1" style="[^"<>]+">[^<>]*<\/a>$/);
});
