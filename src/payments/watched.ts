import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';

const NOW = query(
  'payments-splits-now',
  (db, _: object) => db.selectNoFrom(sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as('oldest')),
  { computed: { oldest: 'text' } },
);

const SPLITS_SINCE = query('payments-splits-since', (db, $: { chainId: number; from: string }) =>
  db
    .selectFrom('Split')
    .select(['address', 'merchant', 'verified', 'createdBlock'])
    .where('chainId', '=', $.chainId)
    .where('txid', '>=', $.from),
);

/** A split address and its merchant. Only a verified splitter is believed about native coins. */
export type WatchedSplit = RowOf<typeof SPLITS_SINCE>;

/** Every split of the chain, including replaced ones, kept in memory and updated before each scan. */
export interface Watched {
  /** Reads the splits that were written since the last call. */
  refresh(): Promise<void>;
  addresses(): ReadonlySet<Wallet>;
  find(address: Wallet): WatchedSplit | undefined;
}

/**
 * Starts empty; the first `refresh` reads all splits. Each later one reads the rows of transactions that were open at
 * the previous one, or began after it. No clock is involved: the clocks of two processes may differ by any amount.
 */
export function watchSplits({ sql, chain }: Pick<Deps, 'sql' | 'chain'>): Watched {
  const splits = new Map<Wallet, WatchedSplit>();
  const addresses = new Set<Wallet>();
  let since = 0n;
  return {
    async refresh() {
      const [now] = await sql.run(NOW, {});
      const oldest = BigInt(now!.oldest);
      // A restored database may count its transactions from a lower number.
      const from = oldest < since ? 0n : since;
      for (const split of await sql.run(SPLITS_SINCE, { chainId: chain.chainId, from: String(from) })) {
        splits.set(split.address, split);
        addresses.add(split.address);
      }
      since = oldest;
    },
    addresses: () => addresses,
    find: (address) => splits.get(address),
  };
}
