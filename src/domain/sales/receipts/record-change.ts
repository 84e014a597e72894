import { refuse } from '../../../base/core/errors.ts';
import { receiptMoves } from '../../../base/core/observed.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { query, valuesOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { leavesLittle, type Oversold } from '../../shop/catalog/stock.ts';
import { enqueueEvent } from '../../webhooks/delivery/enqueue.ts';
import { enqueueMails, enqueueNotice } from '../../webhooks/mail/enqueue.ts';
import type { BuyerMail } from '../../webhooks/mail/kinds.ts';
import { CHANGING_COLUMNS } from './columns.ts';
import { failureOf } from './failures.ts';
import type { HistoryRow } from './history.entity.ts';
import { RECEIPT, type ReceiptStatus, WEBHOOK_STATUS, WEBHOOK_TRACKING } from './lifecycle.ts';
import { type BillingAddress, RECEIPT_COLUMNS, type Receipt } from './receipt.entity.ts';
import { moveStock } from './receipt-stock.ts';

/** A change of a receipt: its money moves, its buyer's side sends a report, or a note is added. */
export type Change =
  | { readonly kind: 'status'; readonly to: ReceiptStatus }
  | { readonly kind: 'tracking'; readonly name: string }
  | { readonly kind: 'note'; readonly name: string };

/** The actor of a change, and details to store with it. */
export interface Circumstances {
  /** `buyer`, `chain`, `key:<id>`, `wallet:<address>`, `settlement`, … */
  readonly actor: string;
  readonly detail?: Record<string, unknown>;
}

/** The name of the note about items sold beyond the stock; its detail holds `oversold`. */
export const OVERSOLD_NOTE = 'oversold';

const LOCK = query('receipt-lock', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('Receipt')
    .select(RECEIPT_COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id)
    .limit(1)
    .forUpdate(),
);

/** Loads a receipt and locks it until the transaction ends. Null if it does not exist. */
export async function lockReceipt(uow: UnitOfWork, merchant: Wallet, id: string): Promise<Receipt | null> {
  const [receipt = null] = await uow.run(LOCK, { merchant, id });
  return receipt;
}

/** Like `lockReceipt`, but refuses with `not_found`. */
export async function lockReceiptOrRefuse(uow: UnitOfWork, merchant: Wallet, id: string): Promise<Receipt> {
  return (await lockReceipt(uow, merchant, id)) ?? fail();
}

function fail(): never {
  throw refuse('not_found', 'Receipt not found');
}

/**
 * The only function that changes a receipt's status or history. The receipt must be locked by this unit of work
 * (`lockReceipt`). Set its other fields (transaction, failure, …) before the call, because the webhook contains them.
 * Stores the receipt (`CHANGING_COLUMNS`), writes the history row with the next `seq` and enqueues the webhook, all in
 * the same transaction. Moves its stock (`moveStock`). Notifies subscribers after the commit. Items sold beyond the
 * stock appear in the webhook and in a note `oversold`. A transition that `RECEIPT` does not allow is a bug in the
 * caller and throws.
 */
