import { boundedCache } from '../core/bounded-cache.ts';
import { refuse } from '../core/errors.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { ANSWER_MS, bodyDigest, type Repeatable } from '../platform/idempotency.ts';
import type { Journal } from '../platform/journal.ts';
import { keptSettingsWithItems } from '../pricing/settings.ts';
import type { Author } from '../receipts/author.ts';
import type { NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { OrderInput } from './order.input.ts';
import type { OrderRequest } from './read-order.ts';

export type JournalDeps = Pick<Deps, 'sql' | 'clock' | 'settings' | 'rates' | 'journal'>;

/** An order with its id, which is the same whether it is inserted directly or from the journal. */
export interface IdentifiedOrder {
  readonly input: OrderInput;
  readonly id: string;
  readonly request: OrderRequest;
  /** Null without an Idempotency-Key. */
  readonly repeatable: Repeatable | null;
}

/** The name of the operation in `withIdempotencyKey`. */
export const OPERATION = 'createOrder';

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
const answersOf = weakMemo((_journal: Journal<object>) =>
  boundedCache<string, PendingAnswer>({ max: MAX_ANSWERS, ttl: ANSWER_MS }),
);

/** Caches the answer for an Idempotency-Key, so that a retry gets the same answer while the database is unreachable. */
export function rememberAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  id: string,
  { body, row }: { readonly body: Repeatable['body']; readonly row: ReceiptRow },
): void {
  answersOf(journal).set(id, { digest: bodyDigest(body), row, written: BOOKED });
}

const BOOKED = Promise.resolve();

/**
 * The answer that this process gave under this id; null if there is none. Refuses with `invalid_input` if the body
 * differs, and with `datastore_unavailable` if the answer could not be written to disk.
 */
export function givenAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  id: string,
  body: Repeatable['body'],
): Promise<ReceiptRow> | null {
  const known = answersOf(journal).get(id);
  if (!known) return null;
  if (known.digest !== bodyDigest(body))
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
  { id, request: { refs, make }, repeatable }: IdentifiedOrder,
): Promise<ReceiptRow> {
  const { settings, items } = keptSettingsWithItems(deps, author.merchant, refs);
  const { receipt, row } = make(settings, items);
  if (repeatable === null) {
    await deps.journal.append({ receipt } satisfies JournalledOrder);
    return row;
  }
  // There is no await from here to `keepAnswer`: of two concurrent requests with the same key, one is written and both
  // get its answer.
  const { key, body } = repeatable;
  const first = givenAnswer(deps, id, body);
  if (first) return first;
  return keepAnswer(deps.journal, { receipt, answered: { digest: bodyDigest(body), row, key } });
}

async function keepAnswer(journal: Journal<object>, entry: Required<JournalledOrder>): Promise<ReceiptRow> {
  const { receipt, answered } = entry;
  const written = journal.append(entry);
  answersOf(journal).set(receipt.id, { digest: answered.digest, row: answered.row, written });
  try {
    await written;
  } catch (error) {
    answersOf(journal).delete(receipt.id);
    throw error;
  }
  return answered.row;
}
