import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { payFromTestWallet } from '../chain/local.ts';
import { refuse } from '../core/errors.ts';
import { HINT_CHANNEL } from '../platform/wake.ts';
import { type QuoteDeps, type QuoteRequest, quotePayment } from './quote-payment.ts';

/**
 * Pays a receipt's quote from a test account of the local chain. Returns the transaction hash once it is sent. Refuses
 * with `not_found` on any other chain.
 */
export async function payWithTestWallet(
  deps: QuoteDeps,
  request: QuoteRequest,
): Promise<{ readonly transactionHash: `0x${string}` }> {
  if (deps.chain.chainId !== LOCAL_CHAIN_ID) throw refuse('not_found', 'Test wallets exist on the local chain only');
  const quote = await quotePayment(deps, request);
  const transactionHash = await payFromTestWallet(deps.chain, {
    token: quote.token,
    to: quote.payTo,
    amount: BigInt(quote.amount),
  });
  deps.bus.publish(HINT_CHANNEL, transactionHash);
  return { transactionHash };
}
