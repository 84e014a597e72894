import { expect, test } from 'vitest';
import { driftFaults, linkFaults, remade } from './documents.ts';
import { tables } from './tables.ts';

const made = { words: () => 'current text' };
const document = (text: string) => ({ path: 'docs/integrate/planted.md', text });
const right = '<!-- made: words -->\n\ncurrent text\n\n<!-- /made -->\n';

test('an up-to-date generated part passes', () => {
  expect(driftFaults([document(right)], made)).toEqual([]);
});

test('an outdated generated part is reported, and --write updates it', () => {
  const old = document('Before\n\n<!-- made: words -->\n\noutdated text\n\n<!-- /made -->\n\nAfter\n');
  expect(driftFaults([old], made)).toEqual([expect.stringContaining('docs/integrate/planted.md')]);
  expect(remade(old, made)).toBe(`Before\n\n${right}\nAfter\n`);
});

test('a part that no document contains is reported, and an unknown part is refused', () => {
  expect(driftFaults([], made)).toEqual([expect.stringContaining('"words"')]);
  expect(() => remade(document('<!-- made: secrets -->\n<!-- /made -->'), made)).toThrow('"secrets"');
});

test('a link to a missing file or heading is reported', () => {
  const links =
    '[a](errors.md) [b](errors.md#payment-failures) [c](nowhere.md) [d](errors.md#nothing) [e](https://x.org)';
  expect(linkFaults([document(links)])).toEqual([
    'docs/integrate/planted.md: nowhere.md does not exist',
    'docs/integrate/planted.md: docs/integrate/errors.md has no heading #nothing',
  ]);
});

test('the generated tables have every row of their source', () => {
  expect(tables.moves?.()).toContain('| `tx_mined` | `paid`, `pending`, `tx_mismatch`, `failed` |');
  expect(tables.routes?.()).toContain('| `POST /api/orders` | `orders:create`, or admin | `orders` |');
  expect(tables.errors?.()).toContain('| `rate_limited` | 429 |');
  expect(tables.mutations?.()).not.toContain('orders:create');
});
