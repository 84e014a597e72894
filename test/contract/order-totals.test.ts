import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

/** Half up, in whole cents: `amount × numerator / denominator`. */
const share = (amount: bigint, numerator: bigint, denominator: bigint) =>
  (2n * amount * numerator + denominator) / (2n * denominator);
const cents = (usd: number) => BigInt(Math.round(usd * 100));

// Contract: money.taxable-only, money.fee, money.total, orders.total-usd
test('totals through the server equal a BigInt oracle over random carts', { timeout: 60_000 }, async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const prices = [0, 1, 5, 99, 101, 333, 1_999, 2_500, 10_000, 115, 999_999_999];
  const products = prices.map((priceCents, i) => ({
    sku: `P${i}`,
    priceUsd: priceCents / 100,
    taxable: i % 3 !== 0,
    priceCents: BigInt(priceCents),
  }));
  await stock(
    server,
    merchant,
    products.map(({ priceCents: _, ...product }) => product),
  );

  const cart = fc.record({
    lines: fc.array(
      fc.record({ product: fc.constantFrom(...products.slice(0, -1)), qty: fc.integer({ min: 1, max: 999 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    rateMillionths: fc.oneof(fc.constantFrom(0, 95_000, 72_500, 1_000_000, 1), fc.integer({ min: 0, max: 1_000_000 })),
  });
  for (const feeBps of [0, 150, 1_999]) {
    await server.call('POST', '/api/shop/config', { headers: session, body: { processingFeePct: feeBps / 100 } });
    await fc.assert(
      fc.asyncProperty(cart, async ({ lines, rateMillionths }) => {
        const { status, body } = await server.call('POST', '/api/orders', {
          headers: merchant.auth,
          body: { items: lines.map(({ product, qty }) => ({ sku: product.sku, qty })), taxRate: rateMillionths / 1e6 },
        });
        const extended = lines.map(({ product, qty }) => product.priceCents * BigInt(qty));
        const subtotal = extended.reduce((sum, line) => sum + line, 0n);
        const taxed = lines.reduce((sum, { product }, i) => (product.taxable ? sum + extended[i]! : sum), 0n);
        const tax = share(taxed, BigInt(rateMillionths), 1_000_000n);
        const fee = share(subtotal + tax, BigInt(50 + feeBps), 10_000n);
        const total = subtotal + tax + fee;
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body.receipt.lineItems.map((line: { priceUsd: number }) => cents(line.priceUsd))).toEqual([
          ...extended,
          tax,
          fee,
        ]);
        expect(cents(body.receipt.totalUsd)).toBe(total);
        // The very JSON number has two decimals at most.
        expect(String(body.receipt.totalUsd)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
      { numRuns: 60 },
    );
  }
});
