import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A split's address and its merchant. */
export interface WatchedSplit {
  readonly address: Wallet;
  readonly merchant: Wallet;
  /** Events about native coins are trusted only from verified splitters. */
  readonly verified: boolean;
  /** Transfers from before this block do not count. */
  readonly createdBlock: number;
}

/** All splits of the chain, including replaced ones, cached in memory and refreshed before each scan. */
export interface Watched {
  /** Reads the splits that were added since the last refresh. */
  refresh(): Promise<void>;
  addresses(): ReadonlySet<Wallet>;
  find(address: Wallet): WatchedSplit | undefined;
}

/**
 * The overlap of incremental reads: splits are stamped by the clocks of several processes and become visible only after
 * their commit.
 */
const OVERLAP_MS = 10 * 60 * 1000;
/** The interval of full reads: a cached split may have been verified meanwhile. */
const READ_ALL_MS = 60 * 1000;

const SPLITS_SINCE = statement(
  'payments-splits-since',
  `select address, merchant, verified, created_block as "createdBlock"
     from splits where chain_id = $1 and created_at >= $2`,
);

/** Starts empty; the first `refresh` reads all splits. */
export function watchSplits({ sql, chain, clock }: Pick<Deps, 'sql' | 'chain' | 'clock'>): Watched {
  const splits = new Map<Wallet, WatchedSplit>();
  const addresses = new Set<Wallet>();
  let readAt = 0;
  let readAllAt = 0;
  return {
    async refresh() {
      const now = clock();
      // After the clock was set back, new splits look older than cached ones.
      const isJump = now < readAt;
      const all = isJump || now - readAllAt > READ_ALL_MS;
      const rows = await sql.rows<WatchedSplit>(SPLITS_SINCE, [chain.chainId, all ? 0 : readAt - OVERLAP_MS]);
      if (all) readAllAt = now;
      readAt = now;
      for (const split of rows) {
        splits.set(split.address, split);
        addresses.add(split.address);
      }
    },
    addresses: () => addresses,
    find: (address) => splits.get(address),
  };
}
