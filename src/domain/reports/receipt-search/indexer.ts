import type { Db } from '../../../base/platform/db.ts';
import { readChanged } from '../../sales/receipts/changed.ts';
import { type Position, readNext } from '../../sales/receipts/follower.ts';
import type { ReceiptKey } from '../../sales/receipts/read.ts';
import { forgetTouches, readTouches } from '../../sales/receipts/touch.ts';
import { describeReceipts } from './describe.ts';
import { SEARCH } from './index-state.ts';
import { writeRows } from './write.ts';

/** The number of rows of history, and of receipts of a rebuild, in one step. A step's write takes milliseconds. */
const STEP_SIZE = 200;

/** What a step has done, and whether there is more to do now. */
export interface StepResult {
  /** The receipts that were read. */
  readonly read: number;
  readonly more: boolean;
}

/**
 * Indexes the next changed receipts, and the next receipts of a rebuild. A receipt is always indexed as it is now, so a
 * step that is repeated after a crash does no harm.
 */
export async function indexStep(db: Db): Promise<StepResult> {
  const changed = await changedStep(db);
  if (changed.more) return changed;
  const position = await SEARCH.require(db);
  if (position.rebuildId === null) return changed;
  const rebuilt = await rebuildStep(db, position);
  return { read: changed.read + rebuilt, more: true };
}

async function changedStep(db: Db): Promise<StepResult> {
  const position = await SEARCH.require(db);
  const [changed, touches] = await Promise.all([
    readChanged(db, position.snapshot, STEP_SIZE),
    readTouches(db, STEP_SIZE),
  ]);
  const keys = distinct([...changed.keys, ...touches]);
  if (keys.length === 0) return { read: 0, more: false };
  const described = await describeReceipts(db, keys);
  const isWritten = await writeRows(db, described, position, { ...position, snapshot: changed.snapshot });
  if (isWritten) await forgetTouches(db, touches);
  return { read: described.length, more: changed.more || touches.length === STEP_SIZE || !isWritten };
}

/** A receipt may have changed and been touched. One statement cannot write a row twice. */
const distinct = (keys: readonly ReceiptKey[]): ReceiptKey[] => [
  ...new Map(keys.map((key) => [`${key.merchant} ${key.receiptId}`, key])).values(),
];

/** Indexes the next receipts in key order, with all their terms. Returns their number. */
async function rebuildStep(db: Db, position: Position): Promise<number> {
  const { keys, next } = await readNext(db, position, STEP_SIZE);
  const described = await describeReceipts(db, keys);
  await writeRows(db, described, position, next, { repair: true });
  return described.length;
}

/** Indexes until nothing is left to do, or the signal is aborted. Returns how many receipts were read. */
export async function indexAll(db: Db, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const { read, more } = await indexStep(db);
    total += read;
    if (!more || signal?.aborted) return total;
  }
}
