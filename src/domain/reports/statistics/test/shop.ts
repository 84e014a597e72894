import type pg from 'pg';
import { entities } from '../../../../app/entities.ts';
import { SERVER } from '../../../../base/core/origin.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { createLocalBus } from '../../../../base/platform/bus.ts';
import { readConfig } from '../../../../base/platform/config/config.ts';
import type { Deps, Settings } from '../../../../base/platform/deps.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';
import type { UnitOfWork } from '../../../../base/platform/unit-of-work.ts';
import { bookReceipts, type NewReceipt } from '../../../sales/receipts/book.ts';
import { voidReceipt } from '../../../sales/receipts/end.ts';
import { EXPIRED, isExpired } from '../../../sales/receipts/ended.ts';
import { RECEIPT, type ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../../../sales/receipts/record-change.ts';
import { renewReceipt } from '../../../sales/receipts/renew.ts';
import { staticTable } from '../../../shop/fx/rates.ts';
import { openShop as openMerchants } from '../../receipt-search/test/shop.ts';
import { moneyOnItsWay } from '../../underway/money-on-its-way.ts';

const DAY_MS = 86_400_000;

type ShopDeps = Pick<Deps, 'db' | 'bus' | 'settings' | 'rates' | 'log' | 'clock' | 'origin' | 'moneyOnItsWay'>;

/** A receipt of a shop, by its key. */
export interface Key {
  readonly merchant: Wallet;
  readonly id: string;
}

/** A database with two merchants, and what happens to their receipts. */
export interface Shop {
  readonly deps: ShopDeps;
  /** The time of the shop, epoch ms, and its rate of a euro. Tests change them. */
  now: number;
  usdPerEuro: string;
  /** A connection of its own, for transactions that stay open. */
  connect(): Promise<pg.Client>;
  /** Runs plain SQL. */
  run<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  order(
    key: Key,
    lines: { readonly itemCents: number; readonly feeCents: number; readonly euro: boolean },
  ): Promise<void>;
  /** Moves a receipt to one of the statuses that its status allows; does nothing if there is none. */
  move(key: Key, choice: number): Promise<void>;
  /** Moves it to this status, with what payments set; a payment is `overCents` more than the total. */
  moveTo(key: Key, to: ReceiptStatus, token?: string, overCents?: number): Promise<void>;
  /** Refunds a part of a paid receipt. */
  refund(key: Key, cents: number): Promise<void>;
  void(key: Key): Promise<void>;
  renew(key: Key): Promise<void>;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const { databaseUrl, db, connect, run, close } = await openMerchants();
  const log = createLog('silent');
  const orm = await createOrm(databaseUrl, entities);
  const bus = createLocalBus();
  const settings = { ...readConfig({ NODE_ENV: 'test' }), databaseUrl, databaseSessionUrl: databaseUrl } as Settings;
  const deps: ShopDeps = {
    ...{ orm, db, bus, settings, log, moneyOnItsWay },
    rates: () => staticTable(new Map([['EUR', shop.usdPerEuro]])),
    clock: () => shop.now,
    origin: SERVER,
  };
  const change = (
    key: Key,
    work: (receipt: Receipt, record: (to: ReceiptStatus | null) => Promise<unknown>, uow: UnitOfWork) => unknown,
  ) =>
    deps.db.transaction(async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, key.merchant, key.id);
      const record = (to: ReceiptStatus | null) =>
        recordChange(deps, uow, receipt, to ? { kind: 'status', to } : { kind: 'note', name: 'note' }, {
          actor: 'test',
        });
      await work(receipt, record, uow);
    });
  const shop: Shop = {
    ...{ deps, now: Date.UTC(2026, 0, 30, 22), usdPerEuro: '1.1', connect, run },
    order: (key, { itemCents, feeCents, euro }) =>
      deps.db.transaction((uow) => bookReceipts(uow, [orderOf(key, shop.now, itemCents, feeCents, euro)])),
    move: (key, choice) =>
      change(key, async (receipt, record, uow) => {
        const targets = RECEIPT.moves[receipt.status];
        if (targets.length === 0) return;
        const to = targets[choice % targets.length]!;
        const token = choice % 2 === 0 ? 'USDC' : 'USDT';
        await prepare(uow, receipt, to, { token, overCents: (choice % 3) * 7 - 7, now: shop.now });
        return record(to);
      }),
    moveTo: (key, to, token = 'USDC', overCents = 0) =>
      change(key, async (receipt, record, uow) => {
        await prepare(uow, receipt, to, { token, overCents, now: shop.now });
        return record(to);
      }),
    refund: (key, cents) =>
      change(key, async (receipt, record, uow) => {
        const rest = receipt.totalCents - receipt.refundedCents;
        if ((receipt.status !== 'paid' && receipt.status !== 'completed') || cents >= rest) return;
        await sendBack(uow, receipt, cents, shop.now);
        return record(null);
      }),
    void: ({ merchant, id }) => voidReceipt(deps, merchant, id, 'test').catch(ignoreRefusal),
    renew: async ({ merchant, id }) => {
      const key = { merchant, receiptId: id, byMerchant: true };
      await renewReceipt(deps, key, 'test').catch(ignoreRefusal);
    },
    async close() {
      await Promise.all([orm.close(), bus.close()]);
      await close();
    },
  };
  return shop;
}

