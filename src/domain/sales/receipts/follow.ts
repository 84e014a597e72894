import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { readChanged } from './changed.ts';
import { type Follower, type Position, readNext } from './follower.ts';
import type { ReceiptKey } from './read.ts';

/** Derives what belongs to these receipts, as they are now, in the transaction that advances the position. */
export type Derive = (uow: UnitOfWork, keys: readonly ReceiptKey[]) => Promise<void>;

/** The number of rows of history, or of receipts, in one step. */
export const STEP_SIZE = 200;

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
export async function followReceipts(db: Db, follower: Follower, derive: Derive): Promise<boolean> {
  const position = await follower.require(db);
  const { keys, snapshot, more } = await readChanged(db, position.snapshot, STEP_SIZE);
  if (keys.length > 0) {
    await deriveStep(db, follower, { ...position, snapshot }, (uow) => derive(uow, keys));
    return more || position.rebuildId !== null;
  }
  if (position.rebuildId === null) return false;
  const read = await readNext(db, position, STEP_SIZE);
  await deriveStep(db, follower, read.next, (uow) => derive(uow, read.keys));
  return true;
}

/**
 * Derives something in the transaction that advances the position. The update of the position locks it, so that steps
 * do not run at once.
 */
export function deriveStep(
  db: Db,
  { name }: Follower,
  next: Position,
  derive: (uow: UnitOfWork) => Promise<void>,
): Promise<void> {
  return db.transaction(async (uow) => {
    const [held] = await uow.run(ADVANCE, { name, ...next });
    if (held) await derive(uow);
  });
}
