import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { OnItsWayKind } from '../../../base/core/on-its-way.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type DuePlace, workOnDue } from '../../../base/platform/work-on-due.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { lateHoursIn } from '../../shop/merchants/payment-terms.ts';
import { EXPIRED, holdsMoney, isVoided, VOIDED } from './ended.ts';
import { NO_CHECKOUT } from './fail.ts';
import { isWaiting, WAITING } from './lifecycle.ts';
import { isHeldOpen, readOnItsWay, requireNothingOnItsWay } from './on-its-way.ts';
import { readEnded } from './read-ended.ts';
import type { Receipt } from './receipt.entity.ts';
import { endHold } from './receipt-stock.ts';
import { lockReceipt, lockReceiptOrRefuse, recordChange } from './record-change.ts';

export type EndDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'moneyOnItsWay'>;

/**
 * Ends a locked receipt without a payment: it becomes `failed`, with webhook. A receipt that has failed already gets a
 * note `ended` instead.
 */
async function endReceipt(
  deps: EndDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  code: typeof EXPIRED | typeof VOIDED,
  actor: string,
): Promise<void> {
  const hasFailed = receipt.status === 'failed';
  Object.assign(receipt, NO_CHECKOUT, { failureCode: code, closedAt: deps.clock() });
  const change = hasFailed ? ({ kind: 'note', name: 'ended' } as const) : ({ kind: 'status', to: 'failed' } as const);
  await recordChange(deps, uow, receipt, change, { actor, detail: { failureCode: code } });
}

/**
 * Ends an unpaid receipt by hand. A receipt that was voided already does not change. Refuses with `not_found`, and with
 * `invalid_input` a receipt that is paid or whose payment is on its way; the message says what is.
 *
 * @param actor the admin, as in `wallet:0x…`
 * @param reason for the audit log
 */
export function voidReceipt(
  deps: EndDeps & AuditDeps,
  merchant: Wallet,
  id: string,
  actor: string,
  reason: string | null = null,
): Promise<void> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, id);
    if (isVoided(receipt)) return;
    const onItsWay = await readOnItsWay(deps, uow, receipt);
    if (onItsWay.length > 0)
      throw refuse('invalid_input', `${describe(onItsWay)}: it cannot be voided`, { reason: 'not_voidable' });
    if (!VOIDABLE.has(receipt.status))
      throw refuse('invalid_input', `This receipt is ${receipt.status}: it cannot be voided`, {
        reason: 'not_voidable',
      });
    const { status } = receipt;
    await endReceipt(deps, uow, receipt, VOIDED, actor);
    await auditVoid(deps, uow, receipt, status, reason);
  });
}

/**
 * The same for a shop's program, which decides about no money: refuses with `payment_underway`, and with `receipt_paid`
 * a receipt that holds any of its payment.
 */
export function voidUnpaid(
  deps: EndDeps & AuditDeps,
  merchant: Wallet,
  id: string,
  actor: string,
  reason: string | null,
): Promise<void> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, id);
    const { status } = receipt;
    if (await endUnpaid(deps, uow, receipt, actor)) await auditVoid(deps, uow, receipt, status, reason);
  });
}

/** Ends a locked receipt in this way, without an entry of the audit log. Returns false if it was voided before. */
export async function endUnpaid(deps: EndDeps, uow: UnitOfWork, receipt: Receipt, actor: string): Promise<boolean> {
  if (isVoided(receipt)) return false;
  await requireNothingOnItsWay(deps, uow, receipt);
  if (!VOIDABLE.has(receipt.status) || holdsMoney(receipt)) throw refuse('receipt_paid');
  await endReceipt(deps, uow, receipt, VOIDED, actor);
  return true;
}

/** Records in the audit log that a receipt was voided, which had this status before. */
export const auditVoid = (
  deps: AuditDeps,
  uow: UnitOfWork,
  { merchant, id }: Pick<Receipt, 'merchant' | 'id'>,
  status: Receipt['status'],
  reason: string | null,
): Promise<void> =>
  recordAudit(deps, uow, merchant, 'receipt.voided', ['receipt', id], {
    before: { status },
    after: { status: 'voided', ...(reason === null ? {} : { reason }) },
  });

const VOIDABLE: ReadonlySet<string> = new Set(['generated', 'pending', 'tx_mismatch', 'failed']);

const SENTENCES: Readonly<Record<OnItsWayKind, string>> = {
  card: 'a card was charged',
  authorization: 'a signed transfer was sent',
  charge: 'a recurring charge was sent',
  payment: 'its transaction is in a block',
  transaction: 'its transaction was submitted',
};

const describe = (onItsWay: readonly OnItsWayKind[]): string =>
  `A payment of this receipt is on its way (${onItsWay.map((kind) => SENTENCES[kind]).join(', ')})`;

const BATCH = 500;

/** Receipts that are part-paid at `expiresAt` give back their stock then, and end later; see `endOf`. */
const DUE = query('receipts-expired', (db, $: DuePlace & { now: number }) =>
  db
    .selectFrom('Receipt as r')
    .leftJoin('Merchant as m', 'm.wallet', 'r.merchant')
    .select(['r.merchant', 'r.id', 'r.expiresAt as dueAt'])
    .where('r.closedAt', 'is', null)
    .where('r.expiresAt', '<=', $.now)
    .where('r.status', 'in', WAITING)
    .where(({ or, eb, ref }) =>
      or([
        eb('r.status', '<>', 'tx_mismatch'),
        eb('r.transactionTimestamp', 'is', null),
        eb('r.stockHeld', '=', true),
        eb('r.expiresAt', '<=', sql<number>`${$.now}::int8 - 3600000::int8 * ${lateHoursIn(ref('m.shop'))}`),
      ]),
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('r.expiresAt', 'r.merchant', 'r.id'), '>', tuple($.dueAt, $.merchant, $.id)),
    )
    .orderBy('r.expiresAt')
    .orderBy('r.merchant')
    .orderBy('r.id')
    .limit(BATCH)
    .$narrowType<{ dueAt: number }>(),
);

/**
 * Ends the unpaid receipts whose time is over, unless money is on its way to them, and the holds of those that wait for
 * the rest of their payment. Returns the number of ended receipts. Safe to run in several workers at once: each receipt
 * is checked again under its lock.
 */
export function expireReceipts(deps: EndDeps & { readonly log: Deps['log'] }): Promise<number> {
  const read = (after: DuePlace) => deps.db.run(DUE, { ...after, now: deps.clock() });
  return workOnDue(deps, 'receipt expiry failed', { batch: BATCH, read }, ({ merchant, id }) =>
    expireReceipt(deps, merchant, id),
  );
}

function expireReceipt(deps: EndDeps, merchant: Wallet, id: string): Promise<boolean> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceipt(uow, merchant, id);
    const now = deps.clock();
    if (receipt?.closedAt !== null || receipt.expiresAt == null || receipt.expiresAt > now) return false;
    if (!isWaiting(receipt) || (await isHeldOpen(deps, uow, receipt))) return false;
    if (!(await readEnded(uow, receipt, now))) {
      if (await endHold(uow, receipt))
        await recordChange(deps, uow, receipt, { kind: 'note', name: 'hold_ended' }, { actor: 'timer' });
      return false;
    }
    await endReceipt(deps, uow, receipt, EXPIRED, 'timer');
    return true;
  });
}
