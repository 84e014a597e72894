import { type SelectQueryBuilder, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import type { Source } from '../../../base/platform/live-feed.ts';
import { cursorOfRow, followTransactions, type PagePosition, pageAfter } from '../../../base/platform/ordered-feed.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { BillingAddress } from '../../sales/receipts/receipt.entity.ts';
import { isUncollected } from '../shares/collect.ts';
import { payoutsChannel } from '../shares/compute-owed.ts';
import type { PayoutFilter, PayoutState } from './payout.input.ts';

const COLUMNS = [
  'merchant',
  'receiptId',
  'split',
  'token',
  'payee',
  'chainId',
  'sharesBps',
  'owed',
  'selfRelease',
  'createdAt',
  'dueSince',
  'releaseRequestedAt',
  'settledAt',
  'transactionHash',
] as const;

const COMPUTED = [
  cursorOfRow('SettlementShare').as('cursor'),
  isUncollected('SettlementShare').as('isUncollected'),
  sql<BillingAddress | null>`(select r.billing_address from receipts r
    where r.merchant = ${sql.ref('SettlementShare.merchant')} and r.id = ${sql.ref('SettlementShare.receiptId')})`.as(
    'billingAddress',
  ),
] as const;
const COMPUTED_TYPES = { cursor: 'text', isUncollected: 'bool', billingAddress: 'jsonb' } as const;

const AFTER = query(
  'payouts-after',
  (db, $: PagePosition) =>
    pageAfter(db.selectFrom('SettlementShare').select(COLUMNS).select(COMPUTED), 'SettlementShare', $),
  { computed: { ...COMPUTED_TYPES, settled: 'bool' } },
);

/**
 * One recipient's share of one receipt's payment. `owed` in base units, times in epoch ms. `cursor` is where to resume
 * the stream after this state of it. `isUncollected`: its money is still at the address that received it.
 * `billingAddress`: who bought.
 */
export type Payout = Readonly<Omit<RowOf<typeof AFTER>, 'settled'>>;

interface Conditions {
  readonly merchant: Wallet;
  readonly recipient: Wallet;
  readonly receiptId: string;
  readonly createdFrom: number;
  readonly createdTo: number;
}

type Given = 'recipient' | 'receiptId';

const matching = <DB, TB extends keyof DB, O>(
  shares: SelectQueryBuilder<DB, TB, O>,
  $: Conditions,
  state: PayoutState | null,
  given: readonly Given[],
): SelectQueryBuilder<DB, TB, O> => {
  let found = shares;
  if (state !== null)
    found = found.where(sql<boolean>`settled_at is ${sql.raw(state === 'waiting' ? '' : 'not')} null`);
  if (given.includes('recipient')) found = found.where(sql<boolean>`payee = ${$.recipient}`);
  if (given.includes('receiptId')) found = found.where(sql<boolean>`receipt_id = ${$.receiptId}`);
  return found;
};

/** The list with the given conditions, which are part of its statements. */
const listOf = (state: PayoutState | null, given: readonly Given[]) =>
  keysetList(['payouts', state, ...given].filter(Boolean).join(' '), {
    order: {
      name: 'payouts',
      direction: 'desc',
      keys: [
        { name: 'createdAt', type: 'int8', sql: sql.ref('createdAt') },
        { name: 'receiptId', type: 'text', sql: sql.ref('receiptId') },
        { name: 'split', type: 'text', sql: sql.ref('split') },
        { name: 'token', type: 'text', sql: sql.ref('token') },
        { name: 'payee', type: 'text', sql: sql.ref('payee') },
        { name: 'chainId', type: 'int8', sql: sql.ref('chainId') },
      ],
    },
    from: (db, $: Conditions) =>
      matching(
        db
          .selectFrom('SettlementShare')
          .where('merchant', '=', $.merchant)
          .where('createdAt', '>=', $.createdFrom)
          .where('createdAt', '<=', $.createdTo),
        $,
        state,
        given,
      ),
    select: (shares) => shares.select(COLUMNS).select(COMPUTED),
    computed: COMPUTED_TYPES,
  });

/** The payouts of a merchant, those of the newest payments first. */
export function listPayouts(db: Db, merchant: Wallet, filter: PayoutFilter): Listing<Payout> {
  const { recipient, state, receiptId, createdFrom, createdTo } = filter;
  const given = (['recipient', 'receiptId'] as const).filter((name) => filter[name] != null);
  const conditions = {
    merchant,
    recipient: recipient as Wallet,
    receiptId: receiptId as string,
    createdFrom: createdFrom ?? 0,
    createdTo: createdTo ?? Number.MAX_SAFE_INTEGER,
  };
  return listing(db, listOf(state ?? null, given), conditions, merchant);
}

/**
 * Streams the payouts of a merchant that change, after a cursor or from now on, in order. A payout that changed several
 * times since the cursor arrives once, in its present state.
 */
export const followPayouts = (db: Db, bus: Bus, merchant: Wallet, after: string | null): Promise<Source<Payout>> =>
  followTransactions<Payout>(db, bus, { channel: payoutsChannel(merchant), merchant, after: AFTER }, after);
