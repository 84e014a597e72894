import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { voidReceipt } from '../../sales/receipts/end.ts';
import { renewReceipt } from '../../sales/receipts/renew.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { acceptPayment } from '../transfers/accept-payment.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { merchantWithEther, payPart, quoted, storedTransfer } from './quoted.ts';
import { expire, setTerms } from './terms.ts';
import { openWorld, type World } from './world.ts';

// Money for receipts that have expired, were voided or renewed, in full and in parts.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;
const whats = async (merchant: Wallet, id: string) => (await world.history(merchant, id)).map(({ what }) => what);

/** Mines past full depth and lets the watcher confirm the transfers. */
async function confirm(): Promise<void> {
  await world.mine(3);
  await world.look();
}

describe('an expired receipt', () => {
  test('is paid by money of the next 24 hours', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await expire(world, merchant, receiptId, 23 * HOUR_MS);
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'failed', closedAt: expect.any(Number) });
    await world.pay(quote);
    await world.look();
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', closedAt: null });
    await confirm();
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', closedAt: expect.any(Number) });
    const history = await world.history(merchant, receiptId);
    expect(history.map(({ what }) => what)).toEqual([
      ...['status:pending', 'status:failed', 'status:tx_mined', 'status:paid'],
    ]);
    expect(history[2]!.detail).toMatchObject({ late: true });
    expect(history[3]!.detail).not.toHaveProperty('surplusUsd');
  });

  test('is not paid by later money, which is listed with it until the merchant assigns it', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await expire(world, merchant, receiptId, 25 * HOUR_MS);
    const transactionHash = await world.pay(quote);
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('failed');
    expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([
      expect.objectContaining({
        ...{ transactionHash, reason: 'late', candidates: [{ receiptId, status: 'failed', totalCents: 1_000 }] },
      }),
    ]);
    expect((await world.history(merchant, receiptId)).at(-1)).toMatchObject({
      ...{ what: 'note:transfer_unmatched', detail: { transactionHash, reason: 'late' } },
    });
    await assignTransfer(world.deps, { merchant, transactionHash, receiptId, by: merchant });
    await world.look();
    expect(await world.status(merchant, receiptId)).toBe('paid');
    expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
  });

  test('takes money for as long as its merchant says, and money from before its end always', async () => {
    const none = await quoted(world, 1_000);
    await setTerms(world, none.merchant, { lateHours: 0 });
    await expire(world, none.merchant, none.receiptId, 5_000);
    await world.pay(none.quote);
    const long = await quoted(world, 1_000);
    await setTerms(world, long.merchant, { lateHours: 720 });
    await expire(world, long.merchant, long.receiptId, 719 * HOUR_MS);
    await world.pay(long.quote);
    const early = await quoted(world, 1_000);
    await setTerms(world, early.merchant, { lateHours: 0 });
    await world.pay(early.quote);
    await expire(world, early.merchant, early.receiptId, 0);
    await confirm();
    expect(await world.status(none.merchant, none.receiptId)).toBe('failed');
    expect(await rowsOf(listUnmatched(world.deps, none.merchant))).toMatchObject([{ reason: 'late' }]);
    expect(await world.status(long.merchant, long.receiptId)).toBe('paid');
    expect(await world.status(early.merchant, early.receiptId)).toBe('paid');
  });

  test('takes a coin at the rate of its block, although its quote is still valid', async () => {
    const merchant = await merchantWithEther(world);
    const receiptId = await world.receipt(merchant, 10_000);
    const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'ETH' });
    await expire(world, merchant, receiptId, HOUR_MS);
    world.rates.set('ETH', '2480');
    await world.pay(quote);
    const { timestamp } = await world.chain.client.getBlock();
    await world.deps.db.orm.em
      .fork()
      .execute(
        `insert into rate_history (currency, quoted_at, provider, usd_per_unit) values ('ETH', ?, 'static', '2480')`,
        [Number(timestamp) * 1_000],
      );
    await world.look();
    expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
    expect(Number((await readMissing(world.deps, merchant, receiptId))!.usd)).toBeCloseTo(20, 1);
    world.rates.set('ETH', '3100');
  });

  test('waits for the rest after a late part, and the rest pays it', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await expire(world, merchant, receiptId, HOUR_MS);
    await payPart(world, { quote }, '4000000');
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mismatch', closedAt: null });
    const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDT' });
    await world.pay(rest);
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
  });

  test('waits for one more hour if a reorganisation takes late money back, and is paid by it again', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await expire(world, merchant, receiptId, HOUR_MS);
    const hash = await world.pay(quote);
    await world.look();
    await revertTransfer(world.deps, await storedTransfer(world, hash));
    const { status, closedAt, expiresAt } = await world.read(merchant, receiptId);
    expect([status, closedAt, expiresAt! > Date.now()]).toEqual(['pending', null, true]);
    await world.pay(quote);
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
  });
});

