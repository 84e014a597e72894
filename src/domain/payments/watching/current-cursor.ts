import type { BlockMark } from '../../../base/chain/blocks.ts';
import { type Cursor, readCursor, startCursor } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { oldestSplitBlock } from '../../shop/splits/oldest-block.ts';

/** The chain's cursor. A new one starts below the oldest split, or at the head if there is none. */
export async function currentCursor(deps: Pick<Deps, 'db' | 'chain' | 'clock'>, head: BlockMark): Promise<Cursor> {
  const known = await readCursor(deps);
  if (known) return known;
  const oldest = await oldestSplitBlock(deps.db, deps.chain);
  return startCursor(deps, head, oldest === null ? Number(head.number) : oldest - 1);
}
