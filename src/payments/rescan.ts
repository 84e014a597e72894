import { addressesRead, readUnreadAddresses } from '../blocks/cursor.ts';
import { readHead } from '../chain/blocks.ts';
import { patiently } from '../chain/client.ts';
import { readTransfers } from '../chain/transfers.ts';
import { refuse } from '../core/errors.ts';
import { configuredRates } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { confirmTransfers } from './confirm.ts';
import { currentCursor } from './current-cursor.ts';
import { type MatchDeps, recordTransfer } from './match.ts';
import { watchAddresses } from './watched.ts';

export interface RescanRange {
  readonly fromBlock: number;
  /** Inclusive. */
  readonly toBlock: number;
}

export type RescanDeps = Pick<
  Deps,
  'settings' | 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'chains' | 'clock' | 'rates' | 'log' | 'moneyOnItsWay'
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
  if (fromBlock > toBlock) throw refuse('invalid_input', 'The first block must not be above the last one');
  await deps.watched.refresh();
  const head = await readHead(deps.chain);
  const cursor = await currentCursor(deps, head);
  if (fromBlock > cursor.scanned)
    throw refuse(
      'invalid_input',
      `The watcher has only read up to block ${cursor.scanned}; it will read block ${fromBlock} itself`,
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

async function takeRange(deps: MatchDeps, fromBlock: number, last: number): Promise<{ found: number; added: number }> {
  const counts = { found: 0, added: 0 };
  for (let from = fromBlock; from <= last; ) {
    const to = Math.min(last, from + deps.chain.logRange.blocks() - 1);
    const part = await takePart(deps, from, to);
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
): Promise<{ found: number; added: number } | 'again'> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), watchlist: deps.watched };
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
