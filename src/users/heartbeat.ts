import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import type { Heartbeats } from '../platform/heartbeats.ts';
import { statement } from '../platform/sql.ts';

/** Heartbeats of this process that have yet to reach the database: the latest of each wallet. */
const unwrittenOf = weakMemo((_heartbeats: Heartbeats) => new Map<string, number>());

/** Beyond this, wallets that are new are not noted until the database takes what there is. */
const MAX_UNWRITTEN = 500_000;

const IS_LIVE = statement(
  'user-is-live',
  `select n, live from unnest($1::text[]) with ordinality as k(wallet, n) join users using (wallet)`,
);

/**
 * Notes that a wallet is there. Answers whether it counts as live: one that fell silent for too long has left, and says `setPresence` to come back.
 *
 * The hot path: one command to Redis for all that arrive together, and nothing of the database, which is told in batches.
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

/** Redis may have forgotten it. */
async function isLiveAfterAll(deps: Pick<Deps, 'sql' | 'heartbeats'>, wallet: Wallet, at: number): Promise<boolean> {
  if (!(await isLive(deps, wallet))) return false;
  // Where Redis is away it is asked again with the next heartbeat; the database has answered already.
  await deps.heartbeats.watch([{ member: wallet, at }]).catch(() => {});
  return true;
}

/** What one statement writes. */
const AT_ONCE = 2_000;

/** Rows are locked in the order of their wallets, so that processes which write the same ones wait for each other rather than deadlock. */
const WRITE = statement(
  'heartbeats-write',
  `with beats as materialized (
     select b.wallet, b.at from unnest($1::text[], $2::bigint[]) as b(wallet, at) join users u using (wallet)
      order by b.wallet for no key update of u)
   update users u set last_heartbeat = greatest(u.last_heartbeat, b.at), last_seen = greatest(u.last_seen, b.at)
     from beats b where u.wallet = b.wallet`,
);

/** Writes what has gathered to the database. What cannot be written stays, for the next time; then it rejects. */
export async function writeHeartbeats({ sql, heartbeats }: Pick<Deps, 'sql' | 'heartbeats'>): Promise<void> {
  const waiting = unwrittenOf(heartbeats);
  const all = [...waiting];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = all.slice(from, from + AT_ONCE);
    await sql.rows(WRITE, [batch.map(([wallet]) => wallet), batch.map(([, at]) => at)]);
    for (const [wallet, at] of batch) if (waiting.get(wallet) === at) waiting.delete(wallet);
  }
}
