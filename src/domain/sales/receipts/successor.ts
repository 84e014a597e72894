import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import { auditVoid, type EndDeps, endUnpaid } from './end.ts';
import type { Receipt } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from './record-change.ts';

/** What takes the place of an unpaid receipt. */
interface Exchange {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The id of the receipt that takes its place. */
  readonly by: string;
  /** For the audit log. */
  readonly reason: string | null;
  readonly actor: string;
}

/**
 * Voids an unpaid receipt, books the one that takes its place, and notes each on the other. Returns null if the same
 * receipt has taken its place before: then nothing is booked.
 *
 * Refuses with `not_found`, with `receipt_paid` and `payment_underway` a receipt with any money, and with
 * `receipt_ended` (and `replacedBy`) one that another has replaced before.
 */
export async function replaceWithin<Made>(
  deps: EndDeps & AuditDeps,
  uow: UnitOfWork,
  { merchant, receiptId, by, reason, actor }: Exchange,
  book: () => Promise<Made>,
): Promise<Made | null> {
  const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
  const replacedBy = await successorOf(uow, receipt);
  if (replacedBy === by) return null;
  if (replacedBy !== null) throw refuse('receipt_ended', 'This receipt was replaced before', { replacedBy });
  const { status } = receipt;
  const ended = await endUnpaid(deps, uow, receipt, actor);
  const made = await book();
  await linkSuccessor(deps, uow, receipt, by, actor);
  if (ended) await auditVoid(deps, uow, receipt, status, reason);
  return made;
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