describe('partial payments', () => {
  test('several transfers reach the total together, the last of them as late as the merchant accepts money', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    for (const amount of ['3000000', '3000000']) await payPart(world, { quote }, amount);
    await expire(world, merchant, receiptId, 23 * HOUR_MS);
    expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
    expect(await readMissing(world.deps, merchant, receiptId)).toMatchObject({ token: 'USDC' });
    await world.pay(await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }));
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
  });

  /** A receipt of ten euros, quoted at one rate and renewed at another. */
  async function renewed(before: string, after: string) {
    const { wallet: merchant } = await world.merchant();
    const cents = Number(before) * 1_000;
    const receiptId = await world.receipt(merchant, cents, {
      currency: 'EUR',
      pricing: {
        ...{ version: 1, currency: 'EUR', usdPerUnit: before, quotedAt: Date.now(), provider: 'static' },
        originalTotalCents: 1_000,
        originalLineItems: [{ label: 'Thing', amountCents: 1_000 }],
      },
    });
    const old = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
    await expire(world, merchant, receiptId, HOUR_MS);
    world.rates.set('EUR', after);
    await renewReceipt(world.deps, { merchant, receiptId, byMerchant: true }, `wallet:${merchant}`);
    return { merchant, receiptId, old };
  }

  test('the old amount of a receipt that was renewed at a higher price is a part of the new one', async () => {
    const { merchant, receiptId, old } = await renewed('1', '1.2');
    await world.pay(old);
    await world.look();
    expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
    const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
    expect(Number(rest.display)).toBeCloseTo(2, 1);
    await world.pay(rest);
    await confirm();
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', totalCents: 1_200 });
  });

  test('after a renewal at a lower price the new price is due, and the old amount leaves a surplus', async () => {
    const { merchant, receiptId, old } = await renewed('1.2', '1');
    await world.pay(old);
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
    const { surplusUsd } = (await world.history(merchant, receiptId)).at(-1)!.detail as { surplusUsd: string };
    expect(Number(surplusUsd)).toBeCloseTo(2, 1);
    const other = await renewed('1.2', '1');
    await payPart(world, { quote: other.old }, '10000000');
    await confirm();
    expect(await world.status(other.merchant, other.receiptId)).toBe('paid');
  });
});

describe('a voided receipt', () => {
  test('takes no money by itself; the merchant assigns it', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await voidReceipt(world.deps, merchant, receiptId, `wallet:${merchant}`);
    const transactionHash = await world.pay(quote);
    const dust = await payPart(world, { quote }, '7');
    expect(await world.status(merchant, receiptId)).toBe('failed');
    const candidates = [{ receiptId, status: 'failed', totalCents: 1_000 }];
    expect(await rowsOf(listUnmatched(world.deps, merchant, { includeDust: true }))).toMatchObject([
      { transactionHash: dust, reason: 'late', candidates },
      { transactionHash, reason: 'late', candidates },
    ]);
    await assignTransfer(world.deps, { merchant, transactionHash, receiptId, by: merchant });
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
  });

  test('with a part of its money may be accepted', async () => {
    const { merchant, receiptId, quote } = await quoted(world, 1_000);
    await payPart(world, { quote }, '4000000');
    await voidReceipt(world.deps, merchant, receiptId, `wallet:${merchant}`);
    await acceptPayment(world.deps, merchant, receiptId, `wallet:${merchant}`);
    await confirm();
    expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', acceptedUsd: '6' });
    expect(await whats(merchant, receiptId)).toEqual([
      ...['status:pending', 'status:tx_mismatch', 'status:failed'],
      ...['status:tx_mined', 'note:accepted_difference', 'status:paid'],
    ]);
  });
});
