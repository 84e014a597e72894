import { sql } from 'kysely';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { readChanged } from '../receipts/changed.ts';
import type { ReceiptKey } from '../receipts/receipt-key.ts';
import { forgetTouches, readTouches } from '../receipts/touch.ts';
import { describeReceipts } from './describe.ts';
import { type IndexState, type RebuildPlace, requireIndexState } from './index-state.ts';
import { writeRows } from './write.ts';

type IndexDeps = Pick<Deps, 'sql'>;

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
  const state = await requireIndexState(deps);
  if (!state.rebuild) return changed;
  const rebuilt = await rebuildStep(deps, state, state.rebuild);
  return { read: changed.read + rebuilt, more: true };
}

async function changedStep(deps: IndexDeps): Promise<StepResult> {
  const state = await requireIndexState(deps);
  const [changed, touches] = await Promise.all([
    readChanged(deps, state.snapshot, STEP_SIZE),
    readTouches(deps, STEP_SIZE),
  ]);
  const keys = distinct([...changed.keys, ...touches]);
  if (keys.length === 0) return { read: 0, more: false };
  const described = await describeReceipts(deps, keys);
  const isWritten = await writeRows(deps, described, state, { ...state, snapshot: changed.snapshot });
  if (isWritten) await forgetTouches(deps, touches);
  return { read: described.length, more: changed.more || touches.length === STEP_SIZE || !isWritten };
}

/** A receipt may have changed and been touched. One statement cannot write a row twice. */
const distinct = (keys: readonly ReceiptKey[]): ReceiptKey[] => [
  ...new Map(keys.map((key) => [`${key.merchant} ${key.receiptId}`, key])).values(),
];

const NEXT_RECEIPTS = query('receipt-search-rebuild', (db, $: { merchant: string; id: string }) =>
  db
    .selectFrom('Receipt')
    .select(['merchant', 'id as receiptId'])
    .where(sql<boolean>`(merchant, id) > (${$.merchant}, ${$.id})`)
    .orderBy('merchant')
    .orderBy('id')
    .limit(STEP_SIZE),
);

/** Indexes the next receipts in key order, with all their terms. Returns their number. */
async function rebuildStep(deps: IndexDeps, state: IndexState, after: RebuildPlace): Promise<number> {
  const keys = await deps.sql.run(NEXT_RECEIPTS, { ...after });
  const last = keys.at(-1);
  const described = await describeReceipts(deps, keys);
  const rebuild = last && keys.length === STEP_SIZE ? { merchant: last.merchant, id: last.receiptId } : null;
  await writeRows(deps, described, state, { ...state, rebuild }, { repair: true });
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
