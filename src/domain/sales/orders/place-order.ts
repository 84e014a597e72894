import { Refusal } from '../../../base/core/errors.ts';
import { newReceiptId, receiptIdFor } from '../../../base/core/ids.ts';
import { ANSWER_MS, type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { hmac } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import type { Author } from '../receipts/author.ts';
import type { EndDeps } from '../receipts/end.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { replaceWithin } from '../receipts/successor.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import { type OrderRequest, readOrder } from './draft.ts';
import { givenAnswer, type JournalDeps, journalOrder, OPERATION, rememberAnswer } from './journal-order.ts';
import type { OrderInput, Replacement } from './order.input.ts';

/** The result of placing an order. */
export interface Placed {
  readonly receipt: ReceiptRow;
  /** True if the order is only on disk, because the database is unreachable. */
  readonly degraded: boolean;
}

/**
 * Turns cart items into a receipt with tax and processing fee. An Idempotency-Key is processed once: the same key and
 * body within 24 hours return the same receipt. If the database is unreachable, the order is priced from cached
 * settings, written to the journal, and inserted when the database is back. An order with a total of zero is completed
 * at once.
 *
 * Refuses with `items_required`, `inventory_item_not_found`, `split_required`, `exchange_rate_unavailable`, and with
 * `invalid_input` (names the field or the sku that is out of stock; also for another body under the same key). Refuses
 * with `datastore_unavailable` if the order can be neither inserted nor journalled. A refused order writes nothing.
 *
 * @param repeatable the Idempotency-Key and the body that it was sent with; null without a key
 */
export async function placeOrder(
  deps: BookingDeps & JournalDeps,
  author: Author,
  input: OrderInput,
  repeatable: Repeatable | null,
): Promise<Placed> {
  // Id and time are fixed before the first attempt: if the outcome of the insert is unknown, the journal holds the same
  // order.
  const at = deps.clock();
  const id = repeatable === null ? newReceiptId(at) : idOf(deps, author, repeatable, at);
  // An answer from the journal stays valid until the order is in the database, even if the database is back.
  const given = repeatable !== null && deps.journal.pending() ? await givenAnswer(deps, author, repeatable) : null;
  if (given) return { receipt: given, degraded: true };
  const request = readOrder({ settings: deps.settings, rates: deps.rates, clock: () => at }, author, input, id);
  try {
    const receipt = await book(deps, author, request, repeatable, at);
    if (repeatable !== null) rememberAnswer(deps, author, repeatable, receipt);
    return { receipt, degraded: false };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    return { receipt: await journalOrder(deps, author, request, repeatable), degraded: true };
  }
}

/**
 * Derives the receipt's id from the key, the body and the day, so that an insert, the journal and another server use
 * the same id, and a key that is used again after a day, or with another body, gives an id that no receipt has. The id
 * cannot be guessed without the server's secret.
 */
function idOf(
  { settings }: Pick<BookingDeps, 'settings'>,
  { merchant }: Author,
  { key, digest }: Repeatable,
  at: number,
): string {
  const day = Math.floor(at / ANSWER_MS);
  const request = [OPERATION, merchant, key, day, digest];
  return receiptIdFor(hmac(settings.keyEncryptionKey, JSON.stringify(request)));
}

function book(
  deps: BookingDeps,
  author: Author,
  { refs, make }: OrderRequest,
  repeatable: Repeatable | null,
  at: number,
): Promise<ReceiptRow> {
  if (repeatable === null) return bookDraft(deps, author, refs, make);
  const request = { merchant: author.merchant, operation: OPERATION, ...repeatable };
  return withIdempotencyKey(deps.db, at, request, (uow) => bookDraft(deps, author, refs, make, uow));
}

/**
 * Voids an unpaid receipt and places the order that takes its place, as a cart that changes needs it: both or neither,
 * once per Idempotency-Key. Each names the other in its history. The stock that the receipt held is free for the order.
 *
 * Refuses with `receipt_paid` and `payment_underway` a receipt with any money, with `receipt_ended` (and `replacedBy`)
 * one that was replaced before, and as placing an order does. A refused request changes nothing.
 */
export function replaceReceipt(
  deps: BookingDeps & EndDeps & AuditDeps,
  author: Author,
  { receiptId, reason, order }: Replacement,
  repeatable: Repeatable | null,
): Promise<ReceiptRow> {
  const { merchant, actor } = author;
  const work = async (uow: UnitOfWork): Promise<ReceiptRow> => {
    const by = newReceiptId(deps.clock());
    const { refs, make } = readOrder(deps, author, order, by);
    const book = () => bookDraft(deps, author, refs, make, uow);
    const row = await replaceWithin(deps, uow, { merchant, receiptId, by, reason, actor }, book);
    return { ...row!, seq: row!.seq + 1 };
  };
  if (repeatable === null) return deps.db.transaction(work);
  return withIdempotencyKey(deps.db, deps.clock(), { merchant, operation: 'replaceReceipt', ...repeatable }, work);
}
