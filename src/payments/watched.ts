import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A split address and whose it is. */
export interface WatchedSplit {
  readonly address: Wallet;
  readonly merchant: Wallet;
  /** Only a known splitter is believed about native coins. */
  readonly verified: boolean;
  /** No payment to it counts from before this block. */
  readonly createdBlock: number;
}

/** Every split of the chain, replaced ones too, kept in memory and brought up to date before each look at the chain. */
export interface Watched {
  /** Reads the splits that were set since. */
  refresh(): Promise<void>;
  addresses(): ReadonlySet<Wallet>;
  find(address: Wallet): WatchedSplit | undefined;
}

/** Splits are written under the clock of whichever process sets them, and show only once committed. */
const OVERLAP_MS = 10 * 60 * 1000;
/** A split that was known already may have been verified meanwhile. */
const READ_ALL_MS = 60 * 1000;

const SPLITS_SINCE = statement(
  'payments-splits-since',
  `select address, merchant, verified, created_block as "createdBlock"
     from splits where chain_id = $1 and created_at >= $2`,
);

/** Starts with nothing; the first `refresh` reads all. */
export function watchSplits({ sql, chain, clock }: Pick<Deps, 'sql' | 'chain' | 'clock'>): Watched {
  const splits = new Map<Wallet, WatchedSplit>();
  const addresses = new Set<Wallet>();
  let readAt = 0;
  let readAllAt = 0;
  return {
    async refresh() {
      const now = clock();
      // A clock that was set back writes splits that look older than those that are known.
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
