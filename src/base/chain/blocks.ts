import { type Block, BlockNotFoundError, type Hash } from 'viem';
import { refuse } from '../core/errors.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';

/** A block's position in the chain, its time and its transactions. */
export interface BlockMark {
  readonly number: bigint;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Epoch milliseconds. */
  readonly timeMs: number;
  /** The hashes of its transactions. The block's hash covers them. */
  readonly transactions: readonly Hash[];
}

/** The latest block. Throws `chain_unavailable`. */
export async function readHead(chain: Chain): Promise<BlockMark> {
  try {
    const [block] = await reach(Promise.all([chain.client.getBlock(), assertChainId(chain)]));
    return markOf(block);
  } catch (error) {
    // Every chain has a latest block.
    throw findError(error, BlockNotFoundError) ? refuse('chain_unavailable') : error;
  }
}

/**
 * The blocks of a range, both ends included, in order. `'moved'` if one is missing or the parent hashes do not match:
 * the chain was reorganized during the read. Throws `chain_unavailable`.
 */
export async function readBlocks(chain: Chain, fromBlock: bigint, toBlock: bigint): Promise<BlockMark[] | 'moved'> {
  const numbers = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, i) => fromBlock + BigInt(i));
  const blocks = await Promise.all(numbers.map((number) => readBlock(chain, number)));
  const found = blocks.filter((block) => block !== null);
  const linked = found.every((block, i) => i === 0 || block.parentHash === found[i - 1]?.hash);
  return linked && found.length === numbers.length ? found : 'moved';
}

/** The block with the number; null if the chain is shorter. Throws `chain_unavailable`. */
export async function readBlock(chain: Chain, blockNumber: bigint): Promise<BlockMark | null> {
  try {
    return markOf(await reach(chain.client.getBlock({ blockNumber })));
  } catch (error) {
    if (findError(error, BlockNotFoundError)) return null;
    throw error;
  }
}

/** The number of the first block at or after a time (epoch ms), at most `last`. Throws `chain_unavailable`. */
export async function firstBlockSince(chain: Chain, timeMs: number, last: number): Promise<number> {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await readBlock(chain, BigInt(middle));
    if (block !== null && block.timeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function markOf({ number, hash, parentHash, timestamp, transactions }: Block<bigint, false, 'latest'>): BlockMark {
  // A node may answer anything. Reject an answer that is not a complete block.
  if (typeof number !== 'bigint' || !hash || !parentHash || timestamp == null || !transactions)
    throw refuse('chain_unavailable');
  return { number, hash, parentHash, timeMs: Number(timestamp) * 1000, transactions };
}
