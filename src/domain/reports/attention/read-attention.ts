import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { isPausedAt, type Pause, WHOLE_CHAIN } from '../../payments/quotes/pauses.ts';
import { dustBelow, type OpenUnmatched, openUnmatched } from '../../payments/unmatched/unmatched.ts';
import { LOW_STOCK } from '../../shop/catalog/item-filter.ts';
import type { ReadRate } from '../../shop/fx/usd-per-token.ts';
import { type Choice, whyNotChosen } from '../../shop/merchants/chosen-tokens.ts';

/** Counting ends here. The list that a number leads to has all of them. */
export const MOST_COUNTED = 100;
/** The latest deliveries whose failures count: older ones are history. */
export const LATEST_DELIVERIES = 1_000;

/** Numbers of at most `MOST_COUNTED`. */
interface Counts {
  readonly unmatchedTransfers: number;
  readonly receipts: number;
  readonly refunds: number;
  readonly failedDeliveries: number;
  readonly pastDueSubscriptions: number;
  readonly lowStock: number;
}

/** What needs a merchant. */
export interface Attention extends Counts {
  /** No token that the merchant takes is offered: the server does not accept it any more, or pauses it. */
  readonly takesNothing: boolean;
  /** Since when the operator suspends the merchant; null if it does not. */
  readonly suspendedAt: number | null;
}

interface Row extends Counts {
  readonly choice: Choice;
  readonly suspendedAt: number | null;
  readonly pauses: readonly Pick<Pause, 'chainId' | 'token'>[];
}

const counted = (rows: ReturnType<typeof sql>) =>
  sql<number>`(select count(*)::int4 from (select 1 ${rows} limit ${sql.lit(MOST_COUNTED)}) counted)`;

/** Each number reads a bounded part of an index, so that the time does not depend on the number of receipts. */
const ATTENTION = query(
  'attention',
  (db, $: OpenUnmatched) => sql<Row>`select
    ${counted(sql`from (${openUnmatched(db, $).select('t.logIndex')}) unmatched`)}
      as "unmatchedTransfers",
    ${counted(sql`from receipt_search where merchant = ${$.merchant}
      and (attention or mined_since is not null) and attention`)} as "receipts",
    ${counted(sql`from refunds where merchant = ${$.merchant} and state = 'requested'`)} as "refunds",
    ${counted(sql`from (select state from webhook_deliveries where merchant = ${$.merchant}
      order by created_at desc limit ${sql.lit(LATEST_DELIVERIES)}) latest where state = 'failed'`)} as "failedDeliveries",
    ${counted(sql`from subscriptions where merchant = ${$.merchant}
      and status = 'past_due'`)} as "pastDueSubscriptions",
    ${counted(sql`from inventory_items where merchant = ${$.merchant}
      and stock_qty between 0 and ${sql.lit(LOW_STOCK)}`)} as "lowStock",
    (select nullif(shop -> 'paymentTokens', 'null') from merchants where wallet = ${$.merchant}) as "choice",
    (select suspended_at from merchants where wallet = ${$.merchant}) as "suspendedAt",
    (select coalesce(jsonb_agg(jsonb_build_object('chainId', chain_id, 'token', nullif(token, ${sql.lit(WHOLE_CHAIN)}))),
      '[]') from payment_pauses) as "pauses"`,
  {
    computed: {
      ...{ unmatchedTransfers: 'int4', receipts: 'int4', refunds: 'int4', failedDeliveries: 'int4' },
      ...{ pastDueSubscriptions: 'int4', lowStock: 'int4' },
      ...{ choice: 'jsonb', suspendedAt: 'int8', pauses: 'jsonb' },
    },
  },
);

/** What needs a merchant, in one statement. */
export async function readAttention(
  deps: Pick<Deps, 'db' | 'chains'> & { readonly readRate: ReadRate },
  merchant: Wallet,
): Promise<Attention> {
  const [row] = await deps.db.run(ATTENTION, { merchant, ...(await dustBelow(deps)) });
  const { choice, pauses, ...counts } = row!;
  const isOffered = (at: { chainId: number; token: string }) =>
    whyNotChosen(choice, at) === null && !isPausedAt(pauses, at);
  const takesSomething = deps.chains.some(({ chainId, tokens }) =>
    tokens.some(({ symbol: token }) => isOffered({ chainId, token })),
  );
  return { ...counts, takesNothing: !takesSomething };
}
