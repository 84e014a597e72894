import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { forNewItem, itemInput, pricingOf } from './item.input.ts';

const read = (body: Record<string, unknown>) => parseInput(itemInput, { sku: 'TEA', ...body });
const invalid = (field: string) => expect.objectContaining({ code: 'invalid_input', extra: { field } });

test('a USD price sets the USD column and clears the native ones', () => {
  expect(pricingOf(read({ name: 'Tea', priceUsd: 4.5 }))).toEqual({
    priceUsdCents: 450,
    priceCents: null,
    currency: null,
  });
});

test('a native price sets price and currency and clears the USD column', () => {
  expect(pricingOf(read({ price: 25.5, currency: 'eur' }))).toEqual({
    priceUsdCents: null,
    priceCents: 2550,
    currency: 'EUR',
  });
});

test('amount and currency of an existing native price may change alone; a new one needs both', () => {
  const known = { priceUsdCents: null, priceCents: 2550, currency: 'EUR' } as const;
  expect(pricingOf(read({ price: 30 }), known)).toEqual({ ...known, priceCents: 3000 });
  expect(pricingOf(read({ currency: 'USD' }), known)).toEqual({ ...known, currency: 'USD' });
  for (const half of [{ price: 30 }, { currency: 'EUR' }]) {
    expect(() => pricingOf(read(half))).toThrow(invalid('currency'));
    const inUsd = { priceUsdCents: 100, priceCents: null, currency: null };
    expect(() => pricingOf(read(half), inUsd)).toThrow(invalid('currency'));
  }
});

test('omitted fields are undefined, and null clears a field', () => {
  const input = read({ category: null, costUsd: null });
  expect(input).toMatchObject({ category: null, costUsdCents: null });
  expect(pricingOf(input)).toBeUndefined();
  for (const key of ['name', 'stockQty', 'taxable', 'tags', 'description'] as const) expect(input[key]).toBeUndefined();
});

test('tags are trimmed, and empty and duplicate tags are dropped', () => {
  expect(read({ tags: [' hot ', 'hot', '', 'green'] }).tags).toEqual(['hot', 'green']);
});

test('a new item needs a name and a price', () => {
  expect(() => forNewItem(read({ priceUsd: 1 }))).toThrow(invalid('name'));
  expect(() => forNewItem(read({ name: 'Tea' }))).toThrow(invalid('priceUsd'));
  expect(forNewItem(read({ name: 'Tea', priceUsd: 0 })).pricing.priceUsdCents).toBe(0);
});

test.each([-1, 0, 1_000_000_000])('a stock of %d is accepted', (stockQty) => {
  expect(read({ stockQty }).stockQty).toBe(stockQty);
});

describe('refused', () => {
  test.each([
    ['a price in quotes', { priceUsd: '4.50' }, 'priceUsd'],
    ['a price below 0', { priceUsd: -0.01 }, 'priceUsd'],
    ['three decimals', { priceUsd: 1.005 }, 'priceUsd'],
    ['a price above the bound', { priceUsd: 10_000_000.01 }, 'priceUsd'],
    ['both kinds of price', { priceUsd: 1, price: 1, currency: 'EUR' }, 'price'],
    ['euros with priceUsd', { priceUsd: 1, currency: 'EUR' }, 'currency'],
    ['an unsupported currency', { price: 1, currency: 'GBP' }, 'currency'],
    ['a stock below -1', { stockQty: -2 }, 'stockQty'],
    ['half a piece', { stockQty: 1.5 }, 'stockQty'],
    ['taxable in quotes', { taxable: 'true' }, 'taxable'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name'],
    ['no sku', { sku: undefined }, 'sku'],
    ['a script as picture', { images: ['javascript:alert(1)'] }, 'images[0]'],
    ['attributes that are no object', { attributes: [] }, 'attributes'],
    ['NUL in a description', { description: 'a\u0000' }, 'description'],
  ])('%s', (_, body, field) => {
    expect(() => read(body)).toThrow(invalid(field));
  });
});
