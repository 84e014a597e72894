import { type NotNull, sql } from 'kysely';
import type { Currency } from '../../../base/core/amount.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { withDisplay } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { BillingAddress } from '../../sales/receipts/receipt.entity.ts';
import { centsOf, finalUsd, payments } from './account.ts';
import type { RefundState } from './lifecycle.ts';

/** A refund as a plain row. Money in cents, times in epoch ms. */
export type RefundRow = RowOf<typeof REFUNDS>;

/** Whether all proving transfers came from the merchant's own wallet; null if nothing is proven. */
const senderVerified = () => sql<boolean | null>`(
  select bool_and(t.sender = r.merchant) from refund_transfers t
   where t.merchant = r.merchant and t.receipt_id = r.receipt_id and t.transaction_hash = any(r.transaction_hashes))`;

/** A transaction that proves a refund. */
export interface RefundTransaction {
  readonly transactionHash: `0x${string}`;
  readonly chainId: number;
}

/** The proving transactions with their chains, in the order of submission. */
const transactions = () => sql<readonly RefundTransaction[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('transactionHash', p.hash, 'chainId', p.chain)
                            order by array_position(r.transaction_hashes, p.hash), p.chain), '[]')
    from (select distinct t.transaction_hash as hash, t.chain_id as chain from refund_transfers t
           where t.merchant = r.merchant and t.receipt_id = r.receipt_id
             and t.transaction_hash = any(r.transaction_hashes)) p)`;

/** The amount in the currency of the receipt, in its cents: the same part of the total as in US dollars. */
const ownCents = () => sql<number>`(
  select coalesce(round(r.usd_cents::numeric * (o.pricing ->> 'originalTotalCents')::int8 / nullif(o.total_cents, 0)),
                  r.usd_cents)::int8
    from receipts o where o.merchant = r.merchant and o.id = r.receipt_id)`;

const currency = () => sql<Currency>`(
  select coalesce(o.pricing ->> 'currency', 'USD') from receipts o
   where o.merchant = r.merchant and o.id = r.receipt_id)`;

const COLUMNS = [
  'r.receiptId',
  'r.id',
  'r.state',
  'r.usdCents',
  'r.provenCents',
  'r.buyer',
  'r.items',
  'r.reason',
  'r.note',
  'r.transactionHashes',
  'r.actor',
  'r.createdAt',
  'r.refundedAt',
] as const;

/** Who bought, as the receipt names them; null once the buyer was erased. */
const billingAddress = () => sql<BillingAddress | null>`(
  select o.billing_address from receipts o where o.merchant = r.merchant and o.id = r.receipt_id)`;

const COMPUTED = {
  senderVerified: 'bool',
  transactions: 'jsonb',
  ownCents: 'int8',
  currency: 'text',
  billingAddress: 'jsonb',
} as const;

/** What a refund shows beside its own columns. */
const computed = () => [
  senderVerified().as('senderVerified'),
  transactions().as('transactions'),
  ownCents().as('ownCents'),
  currency().as('currency'),
  billingAddress().as('billingAddress'),
];

const REFUNDS = query(
  'refunds-of-receipts',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    db
      .selectFrom('Refund as r')
      .select(COLUMNS)
      .select(computed)
      .where('r.merchant', '=', $.merchant)
      .where('r.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
      .orderBy('r.receiptId')
      .orderBy('r.createdAt')
      .orderBy('r.id'),
  { computed: COMPUTED },
);

const PAID_OF = query(
  'refunds-paid',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    payments(db, $.merchant)
      .where('t.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
      .select(['t.receiptId', finalUsd.as('usd')])
      .groupBy('t.receiptId'),
  { computed: { usd: 'text' } },
);

interface Conditions {
  readonly merchant: Wallet;
  readonly state: RefundState;
  readonly createdFrom: number;
  readonly createdTo: number;
}

const listBy = (name: string, hasState: boolean) =>
  keysetList(name, {
    order: {
      name: 'refunds',
      direction: 'desc',
      keys: [
        { name: 'createdAt', type: 'int8', sql: sql.ref('r.createdAt') },
        { name: 'receiptId', type: 'text', sql: sql.ref('r.receiptId') },
        { name: 'id', type: 'text', sql: sql.ref('r.id') },
      ],
    },
    from: (db, $: Conditions) => {
      const rows = db
        .selectFrom('Refund as r')
        .where('r.merchant', '=', $.merchant)
        .where('r.createdAt', '>=', $.createdFrom)
        .where('r.createdAt', '<=', $.createdTo);
      return hasState ? rows.where('r.state', '=', $.state) : rows;
    },
    select: (rows) => rows.select(COLUMNS).select(computed),
    computed: COMPUTED,
  });
const LISTS = { all: listBy('refunds', false), state: listBy('refunds state', true) };

/** Selects refunds. Times in epoch ms, inclusive. */
export interface RefundFilter {
  readonly state?: RefundState | null | undefined;
  readonly createdFrom?: number | null | undefined;
  readonly createdTo?: number | null | undefined;
}

/** The refunds of a merchant, newest first. */
export function listRefunds(
  db: Db,
  merchant: Wallet,
  { state, createdFrom, createdTo }: RefundFilter = {},
): Listing<RefundRow> {
  const conditions = {
    merchant,
    state: state as RefundState,
    createdFrom: createdFrom ?? 0,
    createdTo: createdTo ?? Number.MAX_SAFE_INTEGER,
  };
  return listing(db, LISTS[state == null ? 'all' : 'state'], conditions, merchant);
}

/** The refunds of each receipt, oldest first; in the order of the receipts. */
export async function readRefundsOf(db: Db, merchant: Wallet, receiptIds: readonly string[]): Promise<RefundRow[][]> {
  const rows = await db.run(REFUNDS, { merchant, receiptIds });
  const refunds = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => refunds.get(id) ?? []);
}

/** The final amount received for each receipt, in whole cents; in the order of the receipts. */
export async function readPaidOf(db: Db, merchant: Wallet, receiptIds: readonly string[]): Promise<number[]> {
  const rows = await db.run(PAID_OF, { merchant, receiptIds });
  const paid = new Map(rows.map(({ receiptId, usd }) => [receiptId, centsOf(usd ?? '0')]));
  return receiptIds.map((id) => paid.get(id) ?? 0);
}

const RECEIVED = query('receipts-received', (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
  payments(db, $.merchant)
    .where('t.receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
    .select(['t.receiptId', 't.chainId', 't.token', 't.amount', 't.transactionHash', 't.logIndex', 't.sender'])
    .select(['t.blockTimeMs', 't.confirmedAt', 't.usd', 't.assignedBy'])
    .orderBy('t.blockTimeMs')
    .orderBy('t.chainId')
    .orderBy('t.blockNumber')
    .orderBy('t.logIndex')
    .$narrowType<{ usd: NotNull }>(),
);

/** A transfer that counts for a receipt. */
export interface Received extends RowOf<typeof RECEIVED> {
  /** The amount in whole tokens, as decimal text; null for a token that the server no longer supports. */
  readonly display: string | null;
}

/** The payments of each receipt, oldest first; in the order of the receipts. */
export async function readReceivedOf(
  deps: Pick<Deps, 'db' | 'chain' | 'chains'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Received[][]> {
  const rows = (await deps.db.run(RECEIVED, { merchant, receiptIds })).map((row) => withDisplay(deps, row));
  const received = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => received.get(id) ?? []);
}
