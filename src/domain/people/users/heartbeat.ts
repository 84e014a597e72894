import { sql } from 'kysely';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Heartbeats } from '../../../base/platform/heartbeats.ts';
import { type KeyColumns, keyedQuery, query } from '../../../base/platform/postgres/query.ts';

type HeartbeatDeps = Pick<Deps, 'db' | 'heartbeats'>;

/** Heartbeats of this process that are not in the database yet: the latest of each wallet. */
const unwrittenOf = keptBy('unwritten heartbeats', (_heartbeats: Heartbeats) => new Map<string, number>());

/**
 * Limit of unwritten wallets. Beyond it, heartbeats of further wallets are not buffered until the database accepts
 * writes.
 */
const MAX_UNWRITTEN = 500_000;

type WalletKey = KeyColumns<{ wallet: Wallet }>;

const IS_LIVE = keyedQuery('user-is-live', ['wallet'], (db, key: WalletKey) =>
  db.selectFrom('User as u').select('u.live').where('u.wallet', '=', key.wallet),
);

/**
 * Records a heartbeat of a wallet. Returns whether the wallet is live; an expired wallet must call `setPresence` again.
 *
 * This is a hot path: heartbeats that arrive together share one Redis command, and the database is written in batches.
 */
export function heartbeat(deps: Pick<Deps, 'db' | 'heartbeats' | 'clock'>, wallet: Wallet): Promise<boolean> {
  const at = deps.clock();
  const waiting = unwrittenOf(deps.heartbeats);
  if (waiting.size < MAX_UNWRITTEN || waiting.has(wallet)) waiting.set(wallet, at);
  return deps.heartbeats.beat(wallet, at).then(
    (known) => known || isLiveAfterAll(deps, wallet, at),
    () => isLive(deps.db, wallet),
  );
}

const isLive = async (db: Db, wallet: Wallet): Promise<boolean> => (await db.one(IS_LIVE, { wallet }))?.live ?? false;

/** Checks the database, because Redis may have lost the wallet. */
async function isLiveAfterAll(deps: HeartbeatDeps, wallet: Wallet, at: number): Promise<boolean> {
  if (!(await isLive(deps.db, wallet))) return false;
  // If Redis is unavailable, the next heartbeat restores the entry; the answer comes from the database.
  await deps.heartbeats.watch([{ member: wallet, at }]).catch(() => {});
  return true;
}

/** Number of heartbeats that one statement writes. */
const AT_ONCE = 2_000;

interface Beats {
  readonly wallets: readonly string[];
  readonly times: readonly number[];
}

/** Locks rows in wallet order, so that processes that write the same rows do not deadlock. */
const WRITE = query('heartbeats-write', (db, $: Beats) =>
  db
    .with(
      (cte) => cte('beats').materialized(),
      (cte) =>
        cte
          .selectFrom(
            sql<{ wallet: Wallet; at: number }>`unnest(${$.wallets}::text[], ${$.times}::int8[])`.as<'b'>(
              sql`b(wallet, at)`,
            ),
          )
          .innerJoin('User as u', 'u.wallet', 'b.wallet')
          .select(['b.wallet', 'b.at'])
          .orderBy('b.wallet')
          .forNoKeyUpdate('u'),
    )
    .updateTable('User')
    .from('beats')
    .set(({ fn }) => ({
      lastHeartbeat: fn<number>('greatest', ['User.lastHeartbeat', 'beats.at']),
      lastSeen: fn<number>('greatest', ['User.lastSeen', 'beats.at']),
    }))
    .whereRef('User.wallet', '=', 'beats.wallet'),
);

/**
 * Writes the buffered heartbeats to the database. Rejects if a write fails; unwritten heartbeats stay buffered for the
 * next call.
 */
export async function writeHeartbeats(deps: HeartbeatDeps): Promise<void> {
  const waiting = unwrittenOf(deps.heartbeats);
  const all = [...waiting];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = all.slice(from, from + AT_ONCE);
    await deps.db.run(WRITE, { wallets: batch.map(([wallet]) => wallet), times: batch.map(([, at]) => at) });
    for (const [wallet, at] of batch) if (waiting.get(wallet) === at) waiting.delete(wallet);
  }
}
