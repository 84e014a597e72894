import { payFromTestWallet } from '../../../base/chain/local.ts';
import { refuse } from '../../../base/core/errors.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { type QuoteDeps, type QuoteRequest, quotePayment } from './quote-payment.ts';

/**
 * Pays a receipt's quote from a test account of the local chain. Returns the transaction hash once it is sent. Refuses
 * with `not_found` on any other chain.
 */
export async function payWithTestWallet(
  base: QuoteDeps,
  request: QuoteRequest,
): Promise<{ readonly transactionHash: `0x${string}` }> {
  const deps = onChain(base, request.chainId);
  if (!isLocalChain(deps.chain.chainId)) throw refuse('not_found', 'Test wallets exist on the local chain only');
  const quote = await quotePayment(deps, request);
  const transactionHash = await payFromTestWallet(deps.chain, {
    token: quote.token,
    to: quote.payTo,
    amount: BigInt(quote.amount),
  });
  deps.bus.publish(HINT_CHANNEL, transactionHash);
  return { transactionHash };
}
