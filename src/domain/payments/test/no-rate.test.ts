import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QuotedRate } from '../../../base/core/rates.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { AuditEntrySchema } from '../../../base/records/audit/audit-entry.entity.ts';
import { recordRates } from '../../shop/fx/rate-history.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { retryErrors } from '../watching/oversight.ts';
import { scan } from '../watching/scan.ts';
import { merchantWithEther } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// Coins that arrive after their quote while the feed of rates is silent.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;
const admin = `0x${'a'.repeat(40)}` as Wallet;

/** The world with a feed whose last answer is of this time. */
async function feedOf(quotedAt: number, usdPerUnit = '3000') {
  const rate: QuotedRate = { usdPerUnit, quotedAt, provider: 'chainlink' };
  const deps = { ...world.deps, rates: () => new Map([['ETH', rate]]) };
  await recordRates(deps)(deps.rates());
  return { ...deps, readRate: configuredRates(deps) };
}

/** A receipt of 100 dollars whose quote in ETH has ended, and the payment of that quote while the feed is silent. */
async function paidWithoutRate() {
  await world.deps.db.orm.em.getConnection().execute('delete from rate_history');
  const { maxAgeMs } = world.deps.settings.fx;
  const silent = await feedOf(Date.now() - maxAgeMs - HOUR_MS);
  const merchant = await merchantWithEther(world);
  const receiptId = await world.receipt(merchant, 10_000);
  const earlier = { ...world.deps, clock: () => Date.now() - HOUR_MS };
  const quote = await quotePayment(earlier, { merchant, receiptId, token: 'ETH' });
  const transactionHash = await world.pay(quote);
  await scan(silent);
  const unmatched = async () => (await rowsOf(listUnmatched(world.deps, merchant))).map(({ reason }) => reason);
  expect(await unmatched()).toEqual(['no_rate']);
  return { silent, merchant, receiptId, transactionHash, unmatched };
}

test('money without a rate pays its receipt by itself once there is a rate near its time', async () => {
  const { silent, merchant, receiptId, unmatched } = await paidWithoutRate();
  await retryErrors(silent);
  expect(await unmatched()).toEqual(['no_rate']);
  const back = await feedOf(Date.now() + 60_000, '2900');
  await retryErrors(back);
  expect(await unmatched()).toEqual([]);
  expect((await world.read(merchant, receiptId)).status).toMatch(/^tx_mi/);
});

test('a rate that is further from its time than rates may be old pays nothing', async () => {
  const { unmatched } = await paidWithoutRate();
  await retryErrors(await feedOf(Date.now() + world.deps.settings.fx.maxAgeMs + HOUR_MS));
  expect(await unmatched()).toEqual(['no_rate']);
});

test('its merchant assigns it at a stated rate, which history and audit record', async () => {
  const { silent, merchant, receiptId, transactionHash, unmatched } = await paidWithoutRate();
  const assignment = { merchant, transactionHash, receiptId, by: admin };
  await expect(assignTransfer(silent, assignment)).rejects.toMatchObject({ code: 'exchange_rate_unavailable' });
  expect(await unmatched()).toEqual(['no_rate']);
  await assignTransfer(silent, { ...assignment, usdPerToken: '4000' });
  expect(await unmatched()).toEqual([]);
  const receipt = await world.read(merchant, receiptId);
  expect(receipt.status).toBe('tx_mined');
  const history = await world.history(merchant, receiptId);
  expect(history.map(({ detail }) => detail)).toContainEqual(expect.objectContaining({ statedUsdPerToken: '4000' }));
  const [entry] = await world.deps.db.orm.em.fork().find(AuditEntrySchema, { merchant, action: 'payment.assigned' });
  expect(entry!.after).toMatchObject({ usdPerUnit: '4000' });
});

test('a stated rate never replaces a known one', async () => {
  const { merchant, receiptId, transactionHash, unmatched } = await paidWithoutRate();
  const back = await feedOf(Date.now() + 60_000);
  const assignment = { merchant, transactionHash, receiptId, by: admin, usdPerToken: '100000' };
  await expect(assignTransfer(back, assignment)).rejects.toMatchObject({
    ...{ code: 'invalid_input', extra: { field: 'usdPerToken' } },
  });
  expect(await unmatched()).toEqual(['no_rate']);
});
