import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Cursor } from '../../../base/onchain/blocks/cursor.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';

/** The number of unread blocks from which payments count as delayed. */
const BEHIND_BLOCKS = 100;
/** The time without progress after which any unread block counts as a delay. */
const BEHIND_MS = 60_000;

/** One row; `scanned` and `confirmed` are null if the chain was never watched. */
const POSITION = query(
  'payments-lag',
  (db, $: { chainId: number }) =>
    db
      .selectFrom(sql<{ chain: number }>`(select ${$.chainId}::bigint)`.as<'k'>(sql`k(chain)`))
      .leftJoin('ChainCursor as c', 'c.chainId', 'k.chain')
      .select([
        'c.scanned',
        'c.confirmed',
        ({ exists, selectFrom }) =>
          exists(selectFrom('Split').select('Split.id').where('Split.chainId', '=', $.chainId))
            .$castTo<boolean>()
            .as('hasSplits'),
      ]),
  { computed: { hasSplits: 'bool' } },
);

async function readPosition(db: Db, { chainId }: Pick<Chain, 'chainId'>): Promise<RowOf<typeof POSITION>> {
  const [row] = await db.run(POSITION, { chainId });
  return row!;
}

/** Whether payments are detected; `off` if there is no split yet. */
export type WatcherState = 'up' | 'down' | 'off';

interface Standstill {
  scanned: number | null;
  sinceMs: number | null;
}

const standstillsOf = keptBy('standstills of the watcher', (_db: Db) => new Map<number, Standstill>());

function standstillOf(db: Db, chainId: number): Standstill {
  const standstills = standstillsOf(db);
  const standstill = standstills.get(chainId) ?? { scanned: null, sinceMs: null };
  standstills.set(chainId, standstill);
  return standstill;
}

/**
 * Whether any process keeps up with the chain, according to the cursor in the database. `down` if more than 100 blocks
 * are unread, or if the first unread block has been unread for a minute. The minute is measured between calls, so the
 * first call after a start never detects it. Refuses with `datastore_unavailable`.
 *
 * @param head the newest block's number; null if the RPC does not respond, which counts as `up`
 */
export async function readWatcherState(
  db: Db,
  chain: Chain,
  head: number | null,
  nowMs = performance.now(),
): Promise<WatcherState> {
  const { scanned, confirmed, hasSplits } = await readPosition(db, chain);
  if (scanned === null && !hasSplits) return 'off';
  if (head === null) return 'up';
  if (scanned !== null && confirmed !== null && lagBlocks(chain, { scanned, confirmed }, head) > BEHIND_BLOCKS)
    return 'down';
  const standstill = standstillOf(db, chain.chainId);
  const isReadUp = scanned !== null && head <= scanned;
  if (isReadUp || standstill.sinceMs === null || standstill.scanned !== scanned) {
    standstill.scanned = scanned;
    standstill.sinceMs = isReadUp ? null : nowMs;
    return 'up';
  }
  return nowMs - standstill.sinceMs > BEHIND_MS ? 'down' : 'up';
}

/** The number of blocks that should have been read by now, for the first or the second time. */
const lagBlocks = (
  { confirmations }: Pick<Chain, 'confirmations'>,
  { scanned, confirmed }: Pick<Cursor, 'scanned' | 'confirmed'>,
  head: number,
): number => Math.max(head - scanned, head - confirmations - confirmed);

/** Logs `alert: 'watcher_behind'` in the process that watches. */
export interface LagAlarm {
  /** Records the head that the watcher has seen. */
  sees(head: number): void;
  /** Records how far the watcher has read. */
  reaches(cursor: Cursor): void;
  /** Sets whether this process watches. Another process reads the leader's progress from the cursor. */
  leads(leading: boolean): void;
  stop(): void;
}

const REPEAT_MS = 600_000;

/**
 * Checks every 5 s. Raises the alert when the watcher falls behind, and repeats it every ten minutes until it has
 * caught up.
 */
export function openLagAlarm(
  { db, chain, log }: Pick<Deps, 'db' | 'chain' | 'log'>,
  { lookMs = 5_000, behindAfterMs = BEHIND_MS } = {},
): LagAlarm {
  const { chainId } = chain;
  let isLeading = false;
  let head = 0;
  let cursor: Pick<Cursor, 'scanned' | 'confirmed'> | null = null;
  /** When the watcher was last up to date; null until this process has watched. */
  let readUpAt: number | null = null;
  let raisedAt: number | null = null;

  async function followOther(): Promise<void> {
    const { scanned, confirmed } = await readPosition(db, chain);
    if (scanned === null || confirmed === null || scanned === cursor?.scanned) return;
    cursor = { scanned, confirmed };
    head = scanned;
    readUpAt = performance.now();
  }

  async function look(): Promise<void> {
    if (readUpAt === null) return;
    // If the database is unreachable, the last known cursor stays.
    if (!isLeading) await followOther().catch(() => {});
    const now = performance.now();
    const blocks = cursor === null ? 0 : Math.max(0, lagBlocks(chain, cursor, head));
    const behindMs = now - readUpAt;
    if (blocks <= BEHIND_BLOCKS && behindMs <= behindAfterMs) {
      if (raisedAt !== null) log.info({ chainId, scanned: cursor?.scanned }, 'watcher has caught up');
      raisedAt = null;
    } else if (raisedAt === null || now - raisedAt > REPEAT_MS) {
      raisedAt = now;
      const seconds = Math.round(behindMs / 1000);
      log.error({ alert: 'watcher_behind', chainId, head, ...cursor, blocks, seconds }, 'payments are detected late');
    }
  }

  const timer = setInterval(look, lookMs).unref();
  return {
    sees(seen) {
      head = seen;
    },
    reaches(reached) {
      cursor = reached;
      if (reached.scanned >= head) readUpAt = performance.now();
    },
    leads(leading) {
      isLeading = leading;
      readUpAt ??= performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
