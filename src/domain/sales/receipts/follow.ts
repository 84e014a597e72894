import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { readChanged } from './changed.ts';
import { type Follower, type Position, readNext } from './follower.ts';
import type { ReceiptKey } from './receipt-key.ts';

export type FollowDeps = Pick<Deps, 'db'>;

/** Derives what belongs to these receipts, as they are now, in the transaction that advances the position. */
export type Derive = (uow: UnitOfWork, keys: readonly ReceiptKey[]) => Promise<void>;

/** The number of rows of history, or of receipts, in one step. */
const STEP_SIZE = 200;

/** Updates nothing if another process has made a step since the position was read. */
const ADVANCE = query('receipt-follower-advance', (db, $: Position & { readonly name: string }) =>
  db
    .updateTable('ReceiptFollower')
    .set((eb) => ({
      step: eb('step', '+', 1),
      snapshot: $.snapshot,
      rebuildMerchant: $.rebuildMerchant,
      rebuildId: $.rebuildId,
    }))
    .where('name', '=', $.name)
    .where('step', '=', $.step)
    .returning('step'),
);

/**
 * Derives what belongs to the next receipts with new rows of history, and to the next receipts of a reading of all
 * receipts: each in one transaction with the new position. Receipts are always read as they are now, so a step that is
 * repeated after a crash does no harm. Returns whether more receipts wait.
 */
export async function followReceipts(deps: FollowDeps, follower: Follower, derive: Derive): Promise<boolean> {
  const position = await follower.require(deps);
  const { keys, snapshot, more } = await readChanged(deps, position.snapshot, STEP_SIZE);
  if (keys.length > 0) {
    await step(deps, follower, derive, keys, { ...position, snapshot });
    return more || position.rebuildId !== null;
  }
  if (position.rebuildId === null) return false;
  const read = await readNext(deps, position, STEP_SIZE);
  await step(deps, follower, derive, read.keys, read.next);
  return true;
}

/** The update of the position locks it, so that steps do not run at once. */
function step(
  deps: FollowDeps,
  { name }: Follower,
  derive: Derive,
  keys: readonly ReceiptKey[],
  next: Position,
): Promise<void> {
  return deps.db.transaction(async (uow) => {
    const [held] = await uow.run(ADVANCE, { name, ...next });
    if (held) await derive(uow, keys);
  });
}
