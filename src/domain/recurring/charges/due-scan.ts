import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { COLLECTIBLE } from '../subscriptions/lifecycle.ts';

type Chosen = SelectQueryBuilder<Database, 'Subscription', { merchant: Wallet; id: string }>;

/**
 * The data that charging needs of the subscriptions that `choose` selects, with the merchant's current split. They are
 * chosen first, from an index, so that only their rows are joined.
 */
const toCharge = (db: Kysely<Database>, choose: (subscriptions: Chosen) => Chosen) =>
  db
    .with(
      (cte) => cte('page').materialized(),
      (of) => choose(of.selectFrom('Subscription').select(['merchant', 'id'])),
    )
    .selectFrom('page')
    .innerJoin('Subscription as s', (on) => on.onRef('s.merchant', '=', 'page.merchant').onRef('s.id', '=', 'page.id'))
    .innerJoin('Merchant as m', 'm.wallet', 's.merchant')
    .innerJoin('Plan as p', (on) => on.onRef('p.merchant', '=', 's.merchant').onRef('p.id', '=', 's.planId'))
    .leftJoin('Split as x', (on) =>
      on.onRef('x.merchant', '=', 's.merchant').onRef('x.chainId', '=', 's.chainId').on('x.replacedAt', 'is', null),
    )
    .select([
      's.merchant',
      's.id',
      's.customer',
      's.chainId',
      's.priceCents',
      's.token',
      's.permission',
      's.permissionHash',
      's.sealedSignature',
      's.status',
      's.language',
      's.nextChargeAt',
      's.chargeCount',
      'p.name as planName',
      'm.suspendedAt',
      sql<string>`coalesce(${sql.ref('m.shop')} ->> 'name', ${sql.ref('m.name')})`.as('brandName'),
      'x.address as split',
    ])
    .select((eb) =>
      eb
        .selectFrom('PaymentPause as z')
        .select(sql<string[] | null>`array_agg(z.token)`.as('tokens'))
        .whereRef('z.chainId', '=', 's.chainId')
        .as('paused'),
    )
    .orderBy('s.nextChargeAt')
    .orderBy('s.id');
const computed = { brandName: 'text', paused: 'text[]' } as const;

interface Page {
  chainId: number;
  headMs: number;
  /** The last subscription of the page before. */
  afterMs: number;
  afterId: string;
  size: number;
}

const DUE = query(
  'subscriptions-due',
  (db, $: Page) =>
    toCharge(db, (subscriptions) =>
      subscriptions
        .where('status', 'in', COLLECTIBLE)
        .where('chainId', '=', $.chainId)
        .where('nextChargeAt', '<=', $.headMs)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('nextChargeAt', 'id'), '>', tuple($.afterMs, $.afterId)))
        .orderBy('nextChargeAt')
        .orderBy('id')
        .limit($.size),
    ),
  { computed },
);
const BY_ID = query(
  'subscription-to-charge',
  (db, $: { id: string }) => toCharge(db, (subscriptions) => subscriptions.where('id', '=', $.id)),
  { computed },
);

/**
 * The data of a subscription that charging needs. Times in epoch ms. `split` is null if none is configured. `paused`
 * are the tokens of its chain that the operator has paused; null: none.
 */
export type DueSubscription = Readonly<RowOf<typeof BY_ID>>;

/**
 * Iterates over the subscriptions that are due at `headMs` (epoch ms of a block), each once.
 *
 * @returns a function that reads the next page; an empty page is the end
 */
export function createDueScan(db: Db, chain: Chain, headMs: number, size: number) {
  let after = { afterMs: -1, afterId: '' };
  return async (): Promise<DueSubscription[]> => {
    const page = await db.run(DUE, { chainId: chain.chainId, headMs, size, ...after });
    const last = page.at(-1);
    if (last) after = { afterMs: last.nextChargeAt!, afterId: last.id };
    return page;
  };
}

/** One subscription with the data that charging needs; null if it does not exist. */
export async function findToCharge(db: Db, id: string): Promise<DueSubscription | null> {
  const [found] = await db.run(BY_ID, { id });
  return found ?? null;
}
