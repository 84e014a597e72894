import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import type { Heartbeats } from '../platform/heartbeats.ts';
import { statement } from '../platform/sql.ts';

/** Heartbeats of this process that are not in the database yet: the latest of each wallet. */
const unwrittenOf = weakMemo((_heartbeats: Heartbeats) => new Map<string, number>());

/**
 * Limit of unwritten wallets. Beyond it, heartbeats of further wallets are not buffered until the database accepts
 * writes.
 */
const MAX_UNWRITTEN = 500_000;

const IS_LIVE = statement(
  'user-is-live',
  `select n, live from unnest($1::text[]) with ordinality as k(wallet, n) join users using (wallet)`,
);

/**
 * Records a heartbeat of a wallet. Returns whether the wallet is live; an expired wallet must call `setPresence` again.
 *
 * This is a hot path: heartbeats that arrive together share one Redis command, and the database is written in batches.
 */
export function heartbeat(deps: Pick<Deps, 'sql' | 'heartbeats' | 'clock'>, wallet: Wallet): Promise<boolean> {
  const at = deps.clock();
  const waiting = unwrittenOf(deps.heartbeats);
  if (waiting.size < MAX_UNWRITTEN || waiting.has(wallet)) waiting.set(wallet, at);
  return deps.heartbeats.beat(wallet, at).then(
    (known) => known || isLiveAfterAll(deps, wallet, at),
    () => isLive(deps, wallet),
  );
}

const isLive = async ({ sql }: Pick<Deps, 'sql'>, wallet: Wallet): Promise<boolean> =>
  (await sql.row<{ live: boolean }>(IS_LIVE, [wallet]))?.live ?? false;

/** Checks the database, because Redis may have lost the wallet. */
async function isLiveAfterAll(deps: Pick<Deps, 'sql' | 'heartbeats'>, wallet: Wallet, at: number): Promise<boolean> {
  if (!(await isLive(deps, wallet))) return false;
  // If Redis is unavailable, the next heartbeat restores the entry; the answer comes from the database.
  await deps.heartbeats.watch([{ member: wallet, at }]).catch(() => {});
  return true;
}

/** Number of heartbeats that one statement writes. */
const AT_ONCE = 2_000;

/** Locks rows in wallet order, so that processes that write the same rows do not deadlock. */
const WRITE = statement(
  'heartbeats-write',
  `with beats as materialized (
     select b.wallet, b.at from unnest($1::text[], $2::bigint[]) as b(wallet, at) join users u using (wallet)
      order by b.wallet for no key update of u)
   update users u set last_heartbeat = greatest(u.last_heartbeat, b.at), last_seen = greatest(u.last_seen, b.at)
     from beats b where u.wallet = b.wallet`,
);

/**
 * Writes the buffered heartbeats to the database. Rejects if a write fails; unwritten heartbeats stay buffered for the
 * next call.
 */
export async function writeHeartbeats({ sql, heartbeats }: Pick<Deps, 'sql' | 'heartbeats'>): Promise<void> {
  const waiting = unwrittenOf(heartbeats);
  const all = [...waiting];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = all.slice(from, from + AT_ONCE);
    await sql.rows(WRITE, [batch.map(([wallet]) => wallet), batch.map(([, at]) => at)]);
    for (const [wallet, at] of batch) if (waiting.get(wallet) === at) waiting.delete(wallet);
  }
}
