import { boundedCache } from '../../../base/core/bounded-cache.ts';
import { refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { ANSWER_MS, type Repeatable } from '../../../base/platform/idempotency.ts';
import type { Journal } from '../../../base/platform/journal.ts';
import { keptSettingsWithItems } from '../pricing/settings.ts';
import type { Author } from '../receipts/author.ts';
import type { NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { OrderRequest } from './read-order.ts';

export type JournalDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'rates' | 'journal'>;

/** The name of the operation in `withIdempotencyKey`. */
export const OPERATION = 'createOrder';

/** The kind of the journal with these entries. */
export const JOURNAL = 'orders';

/** An order in the journal: the acknowledged receipt, and the answer given under its Idempotency-Key. */
export interface JournalledOrder {
  readonly receipt: NewReceipt;
  readonly answered?: Answered & { readonly key: string };
}

/** An answer given under an Idempotency-Key, for retries that arrive before the order is in the database. */
interface Answered {
  readonly digest: string;
  readonly row: ReceiptRow;
}

/** An answer with the write to disk that it waits for: it is returned only after the write. */
type PendingAnswer = Answered & { readonly written: Promise<void> };

const MAX_ANSWERS = 10_000;
const answersOf = keptBy('answers to idempotency keys', (_journal: Journal<object>) =>
  boundedCache<string, PendingAnswer>({ max: MAX_ANSWERS, ttl: ANSWER_MS }),
);

/** An Idempotency-Key of one merchant. */
const placeOf = ({ merchant }: Author, { key }: Repeatable): string => `${merchant} ${key}`;

/** Caches the answer for an Idempotency-Key, so that a retry gets the same answer while the database is unreachable. */
export function rememberAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  author: Author,
  repeatable: Repeatable,
  row: ReceiptRow,
): void {
  answersOf(journal).set(placeOf(author, repeatable), { digest: repeatable.digest, row, written: BOOKED });
}

const BOOKED = Promise.resolve();

/**
 * The answer that this process gave to the Idempotency-Key; null if there is none. Refuses with `invalid_input` if the
 * body differs, and with `datastore_unavailable` if the answer could not be written to disk.
 */
export function givenAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  author: Author,
  repeatable: Repeatable,
): Promise<ReceiptRow> | null {
  const known = answersOf(journal).get(placeOf(author, repeatable));
  if (!known) return null;
  if (known.digest !== repeatable.digest)
    throw refuse('invalid_input', 'This Idempotency-Key was used with another body', { field: 'Idempotency-Key' });
  return known.written.then(() => known.row);
}

/**
 * Accepts an order while the database is unreachable: prices it from cached settings and items, and acknowledges it
 * once it is on disk. Refuses with `datastore_unavailable` if the settings are not cached or the write fails.
 */
export async function journalOrder(
  deps: JournalDeps,
  author: Author,
  { refs, make }: OrderRequest,
  repeatable: Repeatable | null,
): Promise<ReceiptRow> {
  const { settings, items } = keptSettingsWithItems(deps.db, author.merchant, refs);
  const { receipt, row } = make(settings, items);
  if (repeatable === null) {
    await deps.journal.append({ receipt } satisfies JournalledOrder);
    return row;
  }
  // There is no await from here to the end of `keepAnswer`'s first step: of two concurrent requests with the same key,
  // one is written and both get its answer.
  const first = givenAnswer(deps, author, repeatable);
  if (first) return first;
  const answered = { ...repeatable, row };
  return keepAnswer(deps.journal, placeOf(author, repeatable), { receipt, answered });
}

async function keepAnswer(
  journal: Journal<object>,
  place: string,
  entry: Required<JournalledOrder>,
): Promise<ReceiptRow> {
  const { digest, row } = entry.answered;
  const written = journal.append(entry);
  answersOf(journal).set(place, { digest, row, written });
  try {
    await written;
  } catch (error) {
    answersOf(journal).delete(place);
    throw error;
  }
  return row;
}
