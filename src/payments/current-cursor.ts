import { type Cursor, readCursor, startCursor } from '../blocks/cursor.ts';
import type { BlockMark } from '../chain/blocks.ts';
import type { Deps } from '../platform/deps.ts';
import { oldestSplitBlock } from '../splits/oldest-block.ts';

/** The chain's cursor. A new one starts below the oldest split, or at the head if there is none. */
export async function currentCursor(deps: Pick<Deps, 'sql' | 'chain' | 'clock'>, head: BlockMark): Promise<Cursor> {
  const known = await readCursor(deps);
  if (known) return known;
  const oldest = await oldestSplitBlock(deps);
  return startCursor(deps, head, oldest === null ? Number(head.number) : oldest - 1);
}
