import { actorOf, type Caller, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { chainOf, onChain } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { type ReceiptRow, readReceipt } from '../../sales/receipts/read.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import type { ReadRate } from '../../shop/fx/usd-per-token.ts';
import { requireOwnWallet } from '../../shop/merchants/own-wallet.ts';
import { readAccount, requireRefundable } from './account.ts';
import { requireBuyer } from './draft-refund.ts';
import { readEvidence, type Sent } from './evidence.ts';
import { proveRefund } from './prove.ts';
import type { RefundInput } from './refund.input.ts';
import { recordRequest } from './request-refund.ts';

type RefundDeps = AuditDeps & Pick<Deps, 'db' | 'chain' | 'chains' | 'settings'> & { readonly readRate: ReadRate };

/**
 * Records a refund of a receipt for its merchant's admin. Without `txHash` it is a request (`refund_requested`, in
 * history and webhook). With `txHash` the transaction is verified on chain; see `proveRefund`. The total never exceeds
 * what was paid, even with concurrent requests. The proof is looked up on the chains that paid the receipt, or on the
 * one that is named. The server moves no money: the merchant sends it with its own wallet.
 *
 * Refuses with `missing_receipt_id`, `invalid_wallet`, `invalid_buyer` (also for the merchant itself), `invalid_usd`
 * (also for more than is left), `invalid_input` (items, `txHash`, a receipt without a payment), `forbidden` (another
 * merchant's wallet), `not_found`, `exchange_rate_unavailable` and `chain_unavailable`. A refused request changes
 * nothing.
 *
 * @param repeatable the Idempotency-Key and the body as it was sent; null without a key
 */
export async function refundReceipt(
  deps: RefundDeps,
  caller: Caller,
  input: RefundInput,
  repeatable: Repeatable | null,
): Promise<ReceiptRow> {
  const merchant = merchantOf(sessionOf(caller));
  requireOwnWallet(merchant, input.wallet);
  const receipt = await readReceipt(deps.db, merchant, input.receiptId);
  const chainIds = await proofChains(deps, receipt, input.chainId);
  await requireBuyer(deps.db, merchant, input.buyer);

  // The chain is read before anything is locked. The outcome is checked later, so that a repeated request gets its
  // stored answer regardless of the chain's current state.
  const evidence =
    input.txHash === null ? null : await settled(readEvidence(deps, chainIds, { ...input, txHash: input.txHash }));
  const work = (uow: UnitOfWork) => recordRefund(deps, uow, { merchant, input, actor: actorOf(caller), evidence });
  if (repeatable === null) await deps.db.transaction(work);
  else await withIdempotencyKey(deps.db, deps.clock(), { merchant, operation: 'refundReceipt', ...repeatable }, work);
  return readReceipt(deps.db, merchant, input.receiptId);
}

/**
 * The chains that a proof is looked up on: money goes back on a chain that it came from. Refuses with `invalid_input` a
 * chain that the server does not have, or that paid nothing.
 */
async function proofChains(
  deps: RefundDeps,
  { merchant, id, paymentChainId }: ReceiptRow,
  chainId: number | null,
): Promise<readonly number[]> {
  const { firstBlocks } = await readAccount(deps.db, { merchant, id });
  const paid = Object.keys(firstBlocks).map(Number);
  if (chainId === null) {
    const known = paid.filter((one) => chainOf(deps, one) !== null);
    return known.length > 0 ? known : [onChain(deps, paymentChainId).chain.chainId];
  }
  onChain(deps, chainId);
  if (paid.length > 0 && !paid.includes(chainId))
    throw refuse('invalid_input', `chainId must be one of ${paid.join(', ')}, which paid the receipt`, {
      field: 'chainId',
    });
  return [chainId];
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settled = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

interface Refunding {
  readonly merchant: Wallet;
  readonly input: RefundInput;
  readonly actor: string;
  /** Null for a request. */
  readonly evidence: Settled<Sent[]> | null;
}

async function recordRefund(
  deps: RefundDeps,
  uow: UnitOfWork,
  { merchant, input, actor, evidence }: Refunding,
): Promise<{ ok: true }> {
  const receipt = await lockReceiptOrRefuse(uow, merchant, input.receiptId);
  const account = await readAccount(uow, receipt);
  requireRefundable(receipt, account);
  if (evidence !== null) {
    if ('error' in evidence) throw evidence.error;
    await proveRefund(deps, uow, receipt, account, { input, evidence: evidence.value, actor });
    await auditRefund(deps, uow, 'refund.proven', merchant, input);
    return { ok: true };
  }
  await recordRequest(deps, uow, receipt, account, input, actor);
  await auditRefund(deps, uow, 'refund.requested', merchant, input);
  return { ok: true };
}

const auditRefund = (
  deps: RefundDeps,
  uow: UnitOfWork,
  action: 'refund.requested' | 'refund.proven',
  merchant: Wallet,
  { receiptId, usdCents, buyer, items, reason, txHash }: RefundInput,
): Promise<void> =>
  recordAudit(deps, uow, merchant, action, ['receipt', receiptId], {
    after: { usdCents, buyer, items, ...(reason === null ? {} : { reason }), transactionHash: txHash },
  });
