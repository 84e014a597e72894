import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOffers } from '../quotes/offers.ts';
import { quotePayment, reserveQuote } from './quote-payment.ts';
import { deployAll } from './test/deploy-all.ts';
import { inParallel } from './test/in-parallel.ts';
import { openWorld, randomWallet, type World } from './test/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const refused = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) });

// Contract: states.generated-pending
test('a quote has the amount, the split and the link, and starts the payment', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_250);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'usdc' });
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
  expect(Number(quote.amount)).toBeGreaterThan(12_500_000);
  expect(Number(quote.amount)).toBeLessThan(12_510_000);
  expect(quote).toEqual({
    token: 'USDC',
    chainId: 31337,
    amount: quote.amount,
    decimals: 6,
    display: `12.50${quote.amount.slice(-4)}`.replace(/0+$/, ''),
    payTo: split,
    uri: `ethereum:${usdc.address}@31337/transfer?address=${split}&uint256=${quote.amount}`,
    expiresAt: null,
  });
  expect(await world.history(merchant, receiptId)).toEqual([{ what: 'status:pending', detail: { token: 'USDC' } }]);
});

test('a page that only shows the amount does not change the receipt, and both report the same amount', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 500);
  const shown = await reserveQuote(world.deps, { merchant, receiptId, token: 'USDT' });
  expect(await world.status(merchant, receiptId)).toBe('generated');
  expect(await quotePayment(world.deps, { merchant, receiptId, token: 'USDT' })).toEqual(shown);
});

test('fifty concurrent requests for a receipt return one amount', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 500);
  const quotes = await Promise.all(
    Array.from({ length: 50 }, () => quotePayment(world.deps, { merchant, receiptId, token: 'USDC' })),
  );
  expect(new Set(quotes.map(({ amount }) => amount)).size).toBe(1);
});

test('two hundred receipts with the same price get two hundred amounts', async () => {
  const { wallet: merchant } = await world.merchant();
  // Eight at a time: a request that waits too long for a connection is refused, also on a busy machine.
  const quotes = await inParallel(Array.from({ length: 200 }), 8, async () => {
    const receiptId = await world.receipt(merchant, 999);
    return reserveQuote(world.deps, { merchant, receiptId, token: 'USDC' });
  });
  expect(new Set(quotes.map(({ amount }) => amount)).size).toBe(200);
});

test('if every tag of a cent is taken, the next cent is used, and released amounts are used again', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const fill = (from: number, reservedUntil: number | null) =>
    world.deps.orm.em.fork().execute(
      `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at, reserved_until)
       select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, null, ? from generate_series(?::int, 1009999) n`,
      [merchant, split, reservedUntil, from],
    );
  await fill(1_000_001, null);
  const crowded = await reserveQuote(world.deps, {
    merchant,
    receiptId: await world.receipt(merchant, 100),
    token: 'USDC',
  });
  expect(Number(crowded.amount)).toBeGreaterThan(1_010_000);
  expect(Number(crowded.amount)).toBeLessThan(1_020_000);

  await world.deps.orm.em
    .fork()
    .execute(`update quotes set reserved_until = ? where receipt_id = 'other1005000'`, [Date.now() - 1]);
  const freed = await reserveQuote(world.deps, {
    merchant,
    receiptId: await world.receipt(merchant, 100),
    token: 'USDC',
  });
  expect(freed.amount).toBe('1005000');
});

test('ether is offered once the splitter is deployed and verified, for fifteen minutes at a time', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const request = { merchant, receiptId, token: 'ETH' };
  await expect(quotePayment(world.deps, request)).rejects.toEqual(refused('invalid_input', /being set up/));
  expect(await listOffers(world.deps, merchant)).toEqual([
    expect.objectContaining({ symbol: 'USDC', name: 'USD Coin', offered: true, reason: null }),
    expect.objectContaining({ symbol: 'USDT', name: 'Tether USD', offered: true, reason: null }),
    expect.objectContaining({ symbol: 'ETH', name: 'Ether', offered: false, reason: expect.stringMatching(/set up/) }),
  ]);

  await deployAll(world);
  const startedAt = Date.now();
  const quote = await quotePayment(world.deps, request);
  expect(quote.expiresAt).toBeGreaterThanOrEqual(startedAt + 15 * 60_000);
  expect(quote.uri).toBe(`ethereum:${split}@31337?value=${quote.amount}`);
  expect(await quotePayment(world.deps, request)).toEqual(quote);

  const later = { ...world.deps, clock: () => quote.expiresAt! + 1 };
  const fresh = await quotePayment(later, request);
  expect(fresh.amount).not.toBe(quote.amount);
  expect(fresh.expiresAt).toBeGreaterThan(quote.expiresAt!);
});

test('ether is never offered on an unverified split, nor without a rate', async () => {
  const unverified = await world.merchant({ verified: false, deployed: true });
  const [, , ether] = await listOffers(world.deps, unverified.wallet);
  expect(ether).toMatchObject({ offered: false, reason: 'ETH is not offered by this merchant.' });

  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  world.rates.delete('ETH');
  try {
    const [, , priceless] = await listOffers(world.deps, merchant);
    expect(priceless).toMatchObject({ offered: false, reason: 'There is no current price for ETH.' });
    const receiptId = await world.receipt(merchant, 1_000);
    await expect(quotePayment(world.deps, { merchant, receiptId, token: 'ETH' })).rejects.toEqual(
      refused('exchange_rate_unavailable'),
    );
  } finally {
    world.rates.set('ETH', '3100');
  }
});

test.each([
  ['a paid receipt', { status: 'paid' as const }, /nothing is owed/],
  ['a receipt whose payment was detected', { status: 'tx_mined' as const }, /waits for its confirmations/],
  ['a receipt with a total of zero', { status: 'completed' as const, totalCents: 0 }, /total of this receipt is zero/],
])('%s is not quoted', async (_, more, message) => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000, more);
  await expect(quotePayment(world.deps, { merchant, receiptId, token: 'USDC' })).rejects.toEqual(
    refused('invalid_input', message),
  );
});

test('an unknown token, a foreign receipt and a merchant without a split are refused', async () => {
  const { wallet: merchant } = await world.merchant();
  const { wallet: other } = await world.merchant();
  const receiptId = await world.receipt(other, 1_000);
  await expect(quotePayment(world.deps, { merchant, receiptId, token: 'DOGE' })).rejects.toEqual(
    refused('invalid_input', /USDC, USDT, ETH/),
  );
  await expect(quotePayment(world.deps, { merchant, receiptId, token: 'USDC' })).rejects.toEqual(refused('not_found'));
  await expect(quotePayment(world.deps, { merchant: randomWallet(), receiptId, token: 'USDC' })).rejects.toEqual(
    refused('split_required'),
  );
});

test('a failed receipt that is quoted again becomes pending again', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000, { status: 'failed', failureCode: 'PORTAL_CHAIN_TX_REVERTED' });
  await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'pending', failureCode: null });
});
