import { LRUCache } from 'lru-cache';
import { refuse } from '../core/errors.ts';
import { weakMemo } from '../core/weak-memo.ts';
import { keptSettingsWithItems } from '../merchants/settings.ts';
import type { Deps } from '../platform/deps.ts';
import { ANSWER_MS, bodyDigest } from '../platform/idempotency.ts';
import type { Journal } from '../platform/journal.ts';
import type { Author } from '../receipts/author.ts';
import type { NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { OrderRequest } from './read-order.ts';

export type JournalDeps = Pick<Deps, 'sql' | 'clock' | 'settings' | 'rates' | 'journal'>;

/** An order with the id that it has whether it is booked at once or from the journal. */
export interface IdentifiedOrder {
  readonly body: unknown;
  readonly id: string;
  readonly request: OrderRequest;
}

/** What `withIdempotencyKey` knows an order by. */
export const OPERATION = 'createOrder';

/** An order in the journal: the receipt just as it was acknowledged, and what was answered under its Idempotency-Key. */
export interface JournalledOrder {
  readonly receipt: NewReceipt;
  readonly answered?: Answered & { readonly key: string };
}

/** What was answered from the journal under an id, for whoever asks again with the same Idempotency-Key before it is booked. */
interface Answered {
  readonly digest: string;
  readonly row: ReceiptRow;
}

/** The same, with its way onto the disk: nobody is told before. */
type Answering = Answered & { readonly kept: Promise<void> };

const MAX_ANSWERS = 10_000;
const answersOf = weakMemo(
  (_journal: Journal<object>) => new LRUCache<string, Answering>({ max: MAX_ANSWERS, ttl: ANSWER_MS }),
);

/** Remembers what was booked under an Idempotency-Key, so that who asks again gets the same answer while the database is away. */
export function rememberAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  id: string,
  { body, row }: { readonly body: unknown; readonly row: ReceiptRow },
): void {
  answersOf(journal).set(id, { digest: bodyDigest(body), row, kept: BOOKED });
}

const BOOKED = Promise.resolve();

/**
 * The answer that this process gave under this id; null where it gave none. Refuses with `invalid_input`
 * where it was given to another body, and with `datastore_unavailable` where it did not get onto the disk.
 */
export function givenAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  id: string,
  body: unknown,
): Promise<ReceiptRow> | null {
  const known = answersOf(journal).get(id);
  if (!known) return null;
  if (known.digest !== bodyDigest(body))
    throw refuse('invalid_input', 'This Idempotency-Key came with another body before', { field: 'Idempotency-Key' });
  return known.kept.then(() => known.row);
}

/**
 * Takes an order while the database is away: priced from the settings and items that are kept in memory, acknowledged once it is on disk. Refuses with
 * `datastore_unavailable` where these are not known or the disk does not take it.
 */
export async function journalOrder(
  deps: JournalDeps,
  author: Author,
  { body, id, request: { refs, make } }: IdentifiedOrder,
  idempotencyKey: string | null,
): Promise<ReceiptRow> {
  const { settings, items } = keptSettingsWithItems(deps, author.merchant, refs);
  const { receipt, row } = make(settings, items);
  if (idempotencyKey === null) {
    await deps.journal.append({ receipt } satisfies JournalledOrder);
    return row;
  }
  // Nothing is awaited from here to `keepAnswer`: of two requests at once with the same key, one is written and both are told of it.
  const first = givenAnswer(deps, id, body);
  if (first) return first;
  return keepAnswer(deps.journal, { receipt, answered: { digest: bodyDigest(body), row, key: idempotencyKey } });
}

async function keepAnswer(journal: Journal<object>, entry: Required<JournalledOrder>): Promise<ReceiptRow> {
  const { receipt, answered } = entry;
  const kept = journal.append(entry);
  answersOf(journal).set(receipt.id, { digest: answered.digest, row: answered.row, kept });
  try {
    await kept;
  } catch (error) {
    answersOf(journal).delete(receipt.id);
    throw error;
  }
  return answered.row;
}
