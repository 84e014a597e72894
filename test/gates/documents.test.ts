import { expect, test } from 'vitest';
import { driftFaults, linkFaults, remade } from './documents.ts';
import { tables } from './tables.ts';

const made = { words: () => 'what the code says' };
const document = (text: string) => ({ path: 'docs/planted.md', text });
const right = '<!-- made: words -->\n\nwhat the code says\n\n<!-- /made -->\n';

test('a part that is what the code says passes', () => {
  expect(driftFaults([document(right)], made)).toEqual([]);
});

test('a part that is not what the code says is caught, and written anew', () => {
  const old = document('Before\n\n<!-- made: words -->\n\nwhat it said\n\n<!-- /made -->\n\nAfter\n');
  expect(driftFaults([old], made)).toEqual([expect.stringContaining('docs/planted.md')]);
  expect(remade(old, made)).toBe(`Before\n\n${right}\nAfter\n`);
});

test('a part that no document shows is caught, and so is one that nobody can make', () => {
  expect(driftFaults([], made)).toEqual([expect.stringContaining('"words"')]);
  expect(() => remade(document('<!-- made: secrets -->\n<!-- /made -->'), made)).toThrow('"secrets"');
});

test('a link to a file or a heading that is not there is caught', () => {
  const links =
    '[a](errors.md) [b](errors.md#why-a-payment-failed) [c](nowhere.md) [d](errors.md#nothing) [e](https://x.org)';
  expect(linkFaults([document(links)])).toEqual([
    'docs/planted.md: nowhere.md leads nowhere',
    'docs/planted.md: docs/errors.md has no heading #nothing',
  ]);
});

test('the tables carry every row of what they are made from', () => {
  expect(tables.moves?.()).toContain('| `tx_mined` | `paid`, `pending`, `tx_mismatch`, `failed` |');
  expect(tables.routes?.()).toContain('| `POST /api/orders` | `orders:create`, or admin | `orders` |');
  expect(tables.errors?.()).toContain('| `rate_limited` | 429 |');
  expect(tables.mutations?.()).not.toContain('orders:create');
});
