import { sql } from 'kysely';
import { type Caller, isStranger } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { isNewcomer } from '../../shop/merchants/newcomer.ts';

const DAY_MS = 86_400_000;
/** How long a reading is used. Meanwhile strangers store at most what their rate limits allow. */
const FRESH_MS = 5_000;

/** The first reading of a day is what the day is compared with. */
const GROWTH = query(
  'storage-growth',
  (_db, $: { day: number }) => sql<{ grown: number }>`
    with size as (select pg_database_size(current_database()) as bytes),
    begun as (insert into storage_days (day, bytes) select ${$.day}::int4, bytes from size on conflict do nothing)
    select (s.bytes - coalesce(d.bytes, s.bytes))::int8 as grown
      from size s left join storage_days d on d.day = ${$.day}::int4`,
  { computed: { grown: 'int8' }, slow: true },
);

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** How much the database has grown since it was first read on this UTC day, in bytes. */
async function readGrowth(db: Db, day: number): Promise<number> {
  const [read] = await db.run(GROWTH, { day });
  return read!.grown;
}

interface Reading {
  readonly day: number;
  readonly until: number;
  readonly grown: Promise<number>;
}

const readingOf = keptBy('growth of the storage', (_db: Db) => ({ last: null as Reading | null }));

/** The growth of this day, read at most every few seconds. */
function recentGrowth(db: Db, now: number): Promise<number> {
  const kept = readingOf(db);
  const { last } = kept;
  const day = dayOf(now);
  if (last && last.day === day && performance.now() < last.until) return last.grown;
  const grown = readGrowth(db, day);
  kept.last = { day, until: performance.now() + FRESH_MS, grown };
  return grown;
}

/**
 * What strangers may always do: it signs in and out, takes rights back, deletes, or records what happened to money.
 * Each has a limit of its own, or needs something that exists, so that it cannot be repeated without limit.
 */
export const ALWAYS_OPEN: ReadonlySet<string> = new Set([
  ...[
    'registerMerchant',
    'acceptInvitation',
    'login',
    'loginChallenge',
    'logout',
    'confirmChallenge',
    'confirmSession',
    'switchMerchant',
  ],
  ...[
    'endSession',
    'endAllSessions',
    'revokeKey',
    'revokeInvitation',
    'removeMember',
    'leaveMerchant',
    'unfollow',
    'heartbeat',
  ],
  ...['deleteInventoryItem', 'deleteJurisdiction', 'deleteWebhookEndpoint', 'deactivatePlan', 'eraseBuyer'],
  ...[
    'voidReceipt',
    'voidReceipts',
    'acceptPayment',
    'assignTransfer',
    'refundReceipt',
    'declineRefund',
    'releasePayouts',
  ],
  ...['cancelSubscription', 'endSubscription'],
]);

/**
 * Refuses a mutation of a stranger, or of a subscriber of a newcomer, with `storage_limit_reached` (and `resetAt`,
 * epoch ms) once the database has grown by `NEWCOMER_STORAGE_MB_PER_DAY` on this UTC day, whatever it stores: no number
 * of merchants that strangers register fills the disk. Admitted merchants are never refused.
 *
 * @param fields the root fields of the mutation
 */
export async function requireRoom(deps: BudgetDeps, caller: Caller, fields: readonly string[]): Promise<void> {
  if (!(caller.kind === 'subscriber' || isStranger(caller)) || fields.every((field) => ALWAYS_OPEN.has(field))) return;
  if (caller.kind === 'subscriber') return requireRoomAt(deps, caller.merchant);
  if (await isFull(deps)) throw full(deps.clock());
}

/** The same for what a buyer stores at a merchant, if that is a newcomer. */
export async function requireRoomAt(deps: BudgetDeps, merchant: Wallet): Promise<void> {
  if ((await isFull(deps)) && (await isNewcomer(deps.db, merchant))) throw full(deps.clock());
}

type BudgetDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

/** Whether what newcomers may store together on this day is used up. */
async function isFull({ db, clock, settings }: BudgetDeps): Promise<boolean> {
  const { newcomerStoragePerDay: limit } = settings;
  return limit !== null && (await recentGrowth(db, clock())) >= limit;
}

const full = (now: number) => refuse('storage_limit_reached', undefined, { resetAt: (dayOf(now) + 1) * DAY_MS });
