import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { merchantWithEther, type Quoted, quoted } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// What a payment may be that is not the very amount, or not in time. Beside it: edge-transactions (where it goes, and
// what became of it), claim (money straight to the split), reorg, and for the RPC worker and rpc-fallback.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const statusOf = ({ merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>) => world.status(merchant, receiptId);
const quoteIn = ({ merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>, token: string) =>
  quotePayment(world.deps, { merchant, receiptId, token });
const confirmed = async (): Promise<void> => {
  await world.mine(2);
  await world.look();
};

test('the amount is the total to the cent, and of a coin at most to the sixth decimal', async () => {
  const merchant = await merchantWithEther(world);
  const receiptId = await world.receipt(merchant, 16_781);
  expect((await quoteIn({ merchant, receiptId }, 'USDC')).display).toBe('167.81');
  expect((await quoteIn({ merchant, receiptId }, 'USDT')).display).toBe('167.81');
  expect((await quoteIn({ merchant, receiptId }, 'ETH')).display).toBe('0.054133');
});

test('underpaid: a fee that an exchange deducts is missing, and the rest pays', async () => {
  const made = await quoted(world, 1_000);
  await world.pay(made.quote, -700_000n);
  await world.look();
  expect(await statusOf(made)).toBe('tx_mismatch');
  expect(await readMissing(world.deps, made.merchant, made.receiptId)).toEqual({
    ...{ usd: '0.7', token: 'USDC', amount: '700000', display: '0.7' },
  });
  const rest = await quoteIn(made, 'USDC');
  expect([rest.payTo, rest.amount]).toEqual([made.quote.payTo, '700000']);
  await world.pay(rest);
  await confirmed();
  expect(await statusOf(made)).toBe('paid');
  expect((await world.history(made.merchant, made.receiptId)).at(-1)!.detail).not.toHaveProperty('surplusUsd');
});

test('underpaid without a quote: the rest is in a token that counts as US dollars, not in the first', async () => {
  const made = await quoted(world, 1_000);
  await world.pay(made.quote, -700_000n);
  await world.look();
  await world.deps.db.orm.em.fork().execute('delete from quotes where receipt_id = ?', [made.receiptId]);
  const { chain } = world.deps;
  const coinsFirst = {
    ...chain,
    tokens: [...chain.tokens].sort((a, b) => (a.address ?? '').localeCompare(b.address ?? '')),
  };
  const deps = { ...world.deps, chain: coinsFirst, chains: [coinsFirst] };
  expect(deps.chain.tokens[0]!.symbol).toBe('ETH');
  expect(await readMissing(deps, made.merchant, made.receiptId)).toMatchObject({ token: 'USDC', display: '0.7' });
  const coins = { ...chain, tokens: chain.tokens.filter(({ address }) => address === null) };
  expect(await readMissing({ ...deps, chain: coins, chains: [coins] }, made.merchant, made.receiptId)).toBeNull();
});

test('underpaid: parts in two tokens add up', async () => {
  const made = await quoted(world, 1_000);
  await world.pay({ ...made.quote, amount: '4000000' });
  await world.look();
  await world.pay(await quoteIn(made, 'USDT'));
  await confirmed();
  expect(await world.read(made.merchant, made.receiptId)).toMatchObject({ status: 'paid', paidToken: 'USDT' });
});

test('overpaid: more than the total is paid, and the surplus is noted', async () => {
  const made = await quoted(world, 1_000);
  await world.pay(made.quote, 250_000n);
  await confirmed();
  expect((await world.history(made.merchant, made.receiptId)).at(-1)).toMatchObject({
    what: 'status:paid',
    detail: { surplusUsd: '0.25' },
  });
});

test('overpaid: an amount beyond every number of cents is paid, and holds up no other payment', async () => {
  const [huge, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  await world.pay(huge.quote, 2n ** 200n);
  await world.pay(other.quote);
  await confirmed();
  for (const one of [huge, other]) expect(await statusOf(one)).toBe('paid');
});

test('paid twice: a second payment is a duplicate of its receipt', async () => {
  const made = await quoted(world, 1_000);
  await world.pay(made.quote);
  await confirmed();
  await world.pay(made.quote);
  await world.look();
  expect(await statusOf(made)).toBe('paid');
  expect(await rowsOf(listUnmatched(world.deps, made.merchant))).toMatchObject([
    { reason: 'duplicate', candidates: [{ receiptId: made.receiptId, status: 'paid' }] },
  ]);
});

test('late: a stablecoin payment of an old link counts at any time', async () => {
  for (const days of [3, 60, 400]) {
    const { wallet: merchant } = await world.merchant();
    const receiptId = await world.receipt(merchant, 1_000);
    const then = { ...world.deps, clock: () => Date.now() - days * 86_400_000 };
    await world.pay(await quotePayment(then, { merchant, receiptId, token: 'USDT' }));
    await confirmed();
    expect(await statusOf({ merchant, receiptId })).toBe('paid');
  }
});

const anHourAgo = () => ({ ...world.deps, clock: () => Date.now() - 3_600_000 });

test('late: ether after its quote has expired counts at the current price if no other is known', async () => {
  const merchant = await merchantWithEther(world);
  const [short, enough] = [await world.receipt(merchant, 10_000), await world.receipt(merchant, 10_000)];
  const quoteShort = await quotePayment(anHourAgo(), { merchant, receiptId: short, token: 'ETH' });
  const quoteEnough = await quotePayment(anHourAgo(), { merchant, receiptId: enough, token: 'ETH' });
  world.rates.set('ETH', '2480');
  await world.pay(quoteShort);
  await world.look();
  expect(await world.status(merchant, short)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, short))!.usd)).toBeCloseTo(20, 1);
  world.rates.set('ETH', '3200');
  await world.pay(quoteEnough);
  await world.look();
  expect(await world.status(merchant, enough)).toBe('tx_mined');
  world.rates.set('ETH', '3100');
});

/** Stores the price of ether from a time on. */
const etherWas = (usdPerUnit: string, quotedAt: number) =>
  world.deps.db.orm.em
    .fork()
    .execute(`insert into rate_history (currency, quoted_at, provider, usd_per_unit) values ('ETH', ?, 'static', ?)`, [
      quotedAt,
      usdPerUnit,
    ]);

test("late: ether after its quote has expired counts at the price at its block's time, whenever it is found or assigned", async () => {
  const merchant = await merchantWithEther(world);
  const [first, second] = [await world.receipt(merchant, 10_000), await world.receipt(merchant, 20_000)];
  const quote = await quotePayment(anHourAgo(), { merchant, receiptId: first, token: 'ETH' });
  await quotePayment(anHourAgo(), { merchant, receiptId: second, token: 'ETH' });
  await world.pay(quote);
  const straight = await world.pay({ ...quote, payTo: await world.splitOf(merchant) });
  const { timestamp } = await world.chain.client.getBlock();
  const blockTime = Number(timestamp) * 1000;
  await etherWas('3300', blockTime - 3_600_000);
  await etherWas('2480', blockTime - 60_000);
  await etherWas('9999', blockTime + 1);
  world.rates.set('ETH', '9999');
  await world.look();
  expect(await world.status(merchant, first)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, first))!.usd)).toBeCloseTo(20, 1);

  await assignTransfer(world.deps, { merchant, receiptId: second, transactionHash: straight, by: merchant });
  expect(await world.status(merchant, second)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, second))!.usd)).toBeCloseTo(120, 1);
  world.rates.set('ETH', '3100');
});
