import { expect, test } from 'vitest';
import { contractFaults, contractTable } from './contract.ts';

const sections = [{ name: 'orders', title: 'Orders', lines: { 'empty-items': 'Empty items: 400 `items_required`' } }];
const file = (...lines: string[]) => [{ path: 'test/contract/planted.test.ts', text: `${lines.join('\n')}\n` }];
const mark = '// Contract: orders.empty-items';

test('a line that a test names is proven, and shows the test with the group it stands in', () => {
  const planted = file("describe('refused', () => {", `  ${mark}`, "  test.each([1])('%i | items', () => {});", '});');
  expect(contractFaults(planted, sections)).toEqual([]);
  expect(contractTable(planted, sections)).toContain(
    '| `orders.empty-items` | Empty items: 400 `items_required` | [refused %i \\| items](../test/contract/planted.test.ts) |',
  );
});

test('a line that no test proves is caught', () => {
  expect(contractFaults(file("test('x', () => {});"), sections)).toEqual([
    'test/contract/lines.ts: no test proves orders.empty-items',
  ]);
});

test('a mark that names no line of the contract is caught', () => {
  const planted = file(mark, '// Contract: orders.nothing, orders.empty-items', "it('x', () => {});");
  expect(contractFaults(planted, sections)).toEqual([
    'test/contract/planted.test.ts: "x" proves orders.nothing, which is no line of the contract',
  ]);
});

test('a mark above something else than a test is caught', () => {
  const planted = file("test('x', () => {});", '', mark, 'const y = 1;', '', `  ${mark}`);
  expect(contractFaults(planted, sections)).toEqual([
    'test/contract/planted.test.ts:3: below this mark is no test',
    'test/contract/planted.test.ts:6: below this mark is no test',
    'test/contract/lines.ts: no test proves orders.empty-items',
  ]);
});
