import { type BlockMark, readBlock } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { type Cursor, readMarks, readTip } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';

/**
 * Finds the last stored block that is still on the chain; null if there was no reorganisation. A lower head means a
 * lagging node, unless the chain may restart.
 */
export async function findFork(
  deps: Pick<Deps, 'db' | 'chain' | 'clock'>,
  cursor: Cursor,
  head: BlockMark,
): Promise<number | null> {
  const height = Number(head.number);
  const { mayRestart } = deps.chain;
  const behind = height < cursor.scanned;
  const same = behind && mayRestart ? height : null;
  const upTo = Math.min(cursor.scanned, height);

  const tip = await readTip(deps, upTo);
  if (tip === null) return behind && mayRestart ? 0 : null;
  const there = await hashAt(deps.chain, tip.number, head);
  if (there === tip.hash) return same;
  // A node that does not have a block below its own head was just replaced by one that lags.
  if (there === undefined && !mayRestart) return null;

  const marks = await readMarks(deps, upTo);
  for (const mark of marks) {
    if ((await hashAt(deps.chain, mark.number, head)) === mark.hash) return mark.number;
  }
  // No stored block is left: the chain was replaced.
  return mayRestart ? 0 : Math.max(0, marks.at(-1)!.number - 1);
}

/** The hash of the block with a number; undefined if the chain does not have the block. */
export async function hashAt(chain: Chain, number: number, head: BlockMark): Promise<string | undefined> {
  const height = Number(head.number);
  if (number === height) return head.hash;
  if (number === height - 1) return head.parentHash;
  return (await readBlock(chain, BigInt(number)))?.hash;
}
