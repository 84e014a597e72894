import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { publishPresence } from './presence-event.ts';
import { COLUMNS, SILENCE_MS, type UserRecord } from './record.ts';

type ExpireDeps = Pick<Deps, 'sql' | 'bus' | 'heartbeats' | 'clock'>;

/**
 * Locks each row and checks it again, so that of several concurrent callers only one ends a presence and gets the row
 * back.
 */
const END = statement(
  'presence-end',
  `with silent as materialized (
     select wallet from users where wallet = any($1::text[]) and live and coalesce(last_heartbeat, 0) <= $2
      order by wallet for no key update)
   update users u set live = false, live_since = null, version = version + 1
     from silent s where u.wallet = s.wallet and u.live and coalesce(u.last_heartbeat, 0) <= $2
   returning ${COLUMNS.replace(/^wallet/, 'u.wallet')}`,
);
const STILL_LIVE = statement(
  'presence-still-live',
  `select wallet, coalesce(last_heartbeat, 0) as at from users where wallet = any($1::text[]) and live`,
);
const ALL_LIVE = statement(
  'presence-all-live',
  'select wallet, coalesce(last_heartbeat, 0) as at from users where live',
);
const OVERDUE = statement(
  'presence-overdue',
  'select wallet from users where live and coalesce(last_heartbeat, 0) <= $1 limit 2000',
);

interface Beat {
  readonly wallet: Wallet;
  readonly at: number;
}
const beatsOf = (rows: readonly Beat[]) => rows.map(({ wallet, at }) => ({ member: wallet, at }));

/**
 * Ends the presence of users without a heartbeat since `before`, also according to the database. Returns the users
 * whose presence it ended.
 */
const end = ({ sql }: ExpireDeps, wallets: readonly string[], before: number): Promise<UserRecord[]> =>
  sql.rows<UserRecord>(END, [wallets, before]);

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
    const heard = await deps.sql.rows<Beat>(STILL_LIVE, [silent]);
    const stay = new Set<string>(heard.map(({ wallet }) => wallet));
    // Before the events are published, so that a later heartbeat does not count as one of a live user.
    await deps.heartbeats.forget(silent.filter((wallet) => !stay.has(wallet)));
    await deps.heartbeats.watch(beatsOf(heard));
  } finally {
    publishPresence(deps, ended);
  }
}

/**
 * Ends expired presence according to the database alone, for users that the heartbeat store lacks: users imported as
 * live, and users whose heartbeats ended while Redis was unavailable. `graceMs` is the time a heartbeat may take to
 * reach the database.
 */
export async function expireOverdue(deps: ExpireDeps, graceMs: number): Promise<void> {
  const before = deps.clock() - SILENCE_MS - graceMs;
  const overdue = (await deps.sql.rows<{ wallet: string }>(OVERDUE, [before])).map(({ wallet }) => wallet);
  if (overdue.length === 0) return;
  const heard = await deps.heartbeats.lastHeard(overdue).catch(() => null);
  const silent = overdue.filter((_, i) => (heard?.[i] ?? 0) <= before);
  publishPresence(deps, await end(deps, silent, before));
}

/** Loads the live users and their last heartbeats from the database into the heartbeat store. */
export async function restoreHeartbeats({ sql, heartbeats }: Pick<Deps, 'sql' | 'heartbeats'>): Promise<void> {
  await heartbeats.watch(beatsOf(await sql.rows<Beat>(ALL_LIVE, [])));
}
