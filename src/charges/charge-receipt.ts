import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { FailureCode } from '../receipts/failures.ts';
import { lockReceipt, recordChange, signalChange } from '../receipts/record-change.ts';
import type { PlannedCharge } from './planned-charge.ts';

type ReceiptDeps = Pick<Deps, 'boss' | 'bus' | 'clock'>;

const ACTOR = 'subscription';

/**
 * Creates a pending receipt for each charge. The charge's own transfer pays it, and it is settled like any other
 * receipt.
 */
export async function bookCharges(
  { bus }: Pick<Deps, 'bus'>,
  uow: UnitOfWork,
  charges: readonly PlannedCharge[],
  { createdBlock, at }: { readonly createdBlock: number; readonly at: number },
): Promise<void> {
  if (charges.length === 0) return;
  const rows = charges.map(({ subscription, receiptId, id, period }) => ({
    merchant: subscription.merchant,
    id: receiptId,
    total_cents: subscription.priceCents,
    line_items: [{ label: subscription.planName, priceCents: subscription.priceCents, qty: 1 }],
    brand_name: subscription.brandName,
    buyer_wallet: subscription.customer,
    metadata: { subscriptionId: subscription.id, chargeId: id, periodStart: period.start * 1000 },
  }));
  await uow.sql(
    `with booked as (
       insert into receipts (merchant, id, total_cents, line_items, brand_name, buyer_wallet, metadata, origin, status, announced_status, currency,
                             created_block, created_at, updated_at, stock_taken)
       select r.*, 'charge', 'pending', 'pending', 'USD', $2::bigint, $3::bigint, $3::bigint, false
         from jsonb_to_recordset($1::jsonb) as r(merchant text, id text, total_cents bigint, line_items jsonb, brand_name text, buyer_wallet text, metadata jsonb)
       returning merchant, id, status, created_at)
     insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
     select merchant, id, 1, 'status', status, $4, created_at from booked`,
    [JSON.stringify(rows), createdBlock, at, ACTOR],
  );
  uow.afterCommit(() => {
    for (const { subscription, receiptId } of charges) signalChange(bus, subscription.merchant, receiptId, 1);
  });
}

/** Sets the receipt of a failed charge back to `pending` for the retry. */
export async function reopenCharge(
  deps: ReceiptDeps,
  uow: UnitOfWork,
  { subscription, receiptId }: Pick<PlannedCharge, 'subscription' | 'receiptId'>,
): Promise<void> {
  const receipt = await lockReceipt(uow, subscription.merchant, receiptId);
  if (receipt?.status === 'failed')
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor: ACTOR });
}

/** Fails the receipt of a failed charge with the reason. A receipt that is no longer pending stays unchanged. */
export async function failReceipt(
  deps: ReceiptDeps,
  uow: UnitOfWork,
  { merchant, receiptId }: { readonly merchant: Wallet; readonly receiptId: string },
  failure: FailureCode,
): Promise<void> {
  const receipt = await lockReceipt(uow, merchant, receiptId);
  if (receipt?.status !== 'pending') return;
  receipt.failureCode = failure;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor: ACTOR });
}
