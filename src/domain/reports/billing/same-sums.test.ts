import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { provable, readAccount } from '../../payments/refunds/account.ts';
import { proveRefund } from '../../payments/refunds/prove.ts';
import { revenueOf } from '../../payments/refunds/revenue.ts';
import { acceptPayment } from '../../payments/transfers/accept-payment.ts';
import { creditTransfer } from '../../payments/transfers/credit.ts';
import { insertTransfer } from '../../payments/transfers/transfers.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import type { ExportDeps } from '../exports/column.ts';
import type { RowsName } from '../exports/export-receipts.ts';
import { exportReceipts } from '../exports/export-receipts.ts';
import { everything, filterOf } from '../exports/test/shop.ts';
import { OTHER, SHOP } from '../receipt-search/test/shop.ts';
import { dayOf } from '../statistics/days.ts';
import { readStatistics } from '../statistics/read-statistics.ts';
import { countAll } from '../statistics/recount.ts';
import { type Key, openShop, type Shop } from '../statistics/test/shop.ts';
import { readUsage } from './usage.ts';

// The same money in statistics, usage and exports: payments in parts, tokens and chains, surplus, accepted shortfalls,
// and refunds in other months.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() =>
  shop.run(`truncate receipts, receipt_history, receipt_followers, receipt_days, receipt_months, counted_receipts,
    transfers, refunds, refund_transfers`),
);

const MONTHS = [0, 1, 2, 3];
const TOKENS = [
  { chainId: 1, symbol: 'USDC', address: null, decimals: 6 },
  { chainId: 1, symbol: 'USDT', address: null, decimals: 6 },
  { chainId: 2, symbol: 'USDC', address: null, decimals: 6 },
];
const timeIn = (month: number, second: number) => Date.UTC(2026, month, 1 + (second % 28)) + second * 1_000;
const monthOf = (at: number) => new Date(at).getUTCMonth();

interface Refund {
  readonly month: number;
  /** Of what can be refunded, in percent. */
  readonly percent: number;
}

interface Life {
  readonly itemCents: number;
  readonly feeCents: number;
  readonly euro: boolean;
  readonly isForeign: boolean;
  readonly created: number;
  readonly paid: number;
  /** Each of a token, in percent of the total. */
  readonly parts: readonly { readonly token: number; readonly percent: number; readonly micros: number }[];
  readonly refundBetween: boolean;
  readonly accepts: boolean;
  readonly refunds: readonly Refund[];
}

const life: fc.Arbitrary<Life> = fc.record({
  itemCents: fc.integer({ min: 1, max: 20_000 }),
  feeCents: fc.integer({ min: 0, max: 300 }),
  euro: fc.boolean(),
  isForeign: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  created: fc.integer({ min: 0, max: 1 }),
  paid: fc.integer({ min: 0, max: 1 }),
  parts: fc.array(
    fc.record({
      token: fc.nat(2),
      percent: fc.constantFrom(30, 50, 50, 99, 100, 100, 110),
      micros: fc.constantFrom(0, 1, 999, 9_999, 10_000),
    }),
    { minLength: 0, maxLength: 3 },
  ),
  refundBetween: fc.boolean(),
  accepts: fc.boolean(),
  refunds: fc.array(fc.record({ month: fc.nat(3), percent: fc.constantFrom(1, 33, 100) }), { maxLength: 3 }),
});

/** What happened to a receipt, written down by the test. */
interface Written {
  readonly key: Key;
  readonly life: Life;
  receivedMicros: bigint;
  readonly refunds: { readonly at: number; readonly cents: number }[];
}

let places = 0;
const newHash = (): `0x${string}` => `0x${(++places).toString(16).padStart(64, '0')}`;
const buyer = `0x${'b'.repeat(40)}` as Wallet;

const on = (key: Key, work: (uow: UnitOfWork, receipt: Receipt) => Promise<unknown>) =>
  shop.deps.db.transaction(async (uow) => {
    await work(uow, await lockReceiptOrRefuse(uow, key.merchant, key.id));
  });

const statusOf = async ({ merchant, id }: Key) =>
  (
    await shop.run<{ status: string }>('select status from receipts where merchant = $1 and id = $2', [merchant, id])
  )[0]!.status;

