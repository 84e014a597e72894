import { type ChainFiles, copyChainState } from './chain-state.ts';
import { askChain } from './rpc.ts';

interface Block {
  number: number;
  transactionCount: number;
}

const TICK_MS = 1_000;

/**
 * Once a second, or at the given interval, mines a block until the newest transaction is `tailBlocks` deep, so that
 * payments gain confirmations on a chain without other activity, and copies the state after each change. An idle chain
 * gets no blocks: each block adds 1.7 KB that anvil writes again every second. Returns a function that stops it.
 */
export function keepChain(
  rpcUrl: string,
  files: ChainFiles,
  tailBlocks: number,
  tickMs = TICK_MS,
): () => Promise<void> {
  let seenBlock = -1;
  let busyBlock = -1;
  let copiedBlock = -1;
  let movedAtMs = 0;
  let tick: Promise<void> | undefined;

  const inspect = async () => {
    const head = await readBlock(rpcUrl, 'latest');
    const moved = head.number !== seenBlock;
    if (moved) {
      // A chain that was rolled back is inspected again from its head.
      if (head.number < seenBlock) seenBlock = busyBlock = copiedBlock = -1;
      busyBlock = (await findBusyBlock(rpcUrl, head, Math.max(seenBlock, head.number - tailBlocks))) ?? busyBlock;
      seenBlock = head.number;
      movedAtMs = Date.now();
    }
    if (copiedBlock < head.number && (await copyChainState(files, movedAtMs))) copiedBlock = head.number;
    // New blocks come from another process that also keeps the chain, or from payments.
    if (moved || busyBlock < 0 || head.number - busyBlock >= tailBlocks) return;
    await askChain(rpcUrl, 'evm_mine', []);
    movedAtMs = Date.now();
    // Otherwise a payment has come in between: the next turn looks for its block.
    const mined = await readBlock(rpcUrl, 'latest');
    if (mined.number === head.number + 1 && mined.transactionCount === 0) seenBlock = mined.number;
  };

  const timer = setInterval(() => {
    // Ignore a chain that does not answer: its users report it.
    tick ??= inspect()
      .catch(() => {})
      .finally(() => {
        tick = undefined;
      });
  }, tickMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await tick;
  };
}

/** The newest block above `floor` that contains a transaction. */
async function findBusyBlock(rpcUrl: string, head: Block, floor: number): Promise<number | undefined> {
  let block = head;
  while (block.number > floor) {
    if (block.transactionCount > 0) return block.number;
    if (block.number === 0) return undefined;
    block = await readBlock(rpcUrl, `0x${(block.number - 1).toString(16)}`);
  }
  return undefined;
}

async function readBlock(rpcUrl: string, tag: string): Promise<Block> {
  const block = (await askChain(rpcUrl, 'eth_getBlockByNumber', [tag, false])) as {
    number: string;
    transactions: unknown[];
  };
  return { number: Number(block.number), transactionCount: block.transactions.length };
}
