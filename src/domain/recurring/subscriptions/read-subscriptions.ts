import { type Kysely, sql } from 'kysely';
import type { Hash } from 'viem';
import { type Caller, may, requireAlso, seesBuyers } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { folded, query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { maySee } from '../plans/read-plans.ts';
import type { SubscriptionStatus } from './lifecycle.ts';
import type { Subscription } from './subscription.entity.ts';
import type { SubscriptionList } from './subscription.input.ts';
import { permissionEndMs } from './terms.ts';

/** The columns of a `SubscriptionRecord`; `nextChargeIn` adds the time of the next charge. */
export const RECORD_COLUMNS = [
  'merchant',
  'id',
  'planId',
  'customer',
  'priceCents',
  'period',
  'chainId',
  'token',
  'permission',
  'permissionHash',
  'status',
  'lastChargedAt',
  'chargeCount',
  'totalChargedCents',
  'lastFailure',
  'language',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Subscription)[];

/**
 * When the next charge is due, epoch ms; null if no further charge follows. A subscription that is only waiting for its
 * permission to end is not charged again. `table` is the name of the subscription's table in the query.
 */
export const nextChargeIn = (table: string) =>
  sql<number | null>`nullif(${sql.ref(`${table}.nextChargeAt`)}, ${permissionEndMs(table)})`.as('nextChargeAt');

const computed = { nextChargeAt: 'int8' } as const;

const recordsIn = (db: Kysely<Database>) =>
  db.selectFrom('Subscription').select(RECORD_COLUMNS).select(nextChargeIn('Subscription'));

const BY_ID = query('subscription-by-id', (db, $: { id: string }) => recordsIn(db).where('id', '=', $.id), {
  computed,
});
const BY_PERMISSION = query(
  'subscription-by-permission',
  (db, $: { hash: Hash }) => recordsIn(db).where('permissionHash', '=', $.hash),
  { computed },
);

const EMAILS = query('subscription-emails', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('Subscription')
    .select(['id', 'email'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', (eb) => eb.fn.any(eb.val($.ids))),
);

/** The addresses of subscribers, in the order of the subscriptions; null: none. */
export async function readEmails(db: Db, merchant: Wallet, ids: readonly string[]): Promise<(string | null)[]> {
  const emails = new Map((await db.run(EMAILS, { merchant, ids })).map(({ id, email }) => [id, email]));
  return ids.map((id) => emails.get(id) ?? null);
}

type Side = SubscriptionList['of'];

/** By page number, for `GET /api/subscriptions/status`. */
const pageOf = (of: Side) =>
  query(
    `subscriptions-of-${of}`,
    (db, $: { wallet: Wallet; limit: number; offset: number }) =>
      recordsIn(db)
        .where(of, '=', $.wallet)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit($.limit)
        .offset($.offset),
    { computed },
  );
const PAGES = { customer: pageOf('customer'), merchant: pageOf('merchant') };

/** What a list of subscriptions is limited to. */
export interface SubscriptionFilter {
  readonly planId?: string | undefined;
  readonly status?: SubscriptionStatus | undefined;
  /** A part of the customer's e-mail address or wallet. */
  readonly q?: string | undefined;
}

interface ListConditions extends Required<SubscriptionFilter> {
  readonly wallet: Wallet;
}

const LIMITS = ['planId', 'status', 'q'] as const;

/** A list with some of the limits. */
const listOf = (of: Side, by: readonly string[]) =>
  keysetList(`subscriptions ${[of, ...by].join(' ')}`, {
    order: {
      name: `subscriptions ${of}`,
      direction: 'desc',
      keys: [
        { name: 'createdAt', type: 'int8' },
        { name: 'id', type: 'text' },
      ],
    },
    from: (db, $: ListConditions) =>
      db
        .selectFrom('Subscription')
        .where(of, '=', $.wallet)
        .$if(by.includes('planId'), (rows) => rows.where('planId', '=', $.planId!))
        .$if(by.includes('status'), (rows) => rows.where('status', '=', $.status!))
        .$if(by.includes('q'), (rows) =>
          rows.where(
            ({ ref }) => sql<boolean>`(strpos(${folded(ref('email'))}, ${folded(sql`${$.q}::text`)}) > 0
              or strpos(${ref('customer')}, lower(${$.q}::text)) > 0)`,
          ),
        ),
    select: (rows) => rows.select(RECORD_COLUMNS).select(nextChargeIn('Subscription')),
    computed,
    slow: by.includes('q'),
  });
/** The lists of a side by the limits that they have, each of which is a bit. */
const listsOf = (of: Side) =>
  Array.from({ length: 2 ** LIMITS.length }, (_, bits) =>
    listOf(
      of,
      LIMITS.filter((_limit, n) => bits & (1 << n)),
    ),
  );
const LISTS = { customer: listsOf('customer'), merchant: listsOf('merchant') };

/** A customer's recurring payment for a plan. Money in cents, times in epoch ms. */
export type SubscriptionRecord = Readonly<RowOf<typeof BY_ID>>;

type Runner = Pick<Deps['db'], 'run'> | Pick<UnitOfWork, 'run'>;

/** The subscription with this id, of any merchant; null if it does not exist. */
export async function findSubscription(runner: Runner, id: string): Promise<SubscriptionRecord | null> {
  const [subscription] = await runner.run(BY_ID, { id });
  return subscription ?? null;
}

/** The subscription that uses this permission; null if there is none. */
export async function findByPermission(runner: Runner, hash: Hash): Promise<SubscriptionRecord | null> {
  const [subscription] = await runner.run(BY_PERMISSION, { hash });
  return subscription ?? null;
}

/**
 * The subscription with this id. Visible to its merchant's keys, its plan's page and any session; refuses other callers
 * with `not_found`.
 */
export async function requireSubscription(db: Db, caller: Caller, id: string): Promise<SubscriptionRecord> {
  const found = await findSubscription(db, id);
  if (!found || !maySee(caller, { merchant: found.merchant, id: found.planId }))
    throw refuse('not_found', 'Subscription not found');
  return found;
}

/**
 * A customer's or a merchant's subscriptions, newest first. Only for that customer, for members of that merchant with
 * `receipts:read`, for its keys and for platform admins; refuses other callers with `forbidden`. A search is only for
 * those who may read who bought from the merchant.
 */
export function listSubscriptions(
  db: Db,
  caller: Caller,
  { of, wallet }: Pick<SubscriptionList, 'of' | 'wallet'>,
  filter: SubscriptionFilter = {},
): Listing<SubscriptionRecord> {
  requireActor(caller, of, wallet);
  if (filter.q !== undefined) {
    requireAlso(caller, 'receipts:read', 'receipts:read');
    if (of === 'customer' || !seesBuyers(caller, wallet)) throw forbid('wallet_not_own');
  }
  const bits = LIMITS.reduce((sum, limit, n) => sum + (filter[limit] === undefined ? 0 : 1 << n), 0);
  return listing(db, LISTS[of][bits]!, { wallet, ...filter } as ListConditions, wallet);
}

/** A page of these subscriptions by its number. Refuses as `listSubscriptions`. */
export async function readSubscriptionPage(
  db: Db,
  caller: Caller,
  { of, ...page }: SubscriptionList,
): Promise<SubscriptionRecord[]> {
  requireActor(caller, of, page.wallet);
  return db.run(PAGES[of], page);
}

function requireActor(caller: Caller, of: Side, wallet: Wallet): void {
  if (!actsFor(caller, of, wallet)) throw forbid('wallet_not_own');
}

function actsFor(caller: Caller, of: Side, wallet: Wallet): boolean {
  if (caller.kind === 'developer') return caller.merchant === wallet;
  if (caller.kind !== 'session') return false;
  if (caller.platformAdmin) return true;
  return of === 'customer' ? caller.wallet === wallet : caller.merchant === wallet && may(caller, 'receipts:read');
}
