import { numberMemo } from '../../../../base/core/caches.ts';

/**
 * The blocks in which a sum rose that never falls, between two blocks, with the amount of each rise. The sum is known
 * at the last block. `readAt` reads it at a block, once for each, so that a node that changes its answer meanwhile does
 * not make the sum fall. A rise at or before `low` counts as one of `low`.
 *
 * @param counted the sum whose rises are known
 */
export async function findRises(
  readAt: (block: number) => Promise<bigint>,
  { low, high, counted, sum }: { low: number; high: number; counted: bigint; sum: bigint },
): Promise<{ readonly block: number; readonly amount: bigint }[]> {
  const rises = [];
  const sumAt = numberMemo(readAt);
  let [from, known] = [low, counted];
  while (known < sum) {
    const block = await firstAbove(sumAt, known, from, high);
    const total = block === high ? sum : await sumAt(block);
    rises.push({ block, amount: total - known });
    [from, known] = [block, total];
  }
  return rises;
}

/** The first block between two, at most the last one, at which the sum is above `known`. */
async function firstAbove(
  readAt: (block: number) => Promise<bigint>,
  known: bigint,
  from: number,
  to: number,
): Promise<number> {
  let [below, above] = [from - 1, to];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if ((await readAt(middle)) > known) above = middle;
    else below = middle;
  }
  return above;
}
