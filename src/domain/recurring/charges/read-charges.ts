import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing, nestedList } from '../../../base/platform/keyset.ts';
import type { RowOf } from '../../../base/platform/postgres/query.ts';
import type { Charge } from './charge.entity.ts';
import type { ChargeStatus } from './lifecycle.ts';

const COLUMNS = [
  'id',
  'subscriptionId',
  'receiptId',
  'periodStart',
  'periodEnd',
  'status',
  'attempt',
  'split',
  'token',
  'amount',
  'amountCents',
  'feeCents',
  'transactionHash',
  'blockTimeMs',
  'failure',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Charge)[];

/** The chain of a charge is that of its subscription. */
const CHAIN_ID = sql<number>`(
  select chain_id from subscriptions
   where (subscriptions.merchant, subscriptions.id) = (charges.merchant, charges.subscription_id)
)`.as('chainId');

/** The charges of each of many subscriptions, the latest period first. */
export const CHARGES_OF_SUBSCRIPTION = nestedList('charges-nested', {
  order: { name: 'charges of a subscription', direction: 'desc', keys: [{ name: 'periodStart', type: 'int8' }] },
  from: (db, owner) => db.selectFrom('Charge').where('subscriptionId', '=', owner),
  select: (charges) => charges.select(COLUMNS).select(CHAIN_ID),
  computed: { chainId: 'int8' },
});

/** A charge as a plain row. Periods in Unix seconds, times in epoch ms. */
export type ChargeRow = Readonly<Omit<RowOf<(typeof CHARGES_OF_SUBSCRIPTION)['pages']['f']>, 'n'>>;

interface Conditions {
  readonly merchant: Wallet;
  readonly state: ChargeStatus;
  readonly createdFrom: number;
  readonly createdTo: number;
}

const listBy = (name: string, hasState: boolean) =>
  keysetList(name, {
    order: {
      name: 'charges',
      direction: 'desc',
      keys: [
        { name: 'createdAt', type: 'int8' },
        { name: 'id', type: 'text' },
      ],
    },
    from: (db, $: Conditions) => {
      const charges = db
        .selectFrom('Charge')
        .where('merchant', '=', $.merchant)
        .where('createdAt', '>=', $.createdFrom)
        .where('createdAt', '<=', $.createdTo);
      return hasState ? charges.where('status', '=', $.state) : charges;
    },
    select: (charges) => charges.select(COLUMNS).select(CHAIN_ID),
    computed: { chainId: 'int8' },
    // A rare state is looked for in all charges of the range.
    slow: hasState,
  });
const LISTS = { all: listBy('charges', false), state: listBy('charges state', true) };

/** Selects charges. Times in epoch ms, inclusive. */
export interface ChargeFilter {
  readonly state?: ChargeStatus | null | undefined;
  readonly createdFrom?: number | null | undefined;
  readonly createdTo?: number | null | undefined;
}

/** The charges of all subscriptions of a merchant, newest first. */
export function listCharges(
  db: Db,
  merchant: Wallet,
  { state, createdFrom, createdTo }: ChargeFilter,
): Listing<ChargeRow> {
  const conditions = {
    merchant,
    state: state as ChargeStatus,
    createdFrom: createdFrom ?? 0,
    createdTo: createdTo ?? Number.MAX_SAFE_INTEGER,
  };
  return listing(db, LISTS[state == null ? 'all' : 'state'], conditions, merchant);
}
