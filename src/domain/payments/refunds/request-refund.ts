import { actorOf, type Caller, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../../sales/receipts/record-change.ts';
import { type Account, readAccount, requestable, requireRefundable, requireWithin } from './account.ts';
import { requireBuyer } from './draft-refund.ts';
import { moveRefunds } from './lifecycle.ts';
import { insertRefund, type NewRefund } from './prove.ts';
import { type RefundRow, readRefundsOf } from './read.ts';
import type { RefundRequestInput } from './refund.input.ts';

type RequestDeps = AnnouncingDeps & WritingDeps;

/**
 * Asks for a refund, once per Idempotency-Key: a person of the merchant sends it, or declines it. No money moves. The
 * amount is everything that can be returned, and the buyer the wallet that paid, unless the input says otherwise.
 *
 * Refuses with `not_found`, with `invalid_input` a receipt that has nothing to refund, with `invalid_usd` more than is
 * left, and with `invalid_buyer` (also a payment that names no wallet). A refused request changes nothing.
 */
export async function requestRefund(
  deps: RequestDeps,
  caller: Caller,
  input: RefundRequestInput,
  repeatable: Repeatable | null,
): Promise<RefundRow> {
  const merchant = merchantOf(caller);
  const { receiptId, usdCents, items, reason, note } = input;
  const work = async (uow: UnitOfWork) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const account = await readAccount(uow, receipt);
    requireRefundable(receipt, account);
    const buyer = input.buyer ?? receipt.buyerWallet;
    if (buyer === null)
      throw refuse('invalid_buyer', 'buyer is required: the payment names no wallet', { field: 'buyer' });
    await requireBuyer(uow, merchant, buyer);
    const asked = { usdCents: usdCents ?? Math.max(1, requestable(account)), buyer, items, reason, note };
    const id = await recordRequest(deps, uow, receipt, account, asked, actorOf(caller));
    await recordAudit(deps, uow, merchant, 'refund.requested', ['receipt', receiptId], {
      after: { usdCents: asked.usdCents, buyer, items, ...(reason === null ? {} : { reason }) },
    });
    return id;
  };
  const request = { merchant, operation: 'requestRefund' };
  const id =
    repeatable === null
      ? await deps.db.transaction(work)
      : await withIdempotencyKey(deps.db, deps.clock(), { ...request, ...repeatable }, work);
  return readRefund(deps.db, merchant, receiptId, id);
}

/** Stores a request for a locked receipt, with its entry of the history. Returns its id. */
export async function recordRequest(
  deps: RequestDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  account: Account,
  asked: Pick<NewRefund, 'usdCents' | 'buyer' | 'items' | 'reason' | 'note'>,
  actor: string,
): Promise<string> {
  requireWithin(asked.usdCents, requestable(account), account);
  const now = deps.clock();
  const id = await insertRefund(uow, receipt, { ...asked, provenCents: 0, transactionHash: null, actor, now });
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'tracking', name: 'refund_requested' },
    { actor, detail: { usd: usdFromCents(asked.usdCents), buyer: asked.buyer, refundIds: [id] } },
  );
  return id;
}

/** The note on a receipt with a request that was declined. Its detail says which, and what of it was not sent. */
export const DECLINED_NOTE = 'refund_declined';

/**
 * Declines a requested refund, or what is not proven of it: it can be asked for again. Declining it again changes
 * nothing. Refuses with `not_found`, and with `invalid_input` one that was sent.
 */
export async function declineRefund(
  deps: RequestDeps,
  caller: Caller,
  { receiptId, refundId }: { readonly receiptId: string; readonly refundId: string },
): Promise<RefundRow> {
  const merchant = merchantOf(sessionOf(caller));
  await deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const refund = await uow.db
      .selectFrom('Refund')
      .select(['state', 'usdCents', 'provenCents', 'buyer'])
      .where((eb) => eb.and({ merchant, receiptId, id: refundId }))
      .executeTakeFirst();
    if (!refund) throw refundMissing();
    const { state, buyer, usdCents, provenCents } = refund;
    if (state === 'declined') return;
    if (state !== 'requested')
      throw refuse('invalid_input', 'This refund was sent', { field: 'refundId', reason: 'refund_sent' });
    await moveRefunds(uow.db, 'declined', null)
      .where((eb) => eb.and({ merchant, receiptId, id: refundId }))
      .execute();
    const detail = { usd: usdFromCents(usdCents - provenCents), buyer, refundIds: [refundId] };
    await recordChange(deps, uow, receipt, { kind: 'note', name: DECLINED_NOTE }, { actor: actorOf(caller), detail });
    await recordAudit(deps, uow, merchant, 'refund.declined', ['receipt', receiptId], {
      before: { state },
      after: { state: 'declined', refundId, usdCents: usdCents - provenCents },
    });
  });
  return readRefund(deps.db, merchant, receiptId, refundId);
}

/** One refund. Refuses with `not_found`. */
async function readRefund(db: Db, merchant: Wallet, receiptId: string, id: string): Promise<RefundRow> {
  const [refunds] = await readRefundsOf(db, merchant, [receiptId]);
  const refund = refunds?.find((one) => one.id === id);
  if (!refund) throw refundMissing();
  return refund;
}

const refundMissing = () => refuse('not_found', 'Refund not found');
