import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { orderInput } from './order.input.ts';

const schema = orderInput({ allowInsecure: false });
const read = (body: unknown) => parseInput(schema, body);
const invalid = (field: string, message = /./) =>
  expect.objectContaining({ code: 'invalid_input', extra: { field }, message: expect.stringMatching(message) });

test('an order is parsed to typed fields, with the tax rate as exact text and the options separate', () => {
  expect(
    read({
      items: [
        { sku: 'TEA', qty: 2 },
        { id: 'item_1', qty: 1 },
      ],
      currency: 'eur',
      jurisdictionCode: 'US-CA',
      taxRate: 0.095,
      taxComponents: ['state', 'state', 'county'],
      customerEmail: 'a@b.co',
    }),
  ).toEqual({
    wallet: undefined,
    items: [
      { id: undefined, sku: 'TEA', qty: 2 },
      { id: 'item_1', sku: undefined, qty: 1 },
    ],
    currency: 'EUR',
    jurisdictionCode: 'US-CA',
    taxRate: '0.095',
    taxComponents: ['state', 'county'],
    options: { buyerEmail: 'a@b.co', billingAddress: { email: 'a@b.co' } },
  });
});

test.each([[{}], [{ items: [] }], [{ items: null }]])('%j is items_required', (body) => {
  expect(() => read(body)).toThrow(
    expect.objectContaining({ code: 'items_required', status: 400, message: 'At least one item is required' }),
  );
});

test.each([{}, 'TEA', '', 7, true])('items %j, which is no list, is invalid_input', (items) => {
  expect(() => read({ items })).toThrow(invalid('items', /^items must be a list$/));
});

test.each([0, -1, 1.5, '2', 1e9, 100_001, null, undefined])('qty %j is invalid_input naming items[0].qty', (qty) => {
  expect(() => read({ items: [{ sku: 'TEA', qty }] })).toThrow(
    invalid('items[0].qty', /^items\[0\]\.qty must be a whole number from 1 to 100000$/),
  );
});

describe('refused', () => {
  const items = [{ sku: 'TEA', qty: 1 }];
  test.each([
    ['neither id nor sku', { items: [{ qty: 1 }] }, 'items[0]'],
    ['an item that is not an object', { items: ['TEA'] }, 'items[0]'],
    ['501 items', { items: Array.from({ length: 501 }, () => items[0]) }, 'items'],
    ['a sku of 129 characters', { items: [{ sku: 'x'.repeat(129), qty: 1 }] }, 'items[0].sku'],
    ['an unsupported currency', { items, currency: 'GBP' }, 'currency'],
    ['a tax rate above 1', { items, taxRate: 1.5 }, 'taxRate'],
    ['a tax rate in quotes', { items, taxRate: '0.1' }, 'taxRate'],
    ['a component that is not a text', { items, taxComponents: [5] }, 'taxComponents[0]'],
    ['components that are not a list', { items, taxComponents: 'state' }, 'taxComponents'],
    ['a jurisdiction that is not a text', { items, jurisdictionCode: 5 }, 'jurisdictionCode'],
    ['an alias of the wrong type', { items, customer_email: 5 }, 'customer_email'],
  ])('%s', (_, body, field) => {
    expect(() => read(body)).toThrow(invalid(field));
  });
});