/** A receipt that may not be voided or renewed stays as it is. */
function ignoreRefusal(error: { readonly code?: string }): void {
  if (error.code !== 'invalid_input' && error.code !== 'receipt_ended') throw error;
}

interface Payment {
  readonly token: string;
  /** What it is more than the total. */
  readonly overCents: number;
  readonly now: number;
}

/** Sets what payments, refunds and expiry set before the move. */
async function prepare(
  uow: UnitOfWork,
  receipt: Receipt,
  to: ReceiptStatus,
  { token, overCents, now }: Payment,
): Promise<void> {
  if (to === 'tx_mined') {
    await receive(uow, receipt, { token, cents: Math.max(0, receipt.totalCents + overCents), now });
    Object.assign(receipt, { paidToken: token, transactionTimestamp: now });
  }
  if (to === 'tx_mismatch' || to === 'pending') {
    const own = { merchant: receipt.merchant, receiptId: receipt.id };
    await uow.db
      .updateTable('Transfer')
      .set({ canonical: false })
      .where((eb) => eb.and(own))
      .execute();
    receipt.paidToken = null;
  }
  if (to === 'refunded') await sendBack(uow, receipt, receipt.totalCents - receipt.refundedCents, now);
  if (to === 'failed') Object.assign(receipt, { failureCode: EXPIRED, closedAt: now });
  if (to === 'pending' && isExpired(receipt)) receipt.failureCode = null;
}

let transactions = 0;
const newHash = (): `0x${string}` => `0x${String(++transactions).padStart(64, '0')}`;

/** Stores a payment as a fraction of a cent more than its whole cents, as tags of amounts are. */
async function receive(
  { db }: UnitOfWork,
  { merchant, id: receiptId }: Receipt,
  { token, cents, now }: { readonly token: string; readonly cents: number; readonly now: number },
): Promise<void> {
  const hash = newHash();
  await db
    .insertInto('Transfer')
    .values({
      ...{ chainId: 1, blockHash: hash, transactionHash: hash, logIndex: 0, blockNumber: transactions },
      ...{ blockTimeMs: now, token, sender: merchant, payTo: merchant, amount: String(cents * 10_000 + 123) },
      ...{ merchant, receiptId, usd: `${(cents / 100).toFixed(2)}0123`, canonical: true, exact: false, seenAt: now },
    })
    .execute();
}

/** Stores a proven refund. */
async function sendBack({ db }: UnitOfWork, receipt: Receipt, usdCents: number, now: number): Promise<void> {
  const { merchant, id: receiptId } = receipt;
  await db
    .insertInto('RefundTransfer')
    .values({
      ...{ merchant, receiptId, chainId: 1, transactionHash: newHash(), logIndex: 0, token: 'USDC' },
      ...{ sender: merchant, buyer: merchant, amount: String(usdCents * 10_000), usdCents, createdAt: now },
    })
    .execute();
  receipt.refundedCents += usdCents;
}

function orderOf({ merchant, id }: Key, at: number, itemCents: number, feeCents: number, euro: boolean) {
  const totalCents = itemCents + feeCents;
  const fee = { label: 'Processing Fee', priceCents: feeCents };
  return {
    ...{ merchant, id, totalCents, at, origin: 'order', status: 'generated', currency: euro ? 'EUR' : 'USD' },
    lineItems: [
      { label: 'Processing Fee', priceCents: itemCents, itemId: 'an item with this name' },
      ...(feeCents > 0 ? [fee] : []),
    ],
    pricing: euro
      ? {
          ...{ version: 1, currency: 'EUR', usdPerUnit: '1', quotedAt: at, provider: 'static' },
          originalTotalCents: totalCents,
          originalLineItems: [
            { label: 'Thing', amountCents: itemCents },
            ...(feeCents > 0 ? [{ label: 'Processing Fee', amountCents: feeCents }] : []),
          ],
        }
      : null,
    ...{ jurisdictionCode: null, taxRate: null, taxComponents: null, brandName: 'Shop', options: {}, keyId: null },
    ...{ contentDigest: null, lifetimeMs: DAY_MS, expiresAt: at + DAY_MS, chainId: 1, createdBlock: 1, actor: 'test' },
  } satisfies NewReceipt as NewReceipt & { readonly createdBlock: number };
}
