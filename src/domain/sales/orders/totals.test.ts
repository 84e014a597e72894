import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { convertOrder, priceOrder, type Unpriced } from './totals.ts';

const one = (unitCents: number, taxable = true) => [{ unitCents, qty: 1, taxable }];

describe('known answers', () => {
  test.each([
    ['100.00 at 9.5 % and a fee of 0.5 %', 10_000, 50, { taxCents: 950, feeCents: 55, totalCents: 11_005 }],
    ['100.00 at 9.5 % and a fee of 2 %', 10_000, 200, { taxCents: 950, feeCents: 219, totalCents: 11_169 }],
    ['25.00 at 9.5 %', 2_500, 50, { taxCents: 238 }],
  ])('%s', (_, unitCents, feeBps, expected) => {
    expect(priceOrder({ lines: one(unitCents), rate: '0.095', feeBps })).toMatchObject(expected);
  });

  test('tax applies to taxable lines only, the fee to all lines', () => {
    const lines = [...one(10_000), ...one(5_000, false)];
    expect(priceOrder({ lines, rate: '0.095', feeBps: 50 })).toMatchObject({
      subtotalCents: 15_000,
      taxCents: 950,
      feeCents: 80,
      totalCents: 16_030,
    });
  });

  test('a line keeps its own fields and gains unit price × quantity', () => {
    const [line] = priceOrder({
      lines: [{ unitCents: 333, qty: 3, taxable: false, sku: 'A' }],
      rate: '0',
      feeBps: 50,
    }).lines;
    expect(line).toEqual({ unitCents: 333, qty: 3, taxable: false, sku: 'A', priceCents: 999 });
  });

  test('an order of free items costs nothing', () => {
    expect(priceOrder({ lines: one(0), rate: '1', feeBps: 2050 }).totalCents).toBe(0);
  });
});

