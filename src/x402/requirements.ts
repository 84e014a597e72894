import { Refusal } from '../core/errors.ts';
import type { ReadRate } from '../fx/usd-per-token.ts';
import { gaslessToken, type TermsDeps } from '../gasless/terms.ts';
import { type QuoteDeps, reserveQuote } from '../payments/quote-payment.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { PaymentRequirements } from './protocol.ts';

export type RequirementDeps = QuoteDeps & TermsDeps & { readonly readRate: ReadRate };

/** How long a client has from its signature to the block of its payment. */
const TIMEOUT_S = 300;

export const networkOf = ({ chain }: Pick<RequirementDeps, 'chain'>): `eip155:${number}` => `eip155:${chain.chainId}`;

/**
 * The ways to pay what a receipt still owes: one for each token whose authorizations are carried out, with the amount
 * that the payment page shows. Refuses with `gasless_unavailable` if there is none, and as `reserveQuote` does.
 */
export async function requirementsOf(
  deps: RequirementDeps,
  { merchant, id }: Pick<ReceiptRow, 'merchant' | 'id'>,
): Promise<PaymentRequirements[]> {
  const found: PaymentRequirements[] = [];
  let refusal: Refusal | null = null;
  for (const { symbol } of deps.chain.tokens) {
    try {
      const { address: asset, domain } = await gaslessToken(deps, merchant, symbol);
      const { amount, payTo } = await reserveQuote(deps, { merchant, receiptId: id, token: symbol });
      const extra = { name: domain.name, version: domain.version, assetTransferMethod: 'eip3009' } as const;
      const network = networkOf(deps);
      found.push({ scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds: TIMEOUT_S, extra });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'gasless_unavailable') throw error;
      refusal ??= error;
    }
  }
  if (found.length === 0 && refusal) throw refusal;
  return found;
}
