import { Refusal } from '../core/errors.ts';
import { newReceiptId, receiptIdFor } from '../core/ids.ts';
import { withIdempotencyKey } from '../platform/idempotency.ts';
import { hmac } from '../platform/secrets.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { Author } from '../receipts/author.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import {
  givenAnswer,
  type IdentifiedOrder,
  type JournalDeps,
  journalOrder,
  OPERATION,
  rememberAnswer,
} from './journal-order.ts';
import { readOrder } from './read-order.ts';

/** An order that was taken. */
export interface Placed {
  readonly receipt: ReceiptRow;
  /** It is on disk but not in the database yet, which is away. */
  readonly degraded: boolean;
}

/**
 * Turns cart items into a receipt with tax and processing fee, once for each Idempotency-Key: the same key and body within 24 hours answer the same
 * receipt. With the database away the order is priced from what is kept in memory, written to the journal, and booked once the database is back.
 *
 * Refuses with `items_required`, `invalid_input` (naming the field, or the sku that is short; or for another body under the same key),
 * `inventory_item_not_found`, `split_required`, `exchange_rate_unavailable`, and with `datastore_unavailable` what can be neither booked nor kept;
 * nothing is written then. An order over nothing is completed at once.
 *
 * @param body the request's own fields, as in `POST /api/orders`
 */
export async function placeOrder(
  deps: BookingDeps & JournalDeps,
  author: Author,
  body: unknown,
  idempotencyKey: string | null,
): Promise<Placed> {
  // Id and moment are fixed before the first attempt: where nobody knows whether it was booked, the journal holds the very same order.
  const at = deps.clock();
  const id = idempotencyKey === null ? newReceiptId(at) : idOf(deps, author, idempotencyKey);
  // What the journal holds is the answer, also when the database is back and has not heard of it yet.
  const given = idempotencyKey !== null && deps.journal.pending() ? await givenAnswer(deps, id, body) : null;
  if (given) return { receipt: given, degraded: true };
  const request = readOrder({ settings: deps.settings, rates: deps.rates, clock: () => at }, author, body, id);
  try {
    const receipt = await book(deps, author, { body, id, request }, idempotencyKey);
    if (idempotencyKey !== null) rememberAnswer(deps, id, { body, row: receipt });
    return { receipt, degraded: false };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    return { receipt: await journalOrder(deps, author, { body, id, request }, idempotencyKey), degraded: true };
  }
}

/** The same key names the same receipt, whether it is booked at once or from the journal; nobody else can guess which. */
function idOf({ settings }: Pick<BookingDeps, 'settings'>, { merchant }: Author, key: string): string {
  return receiptIdFor(hmac(settings.keyEncryptionKey, JSON.stringify([OPERATION, merchant, key])));
}

function book(
  deps: BookingDeps,
  author: Author,
  { body, id, request: { refs, make } }: IdentifiedOrder,
  idempotencyKey: string | null,
): Promise<ReceiptRow> {
  if (idempotencyKey === null) return bookDraft(deps, author, refs, make);
  return withIdempotencyKey(
    deps,
    { merchant: author.merchant, operation: OPERATION, key: idempotencyKey, body },
    async (uow) => {
      if (!(await isTaken(uow, author, id))) return bookDraft(deps, author, refs, make, uow);
      // The key was used before, more than a day ago: this is another order.
      const again = readOrder(deps, author, body, newReceiptId(deps.clock()));
      return bookDraft(deps, author, again.refs, again.make, uow);
    },
  );
}

async function isTaken(uow: UnitOfWork, { merchant }: Author, id: string): Promise<boolean> {
  const found = await uow.sql('select 1 from receipts where merchant = $1 and id = $2', [merchant, id]);
  return found.length > 0;
}