describe('bounds', () => {
  const invalid = expect.objectContaining({ code: 'invalid_input', status: 400 });

  test('a total of exactly 10,000,000.00 is accepted, and one cent more is invalid_input', () => {
    expect(priceOrder({ lines: one(MAX_AMOUNT_CENTS), rate: '0', feeBps: 0 }).totalCents).toBe(MAX_AMOUNT_CENTS);
    expect(() => priceOrder({ lines: [...one(MAX_AMOUNT_CENTS), ...one(1)], rate: '0', feeBps: 0 })).toThrow(invalid);
    expect(() => priceOrder({ lines: one(MAX_AMOUNT_CENTS), rate: '0', feeBps: 50 })).toThrow(invalid);
  });

  test('a line above the bound is refused with the name of its quantity, however large it is', () => {
    const lines = [...one(1), { unitCents: MAX_AMOUNT_CENTS, qty: 100_000, taxable: true }];
    expect(() => priceOrder({ lines, rate: '0', feeBps: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid_input', extra: { field: 'items[1].qty', reason: 'total_too_large' } }),
    );
  });

  test('the bound applies to the converted total too', () => {
    const priced = priceOrder({ lines: one(MAX_AMOUNT_CENTS), rate: '0', feeBps: 0 });
    expect(() => convertOrder(priced, '1.0842')).toThrow(invalid);
  });
});

/** `n / d` for n ≥ 0, rounded half up, in integer arithmetic. */
const divideHalfUp = (n: bigint, d: bigint) => (2n * n + d) / (2n * d);

interface Cart {
  readonly lines: readonly Unpriced[];
  readonly rateMillionths: number;
  readonly feeBps: number;
}

const cart = fc.record({
  lines: fc.array(
    fc.record({
      unitCents: fc.integer({ min: 0, max: 20_000_000 }),
      qty: fc.integer({ min: 1, max: 50 }),
      taxable: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  ),
  rateMillionths: fc.integer({ min: 0, max: 1_000_000 }),
  feeBps: fc.integer({ min: 0, max: 2_050 }),
});

function oracle({ lines, rateMillionths, feeBps }: Cart) {
  const extended = lines.map((line) => BigInt(line.unitCents) * BigInt(line.qty));
  const subtotal = extended.reduce((all, cents) => all + cents, 0n);
  const taxable = extended.reduce((all, cents, i) => (lines[i]!.taxable ? all + cents : all), 0n);
  const tax = divideHalfUp(taxable * BigInt(rateMillionths), 1_000_000n);
  const fee = divideHalfUp((subtotal + tax) * BigInt(feeBps), 10_000n);
  return { extended, subtotal, tax, fee, total: subtotal + tax + fee };
}

test('the totals of any cart equal those of an oracle in BigInt, or the cart is refused for its size', () => {
  fc.assert(
    fc.property(cart, (given) => {
      const expected = oracle(given);
      const rate = (given.rateMillionths / 1_000_000).toFixed(6);
      const tooMuch =
        expected.total > BigInt(MAX_AMOUNT_CENTS) ||
        expected.extended.some((cents) => cents > BigInt(MAX_AMOUNT_CENTS));
      if (tooMuch) {
        expect(() => priceOrder({ ...given, rate })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
        return;
      }
      const priced = priceOrder({ ...given, rate });
      expect(priced.lines.map((line) => BigInt(line.priceCents))).toEqual(expected.extended);
      expect(BigInt(priced.subtotalCents)).toBe(expected.subtotal);
      expect(BigInt(priced.taxCents)).toBe(expected.tax);
      expect(BigInt(priced.feeCents)).toBe(expected.fee);
      expect(BigInt(priced.totalCents)).toBe(expected.total);
    }),
    { numRuns: 500 },
  );
});

test('a converted order adds up to the converted total, which is rounded once', () => {
  fc.assert(
    fc.property(cart, fc.integer({ min: 1, max: 30_000 }), (given, tenThousandths) => {
      fc.pre(oracle(given).total < 300_000_000n);
      const native = priceOrder({ ...given, rate: (given.rateMillionths / 1_000_000).toFixed(6) });
      const usd = convertOrder(native, (tenThousandths / 10_000).toFixed(4));
      expect(BigInt(usd.totalCents)).toBe(divideHalfUp(BigInt(native.totalCents) * BigInt(tenThousandths), 10_000n));
      expect(usd.subtotalCents + usd.taxCents + usd.feeCents).toBe(usd.totalCents);
      expect(usd.lines.reduce((all, line) => all + line.priceCents, 0)).toBe(usd.subtotalCents);
      for (const [i, line] of usd.lines.entries()) {
        const floor = (BigInt(native.lines[i]!.priceCents) * BigInt(tenThousandths)) / 10_000n;
        expect([floor, floor + 1n]).toContain(BigInt(line.priceCents));
      }
    }),
  );
});

test('a rate of 1 changes nothing', () => {
  const priced = priceOrder({ lines: [...one(1_234), ...one(99, false)], rate: '0.0725', feeBps: 200 });
  expect(convertOrder(priced, '1')).toEqual(priced);
});

describe('prices that contain tax and fee', () => {
  test.each([
    [
      '12.50 is charged as 12.50',
      { lines: one(1_250), rate: '0', feeBps: 200, feeBorneBy: 'shop' as const },
      [1_225, 0, 25, 1_250],
    ],
    [
      '119.00 with 19 % is 100.00 net',
      { lines: one(11_900), rate: '0.19', feeBps: 50, pricesIncludeTax: true },
      [10_000, 1_900, 60, 11_960],
    ],
    [
      'both',
      { lines: one(11_900), rate: '0.19', feeBps: 50, feeBorneBy: 'shop' as const, pricesIncludeTax: true },
      [9_950, 1_891, 59, 11_900],
    ],
  ])('%s', (_, order, [subtotalCents, taxCents, feeCents, totalCents]) => {
    expect(priceOrder(order)).toMatchObject({ subtotalCents, taxCents, feeCents, totalCents });
  });

  test('a cent that is left goes to the largest remainder, in the order of lines', () => {
    const lines = [...one(100), ...one(100), ...one(100)];
    const priced = priceOrder({ lines, rate: '0.19', feeBps: 0, pricesIncludeTax: true });
    expect(priced.lines.map((line) => line.priceCents)).toEqual([84, 84, 84]);
    const odd = priceOrder({ lines: lines.slice(1), rate: '0.5', feeBps: 0, pricesIncludeTax: true });
    expect([odd.taxCents, ...odd.lines.map((line) => line.priceCents)]).toEqual([67, 67, 66]);
  });

  test('what is typed, the parts and the lines of any cart are exact and equal those of an oracle in BigInt', () => {
    const rule = fc.record({ feeBorneBy: fc.constantFrom('buyer', 'shop'), pricesIncludeTax: fc.boolean() });
    const contains = rule.filter((each) => each.feeBorneBy === 'shop' || each.pricesIncludeTax);
    fc.assert(
      fc.property(cart, contains, (given, terms) => {
        const lines = given.lines.map((line) => ({ ...line, unitCents: line.unitCents % 100_000 }));
        const rate = (given.rateMillionths / 1_000_000).toFixed(6);
        const priced = priceOrder({ ...given, ...terms, lines, rate } as Parameters<typeof priceOrder>[0]);
        const gross = lines.map(({ unitCents, qty }) => BigInt(unitCents) * BigInt(qty));
        const typed = gross.reduce((all, cents) => all + cents, 0n);
        const inside = terms.feeBorneBy === 'shop';
        const bps = BigInt(given.feeBps);
        const fee = inside ? divideHalfUp(typed * bps, 10_000n + bps) : divideHalfUp(typed * bps, 10_000n);
        expect(BigInt(priced.feeCents)).toBe(fee);
        expect(BigInt(priced.totalCents)).toBe(inside ? typed : typed + fee);
        expect(priced.subtotalCents + priced.taxCents + priced.feeCents).toBe(priced.totalCents);
        expect(priced.lines.reduce((all, line) => all + line.priceCents, 0)).toBe(priced.subtotalCents);
        const byContract = divideHalfUp(BigInt(priced.totalCents - priced.feeCents) * bps, 10_000n);
        expect(Math.abs(Number(byContract - fee))).toBeLessThanOrEqual(1);
        if (typed === 0n) return;
        const rest = inside ? typed - fee : typed;
        const parts = 1_000_000n + BigInt(given.rateMillionths);
        const taxable = gross.reduce((all, cents, i) => (lines[i]!.taxable ? all + cents : all), 0n);
        expect(BigInt(priced.taxCents)).toBe(divideHalfUp(taxable * rest * (parts - 1_000_000n), typed * parts));
        for (const [i, line] of priced.lines.entries()) {
          expect(line.priceCents).toBeGreaterThanOrEqual(0);
          const exact = gross[i]! * rest * (line.taxable ? 1_000_000n : parts);
          const off = BigInt(line.priceCents) * typed * parts - exact;
          expect(off > -typed * parts && off < typed * parts).toBe(true);
        }
      }),
    );
  });
});
