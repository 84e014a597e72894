import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { RECEIPT_FACTORY } from '../../../base/chain/receipt-record.ts';
import { addressesOf } from '../../sales/receipts/addresses.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { listOffers } from '../quotes/offers.ts';
import { deployAll } from '../test/deploy-all.ts';
import { inParallel } from '../test/in-parallel.ts';
import { setTerms } from '../test/terms.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { quotePayment, showQuote } from './quote-payment.ts';

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
test('a quote has the total to the cent, the receipt’s own address and the link, and starts the payment', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_250);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'usdc' });
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const [own] = await addressesOf(world.deps.db, { merchant, id: receiptId });
  expect(quote).toEqual({
    token: 'USDC',
    chainId: 31337,
    amount: '12500000',
    decimals: 6,
    display: '12.5',
    payTo: own!.address,
    uri: `ethereum:${usdc.address}@31337/transfer?address=${own!.address}&uint256=12500000`,
    expiresAt: expect.any(Number),
  });
  expect(Math.abs(quote.expiresAt! - Date.now() - DAY_MS)).toBeLessThan(HOUR_MS);
  expect(await world.history(merchant, receiptId)).toEqual([{ what: 'status:pending', detail: { token: 'USDC' } }]);
});

test('a page that only shows the amount does not change the receipt, and both report the same amount', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 500);
  const shown = await showQuote(world.deps, { merchant, receiptId, token: 'USDT' });
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

test('each request of a buyer renews the quote with its amount, also after its end', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 500);
  const ask = (at: number) => showQuote({ ...world.deps, clock: () => at }, { merchant, receiptId, token: 'USDC' });
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
  expect(await showQuote(world.deps, request)).toMatchObject({ expiresAt });
  const later = { ...world.deps, clock: () => expiresAt };
  await expect(showQuote(later, request)).rejects.toEqual(refused('receipt_ended'));
});

test('ether is offered for fifteen minutes at a time, with an amount that can be typed', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const request = { merchant, receiptId, token: 'ETH' };
  expect(await listOffers(world.deps, { merchant, totalCents: 1_000 })).toEqual([
    expect.objectContaining({ symbol: 'USDC', name: 'USD Coin', offered: true, reason: null }),
    expect.objectContaining({ symbol: 'USDT', name: 'Tether USD', offered: true, reason: null }),
    expect.objectContaining({ symbol: 'ETH', name: 'Ether', offered: true, reason: null }),
  ]);
  const startedAt = Date.now();
  const quote = await quotePayment(world.deps, request);
  expect(quote.expiresAt).toBeGreaterThanOrEqual(startedAt + 15 * 60_000);
  expect(quote.uri).toBe(`ethereum:${quote.payTo}@31337?value=${quote.amount}`);
  // 10 dollars at 3,100, rounded up to the sixth decimal place.
  expect(quote.display).toBe('0.003226');
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
  const [, , ether] = await listOffers(world.deps, { merchant: unverified.wallet, totalCents: 1_000 });
  expect(ether).toMatchObject({ offered: false, reason: 'ETH is not offered by this merchant.' });

  const { wallet: merchant } = await world.merchant();
  await deployAll(world);
  world.rates.delete('ETH');
  try {
    const [, , priceless] = await listOffers(world.deps, { merchant, totalCents: 1_000 });
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

test('the address stays the same in every token, and changes with the split as long as no money has come', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_000);
  const ask = (token: string) => showQuote(world.deps, { merchant, receiptId, token });
  const { payTo } = await ask('USDC');
  for (const token of ['USDT', 'ETH', 'USDC']) expect((await ask(token)).payTo).toBe(payTo);
  const em = world.deps.db.orm.em.fork();
  const { id, address, ...split } = await em.findOneOrFail(SplitSchema, { merchant });
  await em.nativeUpdate(SplitSchema, { merchant, id }, { replacedAt: Date.now() });
  await em.insert(SplitSchema, { ...split, id: `${id}_2`, address: randomWallet(), replacedAt: null });
  const { payTo: later } = await ask('USDC');
  expect(later).not.toBe(payTo);
  expect((await addressesOf(world.deps.db, { merchant, id: receiptId })).map(({ number }) => number)).toEqual([1, 0]);
});

test('where the factory of addresses is missing, nothing is offered', async () => {
  const { wallet: merchant } = await world.merchant();
  const address = toAddress(RECEIPT_FACTORY);
  const bytecode = (await world.chain.client.getCode({ address }))!;
  await world.control.setCode({ address, bytecode: '0x' });
  onTestFinished(() => world.control.setCode({ address, bytecode }));
  const deps = { ...world.deps, chain: { ...world.chain, kept: new Map() } };
  for (const offer of await listOffers(deps, { merchant, totalCents: 1_000 }))
    expect(offer).toMatchObject({ offered: false });
  const receiptId = await world.receipt(merchant, 1_000);
  await expect(quotePayment(deps, { merchant, receiptId, token: 'USDC' })).rejects.toEqual(
    refused('invalid_input', /not set up/),
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

test('a network where collecting costs more than the server spends is not offered, unless the merchant has chosen it', async () => {
  const { wallet: merchant } = await world.merchant();
  const [small, large] = [await world.receipt(merchant, 100), await world.receipt(merchant, 100_000_000)];
  const { settings } = world.deps;
  const sweeps = { ...settings.settlement.sweeps, maxCostPct: '0.25' };
  const deps = { ...world.deps, settings: { ...settings, settlement: { ...settings.settlement, sweeps } } };
  const quote = (receiptId: string, token = 'USDC') => quotePayment(deps, { merchant, receiptId, token });
  await expect(quote(small)).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Payments on the local test chain cost too much for this amount at the moment.',
  });
  expect(await quote(large)).toMatchObject({ token: 'USDC' });
  for (const offer of await listOffers(deps, { merchant, totalCents: 100 })) expect(offer.offered).toBe(false);
  await setTerms(world, merchant, { paymentTokens: [{ chainId: 31_337, token: 'USDC' }] });
  expect(await quote(small)).toMatchObject({ token: 'USDC' });
});
