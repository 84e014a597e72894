import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { amount, currency, qty, taxRate, wholeNumber } from './amount.ts';
import { coded, fieldOf, optional, parseInput } from './input.ts';
import { country, description, email, identifier, label, wallet } from './text.ts';

const invalid = (message: string, field?: string) =>
  expect.objectContaining({ code: 'invalid_input', status: 400, message, extra: field === undefined ? {} : { field } });

test('a message begins with the path of the field and states what is expected', () => {
  const schema = z.object({ items: z.array(z.object({ qty })) });
  expect(() => parseInput(schema, { items: [{ qty: 1 }, { qty: 1.5 }] })).toThrow(
    invalid('items[1].qty must be a whole number from 1 to 100000', 'items[1].qty'),
  );
});

test.each([[null], [undefined], ['text'], [[]]])(
  'a body that is not an object (%j) is refused without a field',
  (body) => {
    expect(() => parseInput(z.object({}), body)).toThrow(invalid('The request body must be an object'));
  },
);

test('a value that a coded schema rejects is refused with the code and sentence of the schema', () => {
  const schema = z.object({ items: coded('items_required', Array.isArray) });
  for (const body of [{}, { items: null }, { items: 'x' }]) {
    expect(() => parseInput(schema, body)).toThrow(
      expect.objectContaining({
        code: 'items_required',
        message: 'At least one item is required',
        extra: { field: 'items' },
      }),
    );
  }
});

test('null counts as omitted', () => {
  expect(parseInput(z.object({ a: optional(label) }), { a: null })).toEqual({ a: undefined });
});

test('a path quotes and shortens hostile keys', () => {
  expect(fieldOf(['lineItems', 2, 'priceUsd'])).toBe('lineItems[2].priceUsd');
  expect(fieldOf(['a b\u0000'])).toBe('["a b\\u0000"]');
  expect(fieldOf(['x'.repeat(1_000)]).length).toBeLessThan(70);
});

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('texts', () => {
  test('a label is 1 to 256 characters and not only spaces', () => {
    expect(accepts(label, 'x'.repeat(256))).toBe(true);
    for (const bad of ['', '   ', 'x'.repeat(257), 5, null]) expect(accepts(label, bad)).toBe(false);
  });

  test('an id is at most 128 characters, a description at most 4000 and may be empty', () => {
    expect(accepts(identifier, 'x'.repeat(128))).toBe(true);
    expect(accepts(identifier, 'x'.repeat(129))).toBe(false);
    expect(accepts(description, '')).toBe(true);
    expect(accepts(description, 'x'.repeat(4_001))).toBe(false);
  });

  test.each(['a\u0000b', '\ud800', 'x\udc00y'])('%j cannot be stored and is refused', (bad) => {
    for (const schema of [label, identifier, description]) expect(accepts(schema, bad)).toBe(false);
  });

  test('emoji and all scripts are accepted as text', () => {
    expect(parseInput(label, '☕ كافيه 咖啡')).toBe('☕ كافيه 咖啡');
  });

  test('a wallet is accepted in any letter case and stored in lower case; other text is refused with invalid_wallet', () => {
    expect(parseInput(wallet, `0X${'AB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`);
    expect(() => parseInput(z.object({ wallet }), { wallet: '0x12' })).toThrow(
      expect.objectContaining({ code: 'invalid_wallet', extra: { field: 'wallet' } }),
    );
  });

  test.each([
    ['a@b.co', true],
    ['a b@c.d', false],
    ['<x>@y.z', false],
    ['nothing', false],
    [`${'a'.repeat(250)}@b.co`, false],
  ])('the e-mail address %j: %s', (text, good) => {
    expect(accepts(email, text)).toBe(good);
  });

  test('a country is two letters, stored in upper case', () => {
    expect(parseInput(country, 'de')).toBe('DE');
    expect(parseInput(country, ' de\u00a0')).toBe('DE');
    expect(accepts(country, 'd e')).toBe(false);
    expect(accepts(country, 'Germany')).toBe(false);
  });
});

describe('numbers', () => {
  test.each([0, -1, 1.5, '2', 1e9, Infinity, Number.NaN, null, undefined, true])(
    '%j is refused as a quantity',
    (bad) => {
      expect(() => parseInput(z.object({ qty }), { qty: bad })).toThrow(
        invalid('qty must be a whole number from 1 to 100000', 'qty'),
      );
    },
  );

  test('minus zero is converted to zero', () => {
    expect(parseInput(wholeNumber(-1, 1), -0)).toBe(0);
    expect(parseInput(amount(0), -0)).toBe(0);
    expect(parseInput(taxRate, -0)).toBe('0');
  });

  test.each([-0.01, 10_000_000.01, Infinity, 1e-7, 1.005, '1', null])('%j is refused as a price', (bad) => {
    expect(() => parseInput(z.object({ priceUsd: amount(0) }), { priceUsd: bad })).toThrow(
      invalid('priceUsd must be a number from 0.00 to 10000000.00 with at most two decimals', 'priceUsd'),
    );
  });

  test.each([
    [0, '0'],
    [1, '1'],
    [0.095, '0.095'],
    [0.06875, '0.06875'],
    [0.000001, '0.000001'],
    [8.2 / 100, '0.08199999999999999'],
  ])('the tax rate %d is converted to %s', (rate, expected) => {
    expect(parseInput(taxRate, rate)).toBe(expected);
  });

  test.each([-0.1, 1.01, 1e-7, Infinity, Number.NaN, '0.1', null])('%j is refused as a tax rate', (bad) => {
    expect(() => parseInput(taxRate, bad)).toThrow(/must be 0, or a number from 0\.000001 to 1/);
  });

  test('a currency is accepted in any letter case; currencies other than USD and EUR are refused', () => {
    expect(parseInput(currency, 'eur')).toBe('EUR');
    expect(parseInput(currency, ' usd ')).toBe('USD');
    for (const bad of ['GBP', '', 5, null]) expect(() => parseInput(currency, bad)).toThrow(/must be USD or EUR/);
  });
});