export async function recordChange(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  change: Change,
  circumstances: Circumstances,
): Promise<void> {
  const now = deps.clock();
  const previousStatus = receipt.status;
  let oversold: readonly Oversold[] = [];
  if (change.kind === 'status') {
    if (!RECEIPT.mayMove(previousStatus, change.to))
      throw new Error(`A receipt cannot move from ${previousStatus} to ${change.to}`);
    receipt.status = change.to;
    if (change.to !== 'failed') receipt.failureCode = null;
    if (CLOSED.includes(change.to)) receipt.closedAt ??= now;
    if (isTakenBack(previousStatus, change.to)) reopen(receipt, now);
    // Money that pays an ended receipt reopens it.
    if (change.to === 'tx_mined' || change.to === 'tx_mismatch') receipt.closedAt = null;
    forgetCheckout(receipt, previousStatus, change.to);
    oversold = await moveStock(uow, receipt, previousStatus, change.to, now);
  }
  await addRow(uow, receipt, change, withFailure(change, circumstances, receipt), { previousStatus, now });

  const announced = announcedName(change);
  if (announced !== null) {
    if (receipt.webhookUrl && receipt.keyId) {
      await enqueueEvent(uow, {
        merchant: receipt.merchant,
        receiptId: receipt.id,
        seq: receipt.seq,
        status: announced,
        previousStatus: receipt.announcedStatus,
        // Only a `failed` webhook carries the failure; a report on a failed receipt does not.
        failure: announced === WEBHOOK_STATUS.failed ? failureOf(receipt.failureCode) : null,
        transactionHash: receipt.transactionHash,
        buyerWallet: receipt.buyerWallet,
        totalCents: receipt.totalCents,
        customerTotalCents: receipt.customerTotalCents ?? receipt.totalCents,
        onrampSourceAmountCents: receipt.onrampSourceAmountCents,
        onrampSessionId: receipt.onrampSessionId,
        token: receipt.paidToken,
        transactionId: receipt.transactionId,
        metadata: receipt.metadata,
        oversold,
        acceptedUsd: receipt.acceptedUsd,
        at: now,
        webhookUrl: receipt.webhookUrl,
        keyId: receipt.keyId,
      });
    }
    receipt.announcedStatus = announced;
  }
  if (oversold.length > 0) {
    const note = { actor: 'stock', detail: { oversold } };
    await addRow(uow, receipt, { kind: 'note', name: OVERSOLD_NOTE }, note, { previousStatus, now });
  }
  await storeReceipt(uow, receipt);
  await tellByMail(deps, uow, receipt, change, circumstances, oversold.length > 0);
  const { seq, status } = receipt;
  uow.afterCommit(() => {
    if (change.kind === 'status' && receiptMoves.hasSubscribers) receiptMoves.publish({ status });
    signalChange(deps.bus, receipt.merchant, receipt.id, seq);
  });
}

/** Enqueues the e-mails that a change is worth. A receipt without an address has none for its buyer. */
async function tellByMail(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, id, seq, billingAddress, lineItems }: Receipt,
  change: Change,
  { detail }: Circumstances,
  isOversold: boolean,
): Promise<void> {
  if (deps.settings.mail === null) return;
  const about = change.kind === 'status' ? change.to : change.name;
  const kind = BUYER_MAIL_OF[about];
  // A receipt is sent once; each refund and each part of a payment is an occasion of its own.
  const occasion = kind === 'receipt' ? '' : seq;
  if (kind && billingAddress?.email) await enqueueMails(deps, uow, [{ merchant, kind, subjectId: id, occasion }]);
  // Without amounts it is only a remark.
  if (about === 'refund_requested' && detail?.refundIds !== undefined)
    await enqueueNotice(deps, uow, merchant, 'refund_requested');
  if (isOversold || (about === 'paid' && (await leavesLittle(uow, merchant, lineItems))))
    await enqueueNotice(deps, uow, merchant, 'low_stock');
}

/** The message to the buyer about a status or a note. */
const BUYER_MAIL_OF: Readonly<Record<string, BuyerMail | undefined>> = {
  paid: 'receipt',
  tx_mismatch: 'part_payment',
  refund_partial: 'refund',
  refunded: 'refund',
};

const STORE = query('receipt-store', (db, $: Pick<Receipt, (typeof CHANGING_COLUMNS)[number] | 'merchant' | 'id'>) =>
  db
    .updateTable('Receipt')
    .set(valuesOf($, CHANGING_COLUMNS))
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id),
);

/** Stores what has changed of a locked receipt (`CHANGING_COLUMNS`) and is no change of its history. */
export async function storeReceipt(uow: UnitOfWork, receipt: Receipt): Promise<void> {
  await uow.run(STORE, receipt);
}

/** Replaces the billing address of a locked receipt. */
export async function storeBillingAddress(
  uow: UnitOfWork,
  receipt: Receipt,
  billingAddress: BillingAddress | null,
): Promise<void> {
  receipt.billingAddress = billingAddress;
  await uow.db
    .updateTable('Receipt')
    .set({ billingAddress })
    .where('merchant', '=', receipt.merchant)
    .where('id', '=', receipt.id)
    .execute();
}

