import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceOrder } from '../../../../domain/sales/orders/totals.ts';
import { chargedCents } from './charged.ts';

test('the number that the till shows is the total of the order, whatever the prices contain', () => {
  const sale = fc.record({
    lines: fc.array(fc.record({ unitCents: fc.integer({ min: 0, max: 5_000_000 }), taxable: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    }),
    rateMillionths: fc.integer({ min: 0, max: 1_000_000 }),
    addOnBps: fc.integer({ min: 0, max: 2_000 }),
    feeBorneBy: fc.constantFrom('buyer' as const, 'shop' as const),
    pricesIncludeTax: fc.boolean(),
  });
  fc.assert(
    fc.property(sale, ({ lines, rateMillionths, addOnBps, feeBorneBy, pricesIncludeTax }) => {
      const shop = {
        shopConfig: { id: '', name: null, processingFeePct: addOnBps / 100, feeBorneBy, pricesIncludeTax },
        siteConfig: { id: '', processingFeePct: 0.5 },
      };
      const order = priceOrder({
        lines: lines.map((line) => ({ ...line, qty: 1 })),
        rate: (rateMillionths / 1e6).toFixed(6),
        feeBps: 50 + addOnBps,
        feeBorneBy,
        pricesIncludeTax,
      });
      const typed = lines.map(({ unitCents: cents, taxable }) => ({ cents, taxable }));
      expect(chargedCents(shop, typed, rateMillionths / 1e6)).toBe(order.totalCents);
    }),
  );
});
