import { sql } from 'kysely';
import { firstBlockSince, readBlock, readHead } from '../../../base/chain/blocks.ts';
import { patiently } from '../../../base/chain/client.ts';
import { readTransfers, type Watchlist } from '../../../base/chain/transfers.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { addressesRead, readUnreadAddresses } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { type MatchDeps, recordTransfer } from '../matching/match.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { readCoins } from './coins.ts';
import { confirmTransfers } from './confirm.ts';
import { currentCursor } from './scan.ts';

export interface RescanRange {
  readonly fromBlock: number;
  /** Inclusive. */
  readonly toBlock: number;
}

export type RescanDeps = Pick<
  Deps,
  'db' | 'settings' | 'bus' | 'chain' | 'chains' | 'clock' | 'rates' | 'log' | 'moneyOnItsWay'
> &
  Pick<MatchDeps, 'createShares'>;

/** What matching needs, beside the watcher that runs. */
export const matchDeps = (base: RescanDeps): MatchDeps => ({
  ...base,
  chain: patiently(base.chain),
  readRate: configuredRates(base),
  watched: watchAddresses(base),
});

/** The range and results of a rescan. */
export interface Rescan {
  readonly fromBlock: number;
  /** The last block of the rescan, at most the last block that the watcher has read. */
  readonly toBlock: number;
  /** The number of transfers to splits in these blocks. */
  readonly found: number;
  /** The number of transfers that were not stored before. */
  readonly added: number;
}

/**
 * Reads blocks again that the watcher has read, and records transfers that it missed. It can be repeated and can run
 * beside a running watcher. Blocks beyond the watcher's position are left to the watcher. Refuses with `invalid_input`
 * if the range is empty or not yet read, with `chain_unavailable` and with `datastore_unavailable`.
 */
export async function rescan(base: RescanDeps, { fromBlock, toBlock }: RescanRange): Promise<Rescan> {
  const deps = matchDeps(base);
  if (fromBlock > toBlock)
    throw refuse('invalid_input', 'The first block must not be above the last one', { field: 'fromBlock' });
  await deps.watched.refresh();
  const head = await readHead(deps.chain);
  const cursor = await currentCursor(deps, head);
  if (fromBlock > cursor.scanned)
    throw refuse(
      'invalid_input',
      `The watcher has only read up to block ${cursor.scanned}; it will read block ${fromBlock} itself`,
      { field: 'fromBlock' },
    );
  const last = Math.min(toBlock, cursor.scanned);
  const counts = await takeRange(deps, fromBlock, last);
  await confirmTransfers(deps, cursor, Number(head.number));
  return { fromBlock, toBlock: last, ...counts };
}

/**
 * Reads the blocks that a server of version 0.1 has read, which does not know addresses of receipts: it led before an
 * upgrade, or between two. Until then payment pages show no addresses. A later version needs this no more.
 */
export async function readMissedAddresses(deps: MatchDeps): Promise<void> {
  const unread = await readUnreadAddresses(deps);
  if (unread === null) return;
  await deps.watched.refresh();
  if (unread.from !== null) await takeRange(deps, unread.from, unread.to);
  await addressesRead(deps, unread.to);
}

const LATE = query('payments-late-addresses', (db, $: { chainId: number; keys: string }) =>
  db
    .selectFrom('ReceiptAddress as a')
    .innerJoin(
      sql<ReceiptKey>`(select * from json_to_recordset(${$.keys}::json) as k (merchant text, id text))`.as('k'),
      (join) => join.onRef('k.merchant', '=', 'a.merchant').onRef('k.id', '=', 'a.receiptId'),
    )
    .select(['a.address', 'a.createdAt'])
    .where(({ eb, or }) => or([eb('a.onlyChainId', 'is', null), eb('a.onlyChainId', '=', $.chainId)])),
);

interface ReceiptKey {
  readonly merchant: Wallet;
  readonly id: string;
}

/** So much before a receipt its blocks begin: they have whole seconds, and of another clock than the server's. */
const CLOCKS_MS = 600_000;

/**
 * Reads the blocks of a chain since receipts were made again, for what has arrived at their addresses: a receipt may be
 * stored after the watcher has passed the block of its payment, as those of the journal are. Null if the watcher has
 * passed none. Refuses with `chain_unavailable` and `datastore_unavailable`.
 */
export async function rescanReceipts(base: RescanDeps, keys: readonly ReceiptKey[]): Promise<Rescan | null> {
  const deps = matchDeps(base);
  const { chain } = deps;
  const found = await deps.db.run(LATE, { chainId: chain.chainId, keys: JSON.stringify(keys) });
  const addresses = found.map(({ address }) => address);
  const since = Math.min(...found.map(({ createdAt }) => createdAt)) - CLOCKS_MS;
  await deps.watched.refresh();
  const head = await readHead(chain);
  const { scanned } = await currentCursor(deps, head);
  if (addresses.length === 0 || (await readBlock(chain, BigInt(scanned)))!.timeMs < since) return null;
  const fromBlock = await firstBlockSince(chain, since, scanned);
  const watchlist: Watchlist = { ...deps.watched, splitters: new Set(), listed: async () => addresses };
  const counts = await takeRange(deps, fromBlock, scanned, watchlist);
  await readCoins(deps, addresses, head);
  deps.bus.publish(HINT_CHANNEL, 'rescan');
  return { fromBlock, toBlock: scanned, ...counts };
}

async function takeRange(
  deps: MatchDeps,
  fromBlock: number,
  last: number,
  watchlist: Watchlist = deps.watched,
): Promise<{ found: number; added: number }> {
  const counts = { found: 0, added: 0 };
  for (let from = fromBlock; from <= last; ) {
    const to = Math.min(last, from + deps.chain.logRange.blocks() - 1);
    const part = await takePart(deps, from, to, watchlist);
    if (part === 'again') continue;
    counts.found += part.found;
    counts.added += part.added;
    from = to + 1;
  }
  return counts;
}

async function takePart(
  deps: MatchDeps,
  from: number,
  to: number,
  watchlist: Watchlist,
): Promise<{ found: number; added: number } | 'again'> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), watchlist };
  const transfers = await readTransfers(deps.chain, range);
  if (transfers === 'moved' || transfers === 'too_large') {
    // Throws if the node does not respond, which ends the rescan.
    await readHead(deps.chain);
    return 'again';
  }
  let added = 0;
  for (const transfer of transfers) if (await recordTransfer(deps, transfer)) added += 1;
  return { found: transfers.length, added };
}
