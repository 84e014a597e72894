import { readHead } from '../chain/blocks.ts';
import { patiently } from '../chain/client.ts';
import { readTransfers } from '../chain/transfers.ts';
import { refuse } from '../core/errors.ts';
import { configuredRates } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { confirmTransfers } from './confirm.ts';
import { readCursor } from './cursor.ts';
import { type MatchDeps, recordTransfer } from './match.ts';
import { watchSplits } from './watched.ts';

export interface RescanRange {
  readonly fromBlock: number;
  /** Included. */
  readonly toBlock: number;
}

/** What a rescan read and found. */
export interface Rescan {
  readonly fromBlock: number;
  /** The last block that was read: at most the last one that the watcher has read. */
  readonly toBlock: number;
  /** Transfers to splits in these blocks. */
  readonly found: number;
  /** Those of them that were not known. */
  readonly added: number;
}

/**
 * Reads blocks again that the watcher has passed, and takes up transfers that it missed; any number of times, beside a running watcher. What lies beyond
 * the watcher's position is left to it. Refuses with `invalid_input` where the range is empty or not yet read, with `chain_unavailable` and
 * `datastore_unavailable`.
 */
export async function rescan(
  base: Pick<Deps, 'settings' | 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock' | 'rates' | 'log'>,
  { fromBlock, toBlock }: RescanRange,
): Promise<Rescan> {
  const deps: MatchDeps = {
    ...base,
    chain: patiently(base.chain),
    readRate: configuredRates(base),
    watched: watchSplits(base),
  };
  if (fromBlock > toBlock) throw refuse('invalid_input', 'The first block must not be above the last one');
  await deps.watched.refresh();
  const cursor = await readCursor(deps, await readHead(deps.chain));
  if (fromBlock > cursor.scanned)
    throw refuse(
      'invalid_input',
      `The watcher has read up to block ${cursor.scanned}, and will read block ${fromBlock}`,
    );
  const last = Math.min(toBlock, cursor.scanned);
  const counts = { found: 0, added: 0 };
  for (let from = fromBlock; from <= last; ) {
    const to = Math.min(last, from + deps.chain.logRange.blocks() - 1);
    const part = await takePart(deps, from, to);
    if (part === 'again') continue;
    counts.found += part.found;
    counts.added += part.added;
    from = to + 1;
  }
  await confirmTransfers(deps, cursor.chainId, cursor.confirmed);
  return { fromBlock, toBlock: last, ...counts };
}

async function takePart(
  deps: MatchDeps,
  from: number,
  to: number,
): Promise<{ found: number; added: number } | 'again'> {
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to), addresses: deps.watched.addresses() };
  const transfers = await readTransfers(deps.chain, range);
  if (transfers === 'moved' || transfers === 'too_large') {
    // A node that does not answer ends the rescan here.
    await readHead(deps.chain);
    return 'again';
  }
  let added = 0;
  for (const transfer of transfers) if (await recordTransfer(deps, transfer)) added += 1;
  return { found: transfers.length, added };
}
