import type { Deps } from '../../../base/platform/deps.ts';
import { readChanged } from '../../sales/receipts/changed.ts';
import { type Position, readNext } from '../../sales/receipts/follower.ts';
import type { ReceiptKey } from '../../sales/receipts/receipt-key.ts';
import { forgetTouches, readTouches } from '../../sales/receipts/touch.ts';
import { describeReceipts } from './describe.ts';
import { SEARCH } from './index-state.ts';
import { writeRows } from './write.ts';

type IndexDeps = Pick<Deps, 'db'>;

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
export async function indexStep(deps: IndexDeps): Promise<StepResult> {
  const changed = await changedStep(deps);
  if (changed.more) return changed;
  const position = await SEARCH.require(deps);
  if (position.rebuildId === null) return changed;
  const rebuilt = await rebuildStep(deps, position);
  return { read: changed.read + rebuilt, more: true };
}

async function changedStep(deps: IndexDeps): Promise<StepResult> {
  const position = await SEARCH.require(deps);
  const [changed, touches] = await Promise.all([
    readChanged(deps, position.snapshot, STEP_SIZE),
    readTouches(deps, STEP_SIZE),
  ]);
  const keys = distinct([...changed.keys, ...touches]);
  if (keys.length === 0) return { read: 0, more: false };
  const described = await describeReceipts(deps, keys);
  const isWritten = await writeRows(deps, described, position, { ...position, snapshot: changed.snapshot });
  if (isWritten) await forgetTouches(deps, touches);
  return { read: described.length, more: changed.more || touches.length === STEP_SIZE || !isWritten };
}

/** A receipt may have changed and been touched. One statement cannot write a row twice. */
const distinct = (keys: readonly ReceiptKey[]): ReceiptKey[] => [
  ...new Map(keys.map((key) => [`${key.merchant} ${key.receiptId}`, key])).values(),
];

/** Indexes the next receipts in key order, with all their terms. Returns their number. */
async function rebuildStep(deps: IndexDeps, position: Position): Promise<number> {
  const { keys, next } = await readNext(deps, position, STEP_SIZE);
  const described = await describeReceipts(deps, keys);
  await writeRows(deps, described, position, next, { repair: true });
  return described.length;
}

/** Indexes until nothing is left to do, or the signal is aborted. Returns how many receipts were read. */
export async function indexAll(deps: IndexDeps, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const { read, more } = await indexStep(deps);
    total += read;
    if (!more || signal?.aborted) return total;
  }
}
