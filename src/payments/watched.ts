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

const NOW = statement('payments-splits-now', 'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest');

const SPLITS_SINCE = statement(
  'payments-splits-since',
  `select address, merchant, verified, created_block as "createdBlock"
     from splits where chain_id = $1 and txid >= $2::xid8`,
);

/**
 * Starts empty; the first `refresh` reads all splits. Each later one reads the rows of transactions that were open at the
 * previous one, or began after it. No clock is involved: the clocks of two processes may differ by any amount.
 */
export function watchSplits({ sql, chain }: Pick<Deps, 'sql' | 'chain'>): Watched {
  const splits = new Map<Wallet, WatchedSplit>();
  const addresses = new Set<Wallet>();
  let since = 0n;
  return {
    async refresh() {
      const [now] = await sql.rows<{ oldest: string }>(NOW, []);
      const oldest = BigInt(now!.oldest);
      // A restored database may count its transactions from a lower number.
      const from = oldest < since ? 0n : since;
      for (const split of await sql.rows<WatchedSplit>(SPLITS_SINCE, [chain.chainId, String(from)])) {
        splits.set(split.address, split);
        addresses.add(split.address);
      }
      since = oldest;
    },
    addresses: () => addresses,
    find: (address) => splits.get(address),
  };
}