/** The history keeps why a payment failed: the receipt forgets it with the next attempt. */
function withFailure({ kind }: Change, { actor, detail }: Circumstances, receipt: Receipt): Circumstances {
  const { status, failureCode } = receipt;
  const failed = kind === 'status' && status === 'failed' && failureCode != null;
  return failed ? { actor, detail: { ...detail, failureCode } } : { actor, detail };
}

/** The time that a receipt gets at least when it waits for money again. */
const REOPENED_MS = 3_600_000;

/** In these statuses a receipt waits for no money. One that has failed is closed only by its end. */
const CLOSED: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** Whether a receipt waits again for what it had, or had started. */
const isTakenBack = (from: ReceiptStatus, to: ReceiptStatus): boolean =>
  to === 'pending' ? from !== 'generated' : to === 'tx_mismatch' && from === 'tx_mined';

/** A receipt that waits again, because it was renewed or its payment was reorganised away, ends later. */
function reopen(receipt: Receipt, now: number): void {
  receipt.closedAt = null;
  if (receipt.expiresAt != null && receipt.expiresAt <= now) receipt.expiresAt = now + REOPENED_MS;
}

const HISTORY_COLUMNS = [
  'merchant',
  'receiptId',
  'seq',
  'kind',
  'status',
  'previousStatus',
  'name',
  'actor',
  'detail',
  'at',
] as const satisfies readonly (keyof HistoryRow)[];

const ADD = query('receipt-history-add', (db, $: Pick<HistoryRow, (typeof HISTORY_COLUMNS)[number]>) =>
  db.insertInto('HistoryRow').values(valuesOf($, HISTORY_COLUMNS)),
);

/** Adds the next row to a receipt's history. */
async function addRow(
  uow: UnitOfWork,
  receipt: Receipt,
  change: Change,
  { actor, detail }: Circumstances,
  { previousStatus, now }: { readonly previousStatus: ReceiptStatus; readonly now: number },
): Promise<void> {
  receipt.seq += 1;
  receipt.updatedAt = now;
  await uow.run(ADD, {
    merchant: receipt.merchant,
    receiptId: receipt.id,
    seq: receipt.seq,
    kind: change.kind,
    status: receipt.status,
    previousStatus: change.kind === 'status' ? previousStatus : null,
    name: change.kind === 'status' ? null : change.name,
    actor,
    detail: detail ?? null,
    at: now,
  });
}

/**
 * Removes the card checkout from a receipt that it cannot pay any more. A new attempt starts without the failed
 * checkout. Money that arrives before a card was charged came from a wallet.
 */
function forgetCheckout(receipt: Receipt, from: ReceiptStatus, to: ReceiptStatus): void {
  const arrived = to === 'tx_mined' || to === 'tx_mismatch';
  const isDelivery = arrived && receipt.onrampCharged;
  if (isDelivery || !(from === 'failed' || arrived)) return;
  receipt.onrampSessionId = null;
  receipt.onrampSourceAmountCents = null;
  receipt.customerTotalCents = null;
}

/** The status name in the webhook for a change; null if the change sends no webhook. */
function announcedName(change: Change): string | null {
  if (change.kind === 'status') return WEBHOOK_STATUS[change.to] ?? null;
  return WEBHOOK_TRACKING.has(change.name) ? change.name : null;
}

/** The bus channel for new history rows of one receipt. */
export const receiptChannel = (merchant: Wallet, id: string): string => `receipt:${merchant}:${id}`;
/** The bus channel for new history rows of all receipts of a merchant. */
export const merchantChannel = (merchant: Wallet): string => `receipts:${merchant}`;

/** Notifies subscribers that there are new history rows. */
export function signalChange(bus: Bus, merchant: Wallet, id: string, seq: number): void {
  bus.publish(receiptChannel(merchant, id), String(seq));
  bus.publish(merchantChannel(merchant), id);
}
