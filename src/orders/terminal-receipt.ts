import { actorOf, type Caller } from '../core/caller.ts';
import { newReceiptId } from '../core/ids.ts';
import { merchantActedFor } from '../merchants/own-wallet.ts';
import { type Repeatable, withIdempotencyKey } from '../platform/idempotency.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { Author } from '../receipts/author.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import { draftReceipt } from './draft.ts';
import type { TerminalInput } from './terminal.input.ts';

/**
 * Creates a receipt for one amount that a cashier enters, with tax and fee by the rules of orders; the amount is
 * taxable. The same key and body within 24 hours return the same receipt.
 *
 * A merchant's session acts for its own merchant; a platform admin names one (`wallet`). Refuses with
 * `wallet_required`, `invalid_amount`, `invalid_input`, `forbidden` (another merchant's wallet), `not_found` (not a
 * merchant's wallet), `split_required` or `exchange_rate_unavailable`. A refused request writes nothing.
 */
export async function createTerminalReceipt(
  deps: BookingDeps,
  caller: Caller,
  input: TerminalInput,
  repeatable: Repeatable | null,
): Promise<ReceiptRow> {
  const author: Author = { merchant: merchantActedFor(caller, input.wallet), keyId: null, actor: actorOf(caller) };
  const book = (uow?: UnitOfWork) => bookTerminalReceipt(deps, author, input, uow);
  if (repeatable === null) return book();
  const request = { merchant: author.merchant, operation: 'createTerminalReceipt', ...repeatable };
  return withIdempotencyKey(deps, request, book);
}

function bookTerminalReceipt(
  deps: BookingDeps,
  author: Author,
  input: TerminalInput,
  uow?: UnitOfWork,
): Promise<ReceiptRow> {
  return bookDraft(
    deps,
    author,
    [],
    (settings) =>
      draftReceipt(deps, author, settings, {
        id: newReceiptId(deps.clock()),
        origin: 'terminal',
        currency: input.currency ?? settings.nativeCurrency,
        lines: [{ label: input.label, item: null, unitCents: input.amountCents, qty: 1, taxable: true }],
        tax: input,
        expiresInMinutes: input.expiresInMinutes,
        options: {},
      }),
    uow,
  );
}