/** Stores a transfer and credits it. */
function receive(written: Written, { token: which, percent, micros }: Life['parts'][number]): Promise<void> {
  const { chainId, ...token } = TOKENS[which]!;
  return on(written.key, async (uow, receipt) => {
    const value = (BigInt(receipt.totalCents) * BigInt(percent) * 10_000n) / 100n + BigInt(micros);
    if (value === 0n) return;
    const hash = newHash();
    const place = { blockHash: hash, transactionHash: hash, logIndex: 0, blockNumber: BigInt(places) };
    const row = await insertTransfer(
      uow,
      chainId,
      { ...place, blockTimeMs: shop.now, symbol: token.symbol, from: buyer, to: buyer, value } as never,
      { merchant: receipt.merchant, payTo: buyer } as never,
      shop.now,
    );
    await creditTransfer(shop.deps, uow, receipt, row!, {
      token,
      usdPerUnit: '1',
      linkedBy: 'assignment',
    });
    await uow.db.updateTable('Transfer').set({ confirmedAt: shop.now }).where('transactionHash', '=', hash).execute();
    written.receivedMicros += value;
  });
}

/** Sends a part of what is left back, with one transfer or two. */
function sendBack(written: Written, percent: number): Promise<void> {
  return on(written.key, async (uow, receipt) => {
    const account = await readAccount(uow, receipt);
    const usdCents = Math.ceil((provable(account) * percent) / 100);
    const chainId = Number(Object.keys(account.firstBlocks)[0] ?? 0);
    if (usdCents === 0 || receipt.status === 'tx_mined' || receipt.status === 'refunded') return;
    const transactionHash = newHash();
    const half = BigInt(Math.floor(usdCents / 3)) * 10_000n;
    const evidence = [half, BigInt(usdCents) * 10_000n - half]
      .filter((value) => value > 0n)
      .map((value, logIndex) => ({
        ...{ chainId, transactionHash, logIndex, blockNumber: 1e9, token: TOKENS[0]!, sender: receipt.merchant },
        ...{ value, usdPerUnit: '1' },
      }));
    const input = {
      receiptId: receipt.id,
      wallet: receipt.merchant,
      buyer,
      usdCents,
      items: [],
      reason: null,
      note: null,
      txHash: transactionHash,
    };
    await proveRefund(shop.deps, uow, receipt, account, { input: { ...input, chainId }, evidence, actor: 'test' });
    written.refunds.push({ at: shop.now, cents: usdCents });
  });
}

async function live(one: Life, n: number): Promise<Written> {
  const written: Written = {
    ...{ key: { merchant: one.isForeign ? OTHER : SHOP, id: `r${n}` }, life: one },
    ...{ receivedMicros: 0n, refunds: [] },
  };
  const { key } = written;
  shop.now = timeIn(one.created, n * 7_919);
  await shop.order(key, one);
  await shop.moveTo(key, 'pending');
  shop.now = timeIn(one.created + one.paid, n * 7_919 + 90_000);
  for (const [i, part] of one.parts.entries()) {
    if (!['pending', 'tx_mismatch'].includes(await statusOf(key))) break;
    await receive(written, part);
    if (i === 0 && one.refundBetween && (await statusOf(key)) === 'tx_mismatch') await sendBack(written, 33);
  }
  if (one.accepts && (await statusOf(key)) === 'tx_mismatch')
    await acceptPayment({ ...shop.deps, caller: null } as never, key.merchant, key.id, 'test');
  if ((await statusOf(key)) === 'tx_mined') await shop.moveTo(key, 'paid');
  for (const { month, percent } of one.refunds.toSorted((a, b) => a.month - b.month)) {
    shop.now = Math.max(shop.now, timeIn(month, n * 7_919 + 180_000));
    await sendBack(written, percent);
  }
  return written;
}

const FIGURES = [
  ...['gross', 'fees', 'received', 'surplus', 'shortfall', 'refunded', 'refundedRevenue', 'returnedSurplus', 'net'],
  'sentBack',
] as const;
type Sums = Record<string, number>;
const zero = (): Sums => Object.fromEntries(FIGURES.map((name) => [name, 0]));
const cents = (text: string | undefined) => Math.round(Number(text || 0) * 100);

