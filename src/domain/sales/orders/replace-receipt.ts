import { refuse } from '../../../base/core/errors.ts';
import { newReceiptId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import type { Author } from '../receipts/author.ts';
import { auditVoid, type EndDeps, endUnpaid } from '../receipts/end.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../receipts/record-change.ts';
import { type BookingDeps, bookDraft } from './book-draft.ts';
import { readOrder } from './draft.ts';
import type { Replacement } from './order.input.ts';

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
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const replacedBy = await successorOf(uow, receipt);
    if (replacedBy !== null) throw refuse('receipt_ended', 'This receipt was replaced before', { replacedBy });
    const { status } = receipt;
    const ended = await endUnpaid(deps, uow, receipt, actor);
    const id = newReceiptId(deps.clock());
    const { refs, make } = readOrder(deps, author, order, id);
    const row = await bookDraft(deps, author, refs, make, uow);
    await linkSuccessor(deps, uow, receipt, id, actor);
    if (ended) await auditVoid(deps, uow, receipt, status, reason);
    return { ...row, seq: row.seq + 1 };
  };
  if (repeatable === null) return deps.db.transaction(work);
  return withIdempotencyKey(deps.db, deps.clock(), { merchant, operation: 'replaceReceipt', ...repeatable }, work);
}

/** The note on a receipt that a new one takes the place of, and on that one. Its detail has the other's id. */
const REPLACED_NOTE = 'replaced';
const REPLACES_NOTE = 'replaces';

const SUCCESSOR = query('receipt-successor', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('HistoryRow')
    .select('detail')
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.id)
    .where('kind', '=', 'note')
    .where('name', '=', REPLACED_NOTE)
    .limit(1),
);

/** The id of the receipt that takes the place of a locked one; null if there is none. */
export async function successorOf(uow: UnitOfWork, { merchant, id }: Receipt): Promise<string | null> {
  const [made] = await uow.run(SUCCESSOR, { merchant, id });
  return made ? String(made.detail?.receiptId) : null;
}

/** Notes on a locked receipt and on the one that takes its place the id of the other. */
export async function linkSuccessor(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  successorId: string,
  actor: string,
): Promise<void> {
  const successor = await lockReceiptOrRefuse(uow, receipt.merchant, successorId);
  const note = (of: Receipt, name: string, { id }: Receipt) =>
    recordChange(deps, uow, of, { kind: 'note', name }, { actor, detail: { receiptId: id } });
  await note(receipt, REPLACED_NOTE, successor);
  await note(successor, REPLACES_NOTE, receipt);
}

const LINKS = query('receipt-links', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('HistoryRow')
    .select(['receiptId', 'name', 'detail'])
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', (eb) => eb.fn.any(eb.val($.ids)))
    .where('kind', '=', 'note')
    .where('name', 'in', [REPLACED_NOTE, REPLACES_NOTE]),
);

/** The ids of the receipts beside each of these: the one that takes its place, and the one whose place it takes. */
export async function readLinks(db: Db, merchant: Wallet, ids: readonly string[]) {
  const rows = await db.run(LINKS, { merchant, ids });
  const other = (id: string, note: string) => {
    const row = rows.find(({ receiptId, name }) => receiptId === id && name === note);
    return row ? String(row.detail?.receiptId) : null;
  };
  return ids.map((id) => ({ replacedBy: other(id, REPLACED_NOTE), replaces: other(id, REPLACES_NOTE) }));
}
