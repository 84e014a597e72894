import { expect, test } from 'vitest';
import { contractFaults } from './contract.ts';

const sections = [{ name: 'orders', title: 'Orders', lines: { 'empty-items': 'Empty items: 400 `items_required`' } }];
const file = (...lines: string[]) => [{ path: 'test/contract/planted.test.ts', text: `${lines.join('\n')}\n` }];
const mark = '// Contract: orders.empty-items';

test('a requirement that a test in a group names is proven', () => {
  const planted = file("describe('refused', () => {", `  ${mark}`, "  test.each([1])('%i | items', () => {});", '});');
  expect(contractFaults(planted, sections)).toEqual([]);
});

test('a requirement without a test is reported', () => {
  expect(contractFaults(file("test('x', () => {});"), sections)).toEqual([
    'test/contract/lines: no test proves orders.empty-items',
  ]);
});

test('a comment that names an unknown requirement is reported', () => {
  const planted = file(mark, '// Contract: orders.nothing, orders.empty-items', "it('x', () => {});");
  expect(contractFaults(planted, sections)).toEqual([
    'test/contract/planted.test.ts: "x" proves orders.nothing, which test/contract/lines does not list',
  ]);
});

test('a comment that is not above a test is reported', () => {
  const planted = file("test('x', () => {});", '', mark, 'const y = 1;', '', `  ${mark}`);
  expect(contractFaults(planted, sections)).toEqual([
    'test/contract/planted.test.ts:3: no test follows this comment',
    'test/contract/planted.test.ts:6: no test follows this comment',
    'test/contract/lines: no test proves orders.empty-items',
  ]);
});
