import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../platform/wake.ts';
import { latestQuote } from '../quotes/reserve.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../receipts/record-change.ts';
import { creditTransfer, holds } from './credit.ts';
import { lockUnmatched } from './lock-unmatched.ts';

export interface Assignment {
  readonly merchant: Wallet;
  readonly transactionHash: string;
  /** Which of the transaction's transfers; may be left out where only one is unmatched. */
  readonly logIndex?: number | null;
  readonly receiptId: string;
  /** The admin's wallet. */
  readonly by: Wallet;
}

/**
 * Lets the merchant say which receipt an unmatched transfer pays. It counts as if it had been found: enough is `tx_mined` and, once the transfer has its
 * confirmations, `paid`; too little is `tx_mismatch`. Refuses with `not_found` for an unknown receipt or transfer, and with `invalid_input` where the
 * receipt does not wait for money, more than one transfer is meant, or it is marked for refund; with `exchange_rate_unavailable` where nobody knows what it was
 * worth.
 */
export async function assignTransfer(
  deps: Pick<Deps, 'orm' | 'boss' | 'bus' | 'chain' | 'clock'> & { readonly readRate: ReadRate },
  { merchant, transactionHash, logIndex, receiptId, by }: Assignment,
): Promise<Receipt> {
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const transfer = await lockUnmatched(uow, deps.chain.chainId, { merchant, transactionHash, logIndex });
    if (transfer.refundMarkedAt !== null) {
      throw refuse('invalid_input', 'This transfer is marked for refund: take the mark back first', {
        field: 'transactionHash',
      });
    }
    if (!isWaiting(receipt)) {
      throw refuse('invalid_input', `Receipt ${receiptId} is ${receipt.status} and waits for no money`, {
        field: 'receiptId',
      });
    }
    const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
    const quote = await latestQuote(uow, receipt, transfer);
    if (!token) throw refuse('exchange_rate_unavailable');
    const held = quote && holds(quote, transfer.blockTimeMs) ? quote.usdPerUnit : null;
    const usdPerUnit = held ?? (await usdPerToken(deps.readRate, token, transfer.blockTimeMs));
    await creditTransfer(deps, uow, receipt, transfer, { token, usdPerUnit, quote, assignedBy: `wallet:${by}` });
    uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transfer.transactionHash));
    return receipt;
  });
}
