import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInput } from '../../../../base/core/input.ts';
import { forNewItem, itemInput, pricingOf } from '../../../../domain/shop/catalog/item.input.ts';
import { rowsOf } from '../catalog-import/read-file.ts';
import { changesOf, type ExportedItem, respelled, rowOf } from './columns.ts';

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

const changes = (text: string, items = [item()], usual: 'USD' | 'EUR' = 'USD') => {
  const found = rowsOf(text);
  if ('problem' in found) throw new Error(found.problem);
  return changesOf(found.rows, { items, usual });
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

test.each([
  ['more cells than names', 'sku,name,price,stock\nTH1,Espresso machine,1,200,5', '5 cells under 4 names'],
  ['fewer cells than names', 'sku,name,price\nTH1,Espresso machine', '2 cells under 3 names'],
])('a row with %s is wrong, and writes none of them', (_, text, problem) => {
  expect(changes(text)).toMatchObject([{ kind: 'wrong', line: 2, problem: expect.stringContaining(problem) }]);
});

test.each([
  ['never closed', 'sku,name,price,description\nQ1,Cup,5,"12 inch pipe\nQ2,Bowl,6,ok\nQ3,Can,7,ok'],
  ['closed by one of a later row', 'sku,name,price,description\nQ1,Cup,5,"12 inch pipe\nQ2,Bowl,6,"ok"\n'],
])('a quotation mark that is %s refuses the file with its line, and swallows no row', (_, text) => {
  expect(rowsOf(text)).toEqual({ problem: expect.stringMatching(/^The row of line 2 has/) });
});

test('a price without a currency is in the currency of the shop, and a sign of another currency is wrong', () => {
  expect(changes('sku;name;price\nEUR1;Becher;12,50', [], 'EUR')).toMatchObject([
    { kind: 'added', input: { price: 12.5, currency: 'EUR' } },
  ]);
  expect(changes('sku;name;price;currency\nUSD1;Mug;12,50;usd', [], 'EUR')).toMatchObject([
    { input: { priceUsd: 12.5 } },
  ]);
  expect(changes('sku,name,price\nE,Egg,€24.00', [], 'EUR')).toMatchObject([{ input: { price: 24, currency: 'EUR' } }]);
  for (const price of ['€24.00', '24.00 €', '"1.200,00 €"'])
    expect(changes(`sku,name,price\nE,Egg,${price}`)).toMatchObject([
      { kind: 'wrong', problem: 'The sign of the price is not that of USD, its currency' },
    ]);
  expect(changes('sku,price\nMUG,24', [item()], 'EUR')).toMatchObject([{ kind: 'unchanged' }]);
});

test('a new product is taxed unless the file says no, and an empty cell exempts nothing', () => {
  expect(changes('sku,name,price\nTAX1,Imported mug,100.00')).toMatchObject([{ input: { taxable: true } }]);
  expect(changes('sku,name,price,taxable\nA,Ant,1,\nB,Bee,1,no\nC,Cat,1,Y\nMUG,Mug,24,')).toMatchObject([
    { input: { taxable: true } },
    { input: { taxable: false } },
    { input: { taxable: true } },
    { kind: 'unchanged' },
  ]);
});

test.each([
  ['1,250.00', 1250],
  ['1.250,00', 1250],
  ['4.5000', 4.5],
  ['4,50', 4.5],
  ['$4.50', 4.5],
  ['4.50 $', 4.5],
  ['1,250', null],
  ['4.125', null],
  ['10000000.01', null],
  ['$4.50$', null],
])('the price %j is %j', (price, amount) => {
  const [change] = changes(`sku\tname\tprice\nP\tPen\t${price}`);
  expect(change).toMatchObject(amount === null ? { kind: 'wrong' } : { input: { priceUsd: amount } });
});

test('the number of a line is that of the file, whatever stands in it before', () => {
  expect(changes('sku,name,price,description\nA,Ant,1,"two\nlines"\n\n , \nBAD,Bad,free,\n')).toMatchObject([
    { kind: 'added', line: 2 },
    { kind: 'wrong', line: 6 },
  ]);
  expect(changes('sep=;\r\nsku;name;price\r\nA;Ant, the;free\r\n')).toMatchObject([{ line: 3, name: 'Ant, the' }]);
});

test('a file that names a column twice is refused', () => {
  expect(rowsOf('sku,price,price\nA,1,2')).toEqual({ problem: 'The file has two columns named price.' });
});

test('new SKUs that a spreadsheet made of others are named', () => {
  const items = [item({ sku: '00123' }), item({ sku: '1E5' }), item({ sku: '77' })];
  const found = changes('sku,name,price\n123,A,1\n100000,B,1\n77,C,1\n78,D,1', items);
  expect(respelled(found, items)).toEqual([
    { sku: '123', of: '00123' },
    { sku: '100000', of: '1E5' },
  ]);
});

test('a SKU that looks like one of the catalog is that one, and is in the file once', () => {
  expect(changes('sku,name,price\nM\u200bUG\u00ad,Mug,24\ncafe\u0301,A,1\ncaf\u00e9,B,1\n\u2060,C,1')).toMatchObject([
    { kind: 'unchanged' },
    { kind: 'added', input: { sku: 'caf\u00e9' } },
    { kind: 'wrong', problem: 'This SKU is in the file twice' },
    { kind: 'wrong', problem: 'The SKU is missing' },
  ]);
});

test('a text with a character that was lost is wrong', () => {
  expect(changes('sku,name,price\nA,Caf\ufffd,1')).toMatchObject([{ kind: 'wrong' }]);
});

test('the server takes each row that is not wrong, and refuses texts and amounts that are', () => {
  const long = (most: number) => fc.integer({ min: 0, max: most + 2 }).map((length) => 'x'.repeat(length));
  const odd = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !/["\r\n]/.test(text));
  const cell = (most: number) => fc.oneof(odd, long(most), fc.constantFrom('', ' ', '\0', '\ud800', '=1', '\u00a0x'));
  const row = fc.record({
    sku: fc.oneof(cell(128), fc.constant('MUG')),
    name: cell(256),
    price: fc.oneof(cell(4), fc.constantFrom('1', '9999999.99', '10000000', '10000000.01', '99999999', '1.005')),
    currency: fc.constantFrom('', 'usd', 'EUR', 'GBP'),
    stock: fc.constantFrom('', '0', '-1', '999999999', '1000000000', '9999999999', '1.5'),
    taxable: fc.constantFrom('', 'yes', 'no', 'perhaps'),
    category: cell(256),
    description: cell(4_000),
    tags: fc.oneof(
      cell(64),
      fc.integer({ min: 48, max: 52 }).map((n) => Array.from({ length: n }, (_, i) => i).join(',')),
    ),
  });
  fc.assert(
    fc.property(row, (cells) => {
      const [change] = changesOf([{ line: 2, cells, problem: null }], { items: [item()], usual: 'EUR' });
      if (!change || !('input' in change)) return;
      const parsed = parseInput(itemInput, change.input);
      if (change.kind === 'added') forNewItem(parsed);
      else pricingOf(parsed, { priceUsdCents: 2400, priceCents: null, currency: null });
    }),
    { numRuns: 2_000 },
  );
  const wrong = [
    { sku: 'x'.repeat(129) },
    { name: 'x'.repeat(257) },
    { description: 'x'.repeat(4_001) },
    { price: '99999999' },
  ];
  const whole = { sku: 'A', name: 'Ant', price: '1' };
  for (const part of wrong)
    expect(
      changesOf([{ line: 2, cells: { ...whole, ...part }, problem: null }], { items: [], usual: 'USD' }),
    ).toMatchObject([{ kind: 'wrong' }]);
});