/** The sums by month, as docs/integrate/statistics.md defines them, from what happened. */
async function expected(all: readonly Written[]): Promise<Sums[]> {
  const sums = MONTHS.map(zero);
  const paid = new Map(
    (
      await shop.run<{ id: string; at: string; total: string }>(
        `select id, closed_at as at, total_cents as total from receipts where merchant = $1
            and (status in ('paid', 'completed') or (status = 'refunded' and paid_token is not null))`,
        [SHOP],
      )
    ).map((row) => [row.id, row]),
  );
  for (const { key, life: one, receivedMicros, refunds } of all) {
    if (key.merchant !== SHOP) continue;
    for (const refund of refunds) sums[monthOf(refund.at)]!.sentBack! += refund.cents;
    const row = paid.get(key.id);
    if (!row) continue;
    const of = sums[monthOf(Number(row.at))]!;
    const [total, received] = [Number(row.total), Number(receivedMicros / 10_000n)];
    const refunded = refunds.reduce((sum, refund) => sum + refund.cents, 0);
    const surplus = received > total ? received - total : 0;
    const ofRevenue = refunded > surplus ? refunded - surplus : 0;
    of.gross! += total;
    of.fees! += one.feeCents;
    of.received! += received;
    of.surplus! += surplus;
    of.shortfall! += received < total ? total - received : 0;
    of.refunded! += refunded;
    of.refundedRevenue! += ofRevenue;
    of.returnedSurplus! += refunded - ofRevenue;
    // What the merchant has of its sales: never more than they are.
    of.net! += Math.min(total, received - refunded);
  }
  return sums;
}

async function ofStatistics(): Promise<Sums[]> {
  await countAll(shop.deps.db);
  const days = { from: dayOf('2026-01-01')!, to: dayOf('2026-04-30')! };
  const { periods, total } = await readStatistics(shop.deps.db, SHOP, days, 'MONTH');
  const sums = [...periods, total].map((figures) => {
    const { shortfallCents, refundedRevenueCents, netCents } = revenueOf(figures);
    return {
      ...{ gross: figures.paidCents, fees: figures.feeCents, received: figures.receivedCents },
      ...{ surplus: figures.surplusCents, shortfall: shortfallCents, refunded: figures.refundedCents },
      ...{ refundedRevenue: refundedRevenueCents, returnedSurplus: figures.returnedSurplusCents, net: netCents },
      sentBack: figures.sentBackCents,
    };
  });
  const whole = sums.pop()!;
  for (const name of FIGURES) expect(sums.reduce((all, one) => all + one[name], 0)).toBe(whole[name]);
  return sums;
}

async function rowsOf(rows: RowsName, filter = {}): Promise<Record<string, string>[]> {
  const chains = [1, 2].map((chainId) => ({
    ...{ chainId, finality: [] },
    tokens: TOKENS.filter((token) => token.chainId === chainId),
  }));
  const deps = { db: shop.deps.db, chain: chains[0], chains, clock: () => 1e13 } as unknown as ExportDeps;
  let text = '';
  for await (const part of exportReceipts(deps, everything({ rows, filter: filterOf(filter) }))) text += part.text;
  return parse(text, { columns: true });
}

async function ofExports(): Promise<Sums[]> {
  const sums = MONTHS.map(zero);
  const receipts = await rowsOf('receipts');
  for (const row of receipts.filter(({ paidAt }) => paidAt !== '')) {
    const of = sums[monthOf(Date.parse(row.paidAt!))]!;
    of.gross! += cents(row.totalUsd);
    of.fees! += cents(row.feeUsd);
    of.refunded! += cents(row.refundedUsd);
    of.returnedSurplus! += cents(row.refundedUsd) - cents(row.refundedRevenueUsd);
    for (const name of ['received', 'surplus', 'shortfall', 'refundedRevenue', 'net'])
      of[name]! += cents(row[`${name}Usd`]);
  }
  const payments = Map.groupBy(await rowsOf('payments'), ({ receiptId }) => receiptId);
  for (const { receiptId, receivedUsd, payments: count, paidAmount } of receipts) {
    const own = payments.get(receiptId) ?? [];
    const micros = own.reduce((sum, { countedUsd }) => sum + Math.round(Number(countedUsd) * 1e6), 0);
    expect([receiptId, Math.floor(micros / 10_000), own.length]).toEqual([
      receiptId,
      cents(receivedUsd),
      Number(count),
    ]);
    if (own.length > 1) expect(paidAmount).toBe('');
  }
  for (const [month, of] of sums.entries())
    for (const row of await rowsOf('refunds', {
      ...{ createdFrom: Date.UTC(2026, month), createdTo: Date.UTC(2026, month + 1) - 1 },
    }))
      of.sentBack! += cents(row.amountUsd);
  return sums;
}

