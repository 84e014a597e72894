import { type ErrorCode, Refusal, refuse } from '../../../base/core/errors.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { offeredGaslessToken, type TermsDeps } from '../../../domain/payments/gasless/terms.ts';
import { type QuoteDeps, reserveQuote } from '../../../domain/payments/paying/quote-payment.ts';
import { listChainOffers } from '../../../domain/payments/quotes/offers.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import type { ReadRate } from '../../../domain/shop/fx/usd-per-token.ts';
import type { PaymentRequirements } from './protocol.ts';

export type RequirementDeps = QuoteDeps & TermsDeps & { readonly readRate: ReadRate };

/** How long a client has from its signature to the block of its payment. */
const TIMEOUT_S = 300;

/** The name of a chain in x402 (CAIP-2). */
export const networkOf = (chainId: number): `eip155:${number}` => `eip155:${chainId}`;

/** The refusals of one token or chain, while others can be paid in. */
const NOT_HERE: readonly ErrorCode[] = ['gasless_unavailable', 'chain_unavailable'];

/**
 * The ways to pay what a receipt still owes, in the merchant's order: one for each token whose authorizations are
 * carried out on a chain, with the amount that the payment page shows. Refuses with `gasless_unavailable` or
 * `chain_unavailable` if there is none, and as `reserveQuote` does.
 */
export async function requirementsOf(
  deps: RequirementDeps,
  receipt: Pick<ReceiptRow, 'merchant' | 'id' | 'totalCents'>,
): Promise<PaymentRequirements[]> {
  const { merchant, id } = receipt;
  const found: PaymentRequirements[] = [];
  let refusal = refuse('gasless_unavailable', undefined, { reason: 'token' });
  for (const { symbol, chainId, offered } of await listChainOffers(deps, receipt)) {
    if (!offered) continue;
    try {
      const { address: asset, domain } = await offeredGaslessToken(onChain(deps, chainId), merchant, symbol);
      const { amount, payTo } = await reserveQuote(deps, { merchant, receiptId: id, token: symbol, chainId });
      const extra = { name: domain.name, version: domain.version, assetTransferMethod: 'eip3009' } as const;
      const network = networkOf(chainId);
      found.push({ scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds: TIMEOUT_S, extra });
    } catch (error) {
      if (!(error instanceof Refusal) || !NOT_HERE.includes(error.code)) throw error;
      refusal = error;
    }
  }
  if (found.length === 0) throw refusal;
  return found;
}
