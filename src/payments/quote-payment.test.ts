import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenForAlarms } from '../platform/test/alarms.ts';
import { countLowPrices } from '../quotes/crowding.ts';
import { listOffers } from '../quotes/offers.ts';
import { quotePayment, reserveQuote } from './quote-payment.ts';
import { deployAll } from './test/deploy-all.ts';
import { inParallel } from './test/in-parallel.ts';
import { openWorld, randomWallet, type World } from './test/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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
    expiresAt: expect.any(Number),
  });
  expect(Math.abs(quote.expiresAt! - Date.now() - DAY_MS)).toBeLessThan(HOUR_MS);
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
  // Eight at a time: a request that waits too long for a connection is refused, also on a busy machine.
  const quotes = await inParallel(Array.from({ length: 50 }), 8, () =>
    quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }),
  );
  expect(new Set(quotes.map(({ amount }) => amount)).size).toBe(1);
});

test('two hundred receipts with the same price get two hundred amounts', async () => {
  const { wallet: merchant } = await world.merchant();
  const quotes = await inParallel(Array.from({ length: 200 }), 8, async () => {
    const receiptId = await world.receipt(merchant, 999);
    return reserveQuote(world.deps, { merchant, receiptId, token: 'USDC' });
  });
  expect(new Set(quotes.map(({ amount }) => amount)).size).toBe(200);
});

/** Stores quotes of other receipts for a range of amounts, which ended at a time. */
const fill = (split: string, merchant: string, [from, to]: [number, number], expiresAt: number) =>
  world.deps.orm.em.fork().execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at)
     select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, ?::int8 + n from generate_series(?::int, ?::int) n`,
    [merchant, split, expiresAt, from, to],
  );

test('an amount that was never used comes first, then the longest unused one, seven days after its quote ended', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const now = Date.now();
  await fill(split, merchant, [1_000_001, 1_009_998], now - 7 * DAY_MS - 2_000_000);
  const amountOf = async () => {
    const receiptId = await world.receipt(merchant, 100);
    const deps = { ...world.deps, clock: () => now };
    return (await reserveQuote(deps, { merchant, receiptId, token: 'USDC' })).amount;
  };
  expect(await amountOf()).toBe('1009999');
  expect(await amountOf()).toBe('1000001');
  expect(await amountOf()).toBe('1000002');
});

test('without an amount that is left a quote is refused, and a buyer is never asked for more than a cent above the total', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const now = Date.now();
  const { log, alarms } = listenForAlarms();
  const deps = { ...world.deps, log, clock: () => now };
  const ask = async (totalCents: number) =>
    reserveQuote(deps, { merchant, receiptId: await world.receipt(merchant, totalCents), token: 'USDC' });
  await fill(split, merchant, [1_000_001, 1_008_997], now);
  await fill(split, merchant, [1_008_998, 1_009_999], now - 8 * DAY_MS);
  expect((await ask(100)).amount).toBe('1008998');
  expect(alarms).toEqual([]);
  expect((await ask(100)).amount).toBe('1008999');
  expect(alarms).toEqual([]);
  expect(countLowPrices(deps)).toBe(0);
  await ask(100);
  await ask(100);
  expect(alarms).toEqual(['amounts_low']);
  expect(countLowPrices(deps)).toBe(1);

  await world.deps.orm.em.fork().execute('update quotes set expires_at = ? where merchant = ?', [now, merchant]);
  await expect(ask(100)).rejects.toEqual(refused('amounts_exhausted', /Too many open payments/));
  await expect(ask(100)).rejects.toMatchObject({ status: 503 });
  expect(alarms).toEqual(['amounts_low', 'amounts_exhausted']);
  const other = await ask(101);
  expect(Number(other.amount)).toBeGreaterThan(1_010_000);
});

test('above ten dollars the amounts of more cents are used, up to a thousandth of the total', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const now = Date.now();
  const deps = { ...world.deps, clock: () => now };
  const ask = async () =>
    reserveQuote(deps, { merchant, receiptId: await world.receipt(merchant, 3_000), token: 'USDC' });
  await fill(split, merchant, [30_000_001, 30_019_999], now);
  const amount = Number((await ask()).amount);
  expect(amount).toBeGreaterThan(30_020_000);
  expect(amount).toBeLessThan(30_030_000);
});

test('each request of a buyer renews the quote with its amount, also after its end', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 500);
  const ask = (at: number) => reserveQuote({ ...world.deps, clock: () => at }, { merchant, receiptId, token: 'USDC' });
  const now = Date.now();
  const first = await ask(now);
  for (const later of [30 * MINUTE_MS, 60 * MINUTE_MS, 5 * DAY_MS, 40 * DAY_MS]) {
    expect(await ask(now + later)).toEqual({ ...first, expiresAt: now + later + DAY_MS });
  }
});

test('a quote ends with its receipt, and an ended receipt is not quoted', async () => {
  const { wallet: merchant } = await world.merchant();
  const expiresAt = Date.now() + HOUR_MS;
  const receiptId = await world.receipt(merchant, 500, { expiresAt });
  const request = { merchant, receiptId, token: 'USDC' };
  expect(await reserveQuote(world.deps, request)).toMatchObject({ expiresAt });
  const later = { ...world.deps, clock: () => expiresAt };
  await expect(reserveQuote(later, request)).rejects.toEqual(refused('receipt_ended'));
});

test('a quote of an earlier version, without an end, is renewed with its amount', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const receiptId = await world.receipt(merchant, 100);
  const now = Date.now();
  await world.deps.orm.em.fork().execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at)
     values (?, 'old', ?, 31337, ?, 'USDC', 1000001, '1', '1', ?)`,
    [merchant, receiptId, split, now - 9 * DAY_MS],
  );
  const deps = { ...world.deps, clock: () => now };
  expect(await reserveQuote(deps, { merchant, receiptId, token: 'USDC' })).toMatchObject({
    amount: '1000001',
    expiresAt: now + DAY_MS,
  });
});

test('without a settlement key ether is not offered, and no contract is promised', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const deps = { ...world.deps, settings: { ...world.deps.settings, settlementPrivateKey: null } };
  const never = /^ETH is not offered by this merchant/;
  await expect(quotePayment(deps, { merchant, receiptId, token: 'ETH' })).rejects.toEqual(
    refused('invalid_input', never),
  );
  expect(await listOffers(deps, merchant)).toContainEqual(
    expect.objectContaining({ symbol: 'ETH', offered: false, reason: expect.stringMatching(never) }),
  );
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
  const same = await quotePayment(later, request);
  expect(same).toEqual({ ...quote, expiresAt: quote.expiresAt! + 1 + 15 * MINUTE_MS });
  world.rates.set('ETH', '3200');
  onTestFinished(() => void world.rates.set('ETH', '3100'));
  expect((await quotePayment(later, request)).amount).toBe(quote.amount);
  const after = { ...world.deps, clock: () => same.expiresAt! + 1 };
  const fresh = await quotePayment(after, request);
  expect(BigInt(fresh.amount)).toBeLessThan(BigInt(quote.amount));
  expect(fresh.expiresAt).toBe(same.expiresAt! + 1 + 15 * MINUTE_MS);
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
