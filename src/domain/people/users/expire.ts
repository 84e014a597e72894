import { type ExpressionBuilder, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { publishPresence } from './presence-state.ts';
import { SILENCE_MS, type UserRecord } from './record.ts';
import { USER_COLUMNS } from './user.entity.ts';

type ExpireDeps = Pick<Deps, 'db' | 'bus' | 'heartbeats' | 'clock'>;

/** A user without a heartbeat counts as never heard. */
const lastHeard = (eb: ExpressionBuilder<Database, 'User'>) => eb.fn.coalesce('lastHeartbeat', sql<number>`0`);

/**
 * Locks each row and checks it again, so that of several concurrent callers only one ends a presence and gets the row
 * back.
 */
const END = query('presence-end', (db, $: { wallets: readonly string[]; before: number }) =>
  db
    .with(
      (cte) => cte('silent').materialized(),
      (cte) =>
        cte
          .selectFrom('User')
          .select('wallet')
          .where('wallet', '=', sql<Wallet>`any(${$.wallets}::text[])`)
          .where('live', '=', true)
          .where((eb) => eb(lastHeard(eb), '<=', $.before))
          .orderBy('wallet')
          .forNoKeyUpdate(),
    )
    .updateTable('User')
    .from('silent')
    .set((eb) => ({ live: false, liveSince: null, version: eb('User.version', '+', 1) }))
    .whereRef('User.wallet', '=', 'silent.wallet')
    .where('User.live', '=', true)
    .where((eb) => eb(eb.fn.coalesce('User.lastHeartbeat', sql<number>`0`), '<=', $.before))
    .returning(USER_COLUMNS.map((column) => `User.${column}` as const)),
);
const STILL_LIVE = query(
  'presence-still-live',
  (db, $: { wallets: readonly string[] }) =>
    db
      .selectFrom('User')
      .select(['wallet', (eb) => lastHeard(eb).as('at')])
      .where('wallet', '=', sql<Wallet>`any(${$.wallets}::text[])`)
      .where('live', '=', true),
  { computed: { at: 'int8' } },
);
const ALL_LIVE = query(
  'presence-all-live',
  (db, _: object) =>
    db
      .selectFrom('User')
      .select(['wallet', (eb) => lastHeard(eb).as('at')])
      .where('live', '=', true),
  { computed: { at: 'int8' } },
);
const OVERDUE = query('presence-overdue', (db, $: { before: number }) =>
  db
    .selectFrom('User')
    .select('wallet')
    .where('live', '=', true)
    .where((eb) => eb(lastHeard(eb), '<=', $.before))
    .limit(2000),
);

type Beat = RowOf<typeof ALL_LIVE>;
const beatsOf = (rows: readonly Beat[]) => rows.map(({ wallet, at }) => ({ member: wallet, at }));

/**
 * Ends the presence of users without a heartbeat since `before`, also according to the database. Returns the users
 * whose presence it ended.
 */
const end = (deps: ExpireDeps, wallets: readonly string[], before: number): Promise<UserRecord[]> =>
  deps.db.run(END, { wallets, before });

/**
 * Ends the presence of users without a heartbeat for two minutes. One process claims each of them. The database row
 * decides, because it may have a heartbeat that Redis missed.
 */
export async function expirePresence(deps: ExpireDeps): Promise<void> {
  const before = deps.clock() - SILENCE_MS;
  const silent = await deps.heartbeats.claimSilent(before);
  if (silent.length === 0) return;
  const ended = await end(deps, silent, before);
  try {
    const heard = await deps.db.run(STILL_LIVE, { wallets: silent });
    const stay = new Set<string>(heard.map(({ wallet }) => wallet));
    // Before the events are published, so that a later heartbeat does not count as one of a live user.
    await deps.heartbeats.forget(silent.filter((wallet) => !stay.has(wallet)));
    await deps.heartbeats.watch(beatsOf(heard));
  } finally {
    publishPresence(deps.bus, ended);
  }
}

/**
 * Ends expired presence according to the database alone, for users that the heartbeat store lacks: users imported as
 * live, and users whose heartbeats ended while Redis was unavailable. `graceMs` is the time a heartbeat may take to
 * reach the database.
 */
export async function expireOverdue(deps: ExpireDeps, graceMs: number): Promise<void> {
  const before = deps.clock() - SILENCE_MS - graceMs;
  const overdue = (await deps.db.run(OVERDUE, { before })).map(({ wallet }) => wallet);
  if (overdue.length === 0) return;
  const heard = await deps.heartbeats.lastHeard(overdue).catch(() => null);
  const silent = overdue.filter((_, i) => (heard?.[i] ?? 0) <= before);
  publishPresence(deps.bus, await end(deps, silent, before));
}

/** Loads the live users and their last heartbeats from the database into the heartbeat store. */
export async function restoreHeartbeats(deps: Pick<Deps, 'db' | 'heartbeats'>): Promise<void> {
  await deps.heartbeats.watch(beatsOf(await deps.db.run(ALL_LIVE, {})));
}
