import { sql } from 'kysely';
import type { Transfer, Watchlist } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { findAddresses, listAddresses } from '../../sales/receipts/addresses.ts';

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

type WatchedSplit = RowOf<typeof SPLITS_SINCE>;

/** What a transfer belongs to. */
export interface Place {
  readonly merchant: Wallet;
  /** The receipt whose address received it, or has sent it to its split; null for other transfers to a split. */
  readonly addressOf: string | null;
  /** Where it arrived. */
  readonly payTo: Wallet;
  /** Where the address that received it collects to; null if it was sent to the split itself. */
  readonly split: Wallet | null;
  /** The block of the split's configuration; null for an address of a receipt, which was unknown before. */
  readonly splitCreatedBlock: number | null;
  /** Only a verified splitter is believed about native coins. */
  readonly verified: boolean;
}

/** Every split of the chain, including replaced ones, and every address of a receipt, open and old. */
export interface Watched extends Watchlist {
  /** Reads the splits that were written since the last call. */
  refresh(): Promise<void>;
  /** What a transfer belongs to; null if its recipient is not watched. */
  placeOf(transfer: Pick<Transfer, 'from' | 'to'>): Promise<Place | null>;
}

/**
 * Watches the chain's splits and the addresses of receipts. Splits are kept in memory. It starts empty; the first
 * `refresh` reads all splits, and each later one reads the rows of transactions that were open at the previous one, or
 * began after it. No clock is involved: the clocks of two processes may differ by any amount.
 *
 * Addresses of receipts are looked up in the database, after the blocks were read: a receipt is stored before its
 * address is shown, so an address that was paid in a block is found, and the number of addresses does not matter.
 */
export function watchAddresses({ db, chain: { chainId } }: Pick<Deps, 'db' | 'chain'>): Watched {
  const splits = new Map<Wallet, WatchedSplit>();
  const addresses = new Set<Wallet>();
  let readsSweeps = false;
  let since = 0n;
  /** Addresses of receipts do not become fewer. */
  let beyond = 0;
  return {
    splitters: addresses,
    // A split that is not verified is not believed about coins, so that the address of the receipt is asked instead.
    get readsSweeps() {
      return readsSweeps;
    },
    async refresh() {
      const [now] = await db.run(NOW, {});
      const oldest = BigInt(now!.oldest);
      // A restored database may count its transactions from a lower number.
      const from = oldest < since ? 0n : since;
      for (const split of await db.run(SPLITS_SINCE, { chainId, from: String(from) })) {
        splits.set(split.address, split);
        addresses.add(split.address);
        readsSweeps ||= !split.verified;
      }
      since = oldest;
    },
    async listed(limit) {
      const left = limit - addresses.size;
      if (left <= beyond) return null;
      const found = await listAddresses({ db }, chainId, left);
      if (found === null) beyond = left;
      return found && [...addresses, ...found];
    },
    async among(candidates) {
      const { true: toSplits = [], false: others = [] } = Object.groupBy(candidates, (one) => `${addresses.has(one)}`);
      const found = await findAddresses({ db }, chainId, others);
      return new Set([...toSplits, ...found.map(({ address }) => address)]);
    },
    async placeOf({ from, to }) {
      const split = splits.get(to);
      const found = await findAddresses({ db }, chainId, split ? [from] : [to]);
      const address = found.find((one) => !split || one.split === to);
      if (split) {
        const { merchant, verified, createdBlock: splitCreatedBlock } = split;
        const addressOf = address?.receiptId ?? null;
        return { merchant, addressOf, payTo: to, split: null, splitCreatedBlock, verified };
      }
      if (!address) return null;
      const { merchant, receiptId: addressOf, split: collectsTo } = address;
      const place = { merchant, addressOf, splitCreatedBlock: null, verified: true };
      if (from !== to) return { ...place, payTo: to, split: collectsTo };
      // Its own log of coins. A verified split logs them as well.
      return splits.get(collectsTo)?.verified ? null : { ...place, payTo: collectsTo, split: null };
    },
  };
}
