import type { BlockMark } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { bookReceipts } from '../../sales/receipts/book.ts';
import { isVoided } from '../../sales/receipts/ended.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import { lockReceipt, recordChange, signalChange } from '../../sales/receipts/record-change.ts';
import type { PlannedCharge } from './planned-charge.ts';

const ACTOR = 'subscription';

/**
 * Creates a pending receipt for each charge. The charge's own transfer pays it, and it is settled like any other
 * receipt. `head` is the latest block.
 */
export async function bookChargeReceipts(
  bus: Bus,
  chain: Chain,
  uow: UnitOfWork,
  charges: readonly PlannedCharge[],
  { head, at }: { readonly head: BlockMark; readonly at: number },
): Promise<void> {
  if (charges.length === 0) return;
  const receipts = charges.map(({ subscription, receiptId, id, period }) => ({
    merchant: subscription.merchant,
    id: receiptId,
    origin: 'charge' as const,
    status: 'pending' as const,
    totalCents: subscription.priceCents,
    currency: 'USD' as const,
    lineItems: [{ label: subscription.planName, priceCents: subscription.priceCents, qty: 1 }],
    jurisdictionCode: null,
    taxRate: null,
    taxComponents: null,
    pricing: null,
    brandName: subscription.brandName,
    buyerWallet: subscription.customer,
    options: {
      language: subscription.language ?? undefined,
      metadata: { subscriptionId: subscription.id, chargeId: id, periodStart: period.start * 1000 },
    },
    keyId: null,
    contentDigest: null,
    // A charge is paid or fails; it does not wait.
    lifetimeMs: null,
    expiresAt: null,
    chainId: chain.chainId,
    createdBlock: Number(head.number),
    actor: ACTOR,
    at,
  }));
  await bookReceipts(uow, receipts);
  uow.afterCommit(() => {
    for (const { merchant, id } of receipts) signalChange(bus, merchant, id, 1);
  });
}

/**
 * Has the receipt of a failed charge wait for the retry. It must be locked and wait for the charge (`standingsOf`): a
 * receipt in any other state is a bug in the caller and throws.
 */
export async function reopenReceipt(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { subscription, receiptId }: Pick<PlannedCharge, 'subscription' | 'receiptId'>,
): Promise<void> {
  const receipt = await lockReceipt(uow, subscription.merchant, receiptId);
  // The customer has opened its payment page.
  if (receipt?.status === 'pending') return;
  if (receipt?.status !== 'failed' || isVoided(receipt))
    throw new Error(`The receipt ${receiptId} of a charge does not wait for it`);
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor: ACTOR });
}

/** Fails the receipt of a failed charge with the reason. A receipt that is no longer pending stays unchanged. */
export async function failReceipt(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, receiptId }: { readonly merchant: Wallet; readonly receiptId: string },
  failure: FailureCode,
): Promise<void> {
  const receipt = await lockReceipt(uow, merchant, receiptId);
  if (receipt?.status !== 'pending') return;
  receipt.failureCode = failure;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'failed' }, { actor: ACTOR });
}
