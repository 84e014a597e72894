import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { receiptInput } from './receipt.input.ts';

const schema = receiptInput({ allowInsecure: false });
const read = (body: unknown) => parseInput(schema, body);
const invalid = (field: string, message = /./) =>
  expect.objectContaining({ code: 'invalid_input', extra: { field }, message: expect.stringMatching(message) });

const legacy = {
  id: 'A-1',
  lineItems: [
    { label: 'Tea', priceUsd: 4.5 },
    { label: 'Cake', priceUsd: 5.49 },
  ],
  totalUsd: 9.99,
};
const native = {
  id: 'A-1',
  currency: 'eur',
  lineItems: [
    { label: 'Tea', amount: 25.5, qty: 2 },
    { label: 'Off', amount: -0.5 },
  ],
  total: 25,
};

test('the legacy format has lines in USD that add up to the total', () => {
  expect(read(legacy)).toEqual({
    wallet: undefined,
    id: 'A-1',
    format: 'legacy',
    currency: 'USD',
    lines: [
      { label: 'Tea', amountCents: 450 },
      { label: 'Cake', amountCents: 549 },
    ],
    totalCents: 999,
    replaces: null,
    options: {},
  });
});

// Contract: receipts.amount
test('the native format has extended amounts in major units, may contain a discount, and does not multiply by quantity', () => {
  expect(read(native)).toMatchObject({
    format: 'native',
    currency: 'EUR',
    lines: [
      { label: 'Tea', amountCents: 2550, qty: 2 },
      { label: 'Off', amountCents: -50 },
    ],
    totalCents: 2500,
  });
});

test('a total that is left out is the sum of the lines', () => {
  expect(read({ ...native, total: undefined }).totalCents).toBe(2500);
  expect(read({ ...legacy, totalUsd: undefined }).totalCents).toBe(999);
});

test('a native receipt without a currency is in USD, and a legacy receipt may name USD', () => {
  expect(read({ ...native, currency: undefined })).toMatchObject({ format: 'native', currency: 'USD' });
  expect(read({ ...legacy, currency: 'usd' }).currency).toBe('USD');
});

test('a total of zero is accepted', () => {
  expect(
    read({
      id: 'x',
      lineItems: [
        { label: 'a', amount: 5 },
        { label: 'b', amount: -5 },
      ],
    }).totalCents,
  ).toBe(0);
});

// Contract: receipts.redirect-url, receipts.webhook-url
test('redirect and webhook addresses are accepted under both names', () => {
  const options = { redirectUrl: 'https://a.example', webhookUrl: 'https://b.example' };
  expect(read({ ...legacy, redirect_url: options.redirectUrl, webhook_url: options.webhookUrl }).options).toEqual(
    options,
  );
  expect(read({ ...legacy, ...options }).options).toEqual(options);
});

describe('the formats must not be mixed', () => {
  test.each([
    [
      'an amount line among priceUsd lines',
      { ...legacy, lineItems: [...legacy.lineItems, { label: 'x', amount: 1 }] },
      'lineItems[0].priceUsd',
    ],
    ['both on one line', { id: 'x', lineItems: [{ label: 'x', amount: 1, priceUsd: 1 }] }, 'lineItems[0].priceUsd'],
    ['totalUsd beside amounts', { ...native, totalUsd: 25 }, 'totalUsd'],
    ['total beside priceUsd', { ...legacy, total: 9.99 }, 'lineItems[0].priceUsd'],
    ['euros with priceUsd', { ...legacy, currency: 'EUR' }, 'currency'],
  ])('%s', (_, body, field) => {
    expect(() => read(body)).toThrow(invalid(field));
  });
});

describe('refused', () => {
  test.each([
    ['an unsupported currency', { ...native, currency: 'GBP' }, 'currency', /must be USD or EUR/],
    ['a native total that is not the sum', { ...native, total: 24.99 }, 'total', /sum of the lines, 25\.00/],
    ['a legacy total that is not the sum', { ...legacy, totalUsd: 10 }, 'totalUsd', /sum of the lines, 9\.99/],
    [
      'three decimals',
      { ...native, lineItems: [{ label: 'x', amount: 1.005 }], total: undefined },
      'lineItems[0].amount',
      /two decimals/,
    ],
    [
      'an infinite amount',
      { id: 'x', lineItems: [{ label: 'x', amount: Infinity }] },
      'lineItems[0].amount',
      /two decimals/,
    ],
    [
      'a price in quotes',
      { id: 'x', lineItems: [{ label: 'x', priceUsd: '1' }] },
      'lineItems[0].priceUsd',
      /must be a number/,
    ],
    ['a line without a price', { id: 'x', lineItems: [{ label: 'x' }] }, 'lineItems[0].priceUsd', /must be given/],
    ['a line without a label', { id: 'x', lineItems: [{ amount: 1 }] }, 'lineItems[0].label', /must be a string/],
    [
      'a quantity of zero',
      { id: 'x', lineItems: [{ label: 'x', amount: 1, qty: 0 }] },
      'lineItems[0].qty',
      /whole number/,
    ],
    [
      'a negative total',
      { id: 'x', lineItems: [{ label: 'x', amount: -1 }] },
      'lineItems',
      /less than 0; they add up to -1\.00/,
    ],
    [
      'a total above the maximum',
      {
        id: 'x',
        lineItems: [
          { label: 'x', amount: 10_000_000 },
          { label: 'y', amount: 0.01 },
        ],
      },
      'lineItems',
      /more than 10000000\.00/,
    ],
    ['no lines', { id: 'x', lineItems: [] }, 'lineItems', /must not be empty/],
    ['lines that are not a list', { id: 'x', lineItems: {} }, 'lineItems', /must be a list/],
    [
      '501 lines',
      { id: 'x', lineItems: Array.from({ length: 501 }, () => ({ label: 'x', amount: 1 })) },
      'lineItems',
      /at most 500/,
    ],
    ['no id', { lineItems: legacy.lineItems }, 'id', /must be a string/],
  ])('%s', (_, body, field, message) => {
    expect(() => read(body)).toThrow(invalid(field, message));
  });

  test.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    '..',
    '.',
    'status',
    'refund',
    'terminal',
    'a\u0000',
    'a\nb',
    'x'.repeat(129),
  ])('the id %j', (id) => {
    expect(() => read({ ...legacy, id })).toThrow(invalid('id'));
  });

  test('an invalid wallet is refused with its own code', () => {
    expect(() => read({ ...legacy, wallet: 'me' })).toThrow(expect.objectContaining({ code: 'invalid_wallet' }));
  });
});
