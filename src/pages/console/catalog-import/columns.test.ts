import { expect, test } from 'vitest';
import { changesOf, type ExportedItem, rowOf } from './columns.ts';
import { rowsOf } from './read-file.ts';

const item = (over: Partial<ExportedItem> = {}): ExportedItem => ({
  id: 'item_1',
  sku: 'MUG',
  name: 'Mug',
  priceUsd: 24,
  price: null,
  currency: null,
  stockQty: -1,
  taxable: true,
  category: 'Cups',
  description: null,
  tags: ['clay', 'blue'],
  ...over,
});

const changes = (text: string, items = [item()]) => {
  const found = rowsOf(text);
  if ('problem' in found) throw new Error(found.problem);
  return changesOf(found.rows, items);
};

test('only the columns that differ are sent; a column that is left out stays as it is', () => {
  expect(changes('sku,price,category\nMUG,24.0,Mugs')).toMatchObject([
    { kind: 'changed', line: 2, columns: ['category'], input: { sku: 'MUG', category: 'Mugs' } },
  ]);
  expect(changes('\ufeffSKU;Price\nMUG;24,00')).toMatchObject([{ kind: 'unchanged' }]);
});

test('an exported item is unchanged, whatever its texts begin with', () => {
  const own = { price: 3.5, currency: 'EUR', priceUsd: null, stockQty: 4 } as const;
  for (const text of ['=1+1', '-5 %', '\uff1d1+1', '\n=1+1', "'=1+1", "''@x"]) {
    const odd = item({ ...own, name: text, description: text });
    const row = rowOf(odd);
    expect(row.name).toBe(`'${text}`);
    const quoted = Object.values(row).map((cell) => `"${cell}"`);
    expect(changes(`${Object.keys(row).join(',')}\n${quoted.join(',')}`, [odd])).toMatchObject([{ kind: 'unchanged' }]);
  }
});

test('a new item needs a name and a price, and takes the currency of its row', () => {
  expect(changes('sku,name,price,currency,stock\nCAP,Cap,8.5,eur,3')).toMatchObject([
    { kind: 'added', input: { sku: 'CAP', name: 'Cap', price: 8.5, currency: 'EUR', stockQty: 3 } },
  ]);
});

test.each([
  ['sku,name,price\n,Cap,1', 'The SKU is missing'],
  ['sku,name,price\nCAP,,1', 'Give it a name'],
  ['sku,name\nCAP,Cap', 'An amount such as 12.50'],
  ['sku,price\nMUG,free', 'An amount such as 12.50'],
  ['sku,stock\nMUG,-3', 'A whole number; empty is unlimited'],
  ['sku,currency\nMUG,GBP', 'The currency is USD or EUR'],
  ['sku,taxable\nMUG,maybe', 'Taxable is yes or no'],
])('%j is wrong and says why', (text, problem) => {
  expect(changes(text)).toMatchObject([{ kind: 'wrong', line: 2, problem }]);
});

test('the second row with an SKU is wrong; an empty stock is unlimited and an empty text is cleared', () => {
  expect(changes('sku,category,stock\nMUG,,5\nMUG,Cups,')).toMatchObject([
    { kind: 'changed', input: { sku: 'MUG', category: null, stockQty: 5 } },
    { kind: 'wrong', problem: 'This SKU is in the file twice' },
  ]);
});

test.each([
  ['name,price\nCap,5', 'The file has no column named sku. Name the columns in the first row.'],
  ['sku,name\n', 'The file has no rows below the names of the columns.'],
])('%j is refused as a whole', (text, problem) => {
  expect(rowsOf(text)).toEqual({ problem });
});