test('statistics, usage and exports have the same money in every month, to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 8, maxLength: 16 }), async (lives) => {
      await shop.run(`truncate receipts, receipt_history, receipt_followers, receipt_days, receipt_months,
        counted_receipts, transfers, refunds, refund_transfers`);
      const all: Written[] = [];
      for (const [n, one] of lives.entries()) all.push(await live(one, n));
      const wanted = await expected(all);
      expect(await ofStatistics()).toEqual(wanted);
      expect(await ofExports()).toEqual(wanted);
      for (const month of MONTHS)
        expect(await readUsage(shop.deps.db, shop.deps.clock(), SHOP, { year: 2026, month })).toMatchObject({
          ...{ monthCents: wanted[month]!.gross, feesCents: wanted[month]!.fees },
          orders: all.filter(({ key, life: one }) => key.merchant === SHOP && one.created === month).length,
        });
    }),
    { numRuns: 12 },
  );
});

const plain: Life = {
  ...{ itemCents: 10_000, feeCents: 0, euro: false, isForeign: false, created: 0, paid: 1, parts: [] },
  ...{ refundBetween: false, accepts: false, refunds: [] },
};

test('money that never was revenue and is returned does not lower revenue', async () => {
  const parts = [60, 110].map((percent) => ({ token: 0, percent, micros: 0 }));
  await live({ ...plain, parts, refundBetween: true, refunds: [{ month: 3, percent: 33 }] }, 1);
  const [, february, , april] = await ofStatistics();
  // 170 received for 100; a third of 60 and of 150.20 is returned, all of it surplus.
  expect(february).toMatchObject({ gross: 10_000, received: 17_000, surplus: 7_000, refunded: 6_937 });
  expect(february).toMatchObject({ refundedRevenue: 0, returnedSurplus: 6_937, net: 10_000, sentBack: 1_980 });
  expect(april).toMatchObject({ gross: 0, net: 0, sentBack: 4_957 });
});

test('an accepted shortfall is no revenue', async () => {
  await live({ ...plain, parts: [{ token: 0, percent: 99, micros: 0 }], accepts: true }, 1);
  const [, february] = await ofStatistics();
  expect(february).toMatchObject({ gross: 10_000, received: 9_900, shortfall: 100, surplus: 0, net: 9_900 });
});

test('a receipt of one month that is paid in the next counts once in the usage, in the month of its payment', async () => {
  await live({ ...plain, parts: [{ token: 0, percent: 100, micros: 0 }] }, 1);
  const usage = await Promise.all(
    [0, 1].map((month) => readUsage(shop.deps.db, shop.deps.clock(), SHOP, { year: 2026, month })),
  );
  expect(usage).toMatchObject([
    { monthCents: 0, orders: 1 },
    { monthCents: 10_000, orders: 0 },
  ]);
  shop.now = Date.UTC(2026, 1, 28);
  expect(await readUsage(shop.deps.db, shop.deps.clock(), SHOP)).toMatchObject({ monthCents: 10_000, orders: 0 });
});

test('a refund of another month than its sale is in the export of its own month, in both currencies', async () => {
  const refunds = [33, 33, 100].map((percent, i) => ({ month: i + 1, percent }));
  await live({ ...plain, euro: true, parts: [{ token: 1, percent: 100, micros: 0 }], refunds }, 1);
  await shop.run(`update receipts set total_cents = 10000, pricing = pricing || '{"originalTotalCents": 8765}'`);
  const inMonth = (month: number) =>
    rowsOf('refunds', { createdFrom: Date.UTC(2026, month), createdTo: Date.UTC(2026, month + 1) - 1 });
  expect(await inMonth(0)).toEqual([]);
  const months = await Promise.all([1, 2, 3].map(inMonth));
  expect(months.map((rows) => rows.length)).toEqual([2, 2, 2]);
  const all = months.flat();
  expect(all.reduce((sum, row) => sum + cents(row.amountUsd), 0)).toBe(10_000);
  expect(all.reduce((sum, row) => sum + cents(row.amount), 0)).toBe(8_765);
  for (const row of all) expect(row).toMatchObject({ currency: 'EUR', chainId: '1', token: 'USDC', buyer });
  expect((await rowsOf('refunds')).map(({ refundedAt }) => refundedAt)).toEqual(
    all.map(({ refundedAt }) => refundedAt).toSorted(),
  );
  expect(await rowsOf('refunds', { transactionId: 'other' })).toEqual([]);
});
