import type { Db } from '../../../base/platform/db.ts';
import { readChanged } from '../../sales/receipts/changed.ts';
import { defineFollower } from '../../sales/receipts/follower.ts';

/**
 * How far the search has read. Its rows and terms have this version: a server with another one builds the search again.
 * Searches keep the rows that they have until the rebuild replaces them.
 */
export const SEARCH = defineFollower('ReceiptIndex', 'receipts', 4);

/** How far the search is behind the receipts. */
export interface SearchLag {
  /** The age of the oldest change that searches do not find, in ms; 0 if there is none. */
  readonly lagMs: number;
  /** Older receipts are still being added, after an upgrade or a `receipts reindex`. */
  readonly building: boolean;
}

/** Reads the lag from the database, so it is the same in every process, also if no worker runs. */
export async function readSearchLag(db: Db, now: number): Promise<SearchLag> {
  const position = await SEARCH.read(db);
  if (!position) return { lagMs: 0, building: true };
  const { oldestAt } = await readChanged(db, position.snapshot, 1);
  return { lagMs: oldestAt === null ? 0 : Math.max(0, now - oldestAt), building: position.rebuildId !== null };
}
