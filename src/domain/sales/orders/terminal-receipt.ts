import { actorOf, type Caller, limitedTo } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newReceiptId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { merchantActedFor } from '../../shop/merchants/own-wallet.ts';
import type { Author } from '../receipts/author.ts';
import { RECORD_STATUS, type ReceiptStatus, type RecordStatus } from '../receipts/lifecycle.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import { draftReceipt } from './draft.ts';
import type { TerminalInput } from './order.input.ts';

/**
 * Creates a receipt for one amount that a cashier enters, with tax and fee by the rules of orders; the amount is
 * taxable, a tip is not. The same key and body within 24 hours return the same receipt.
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
  // A cashier who repeats the key of another one must not get that one's receipt.
  const cashier = limitedTo(caller);
  const operation = cashier === null ? 'createTerminalReceipt' : `createTerminalReceipt ${cashier}`;
  const request = { merchant: author.merchant, operation, ...repeatable };
  return withIdempotencyKey(deps.db, deps.clock(), request, book);
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
        lines: linesOf(input),
        tax: input,
        expiresInMinutes: input.expiresInMinutes,
        options: {},
      }),
    uow,
  );
}

const TIP_LABEL = 'Tip';

function linesOf({ label, amountCents, tipCents }: TerminalInput) {
  const line = { item: null, qty: 1 };
  const sale = { ...line, label, unitCents: amountCents, taxable: true };
  return tipCents === 0 ? [sale] : [sale, { ...line, label: TIP_LABEL, unitCents: tipCents, taxable: false }];
}

/** The payment state of a receipt, for a till that polls. */
export interface PaymentCheck {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** In the terms of receipt records. */
  readonly status: RecordStatus;
  /** True once the payment has its confirmations; false again after a refund. */
  readonly paid: boolean;
  readonly transactionHash: string | null;
}

const CHECK = query('payment-check', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('Receipt')
    .select(['status', 'transactionHash'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id),
);

const PAID: ReadonlySet<ReceiptStatus> = new Set(['paid', 'completed']);

/** Whether a receipt is paid. Refuses with `not_found`. */
export async function checkPayment(db: Db, merchant: Wallet, receiptId: string): Promise<PaymentCheck> {
  const [row] = await db.run(CHECK, { merchant, id: receiptId });
  if (!row) throw refuse('not_found', 'Receipt not found');
  return {
    merchant,
    receiptId,
    status: RECORD_STATUS[row.status],
    paid: PAID.has(row.status),
    transactionHash: row.transactionHash,
  };
}
