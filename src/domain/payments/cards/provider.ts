import type { Wallet } from '../../../base/core/wallet.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import type { BillingAddress } from '../../sales/receipts/receipt.entity.ts';

export type ProviderName = 'sandbox' | 'stripe';

/** A checkout to open at a provider. */
export interface SessionRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly chainId: number;
  /** The merchant's split, which receives the tokens. */
  readonly payTo: Wallet;
  /** The minimum delivery, in base units of USDC. */
  readonly amount: bigint;
  readonly decimals: number;
  /** The idempotency key of the attempt. */
  readonly attempt: string;
  /** The known billing details of the buyer, so that the provider does not ask for them again. */
  readonly buyer: BillingAddress | null;
  /** The buyer's public IP address; null if it is unknown. */
  readonly buyerAddress: string | null;
  /** Where the provider returns the buyer to; null for a provider that opens in a new tab. */
  readonly redirectUrl: string | null;
}

/** The outcome of the request: a page for the buyer, or the reason why there is none. */
export type SessionAnswer =
  | {
      readonly kind: 'opened';
      readonly sessionId: string;
      readonly url: string;
      /** US cents that are converted to tokens, without the provider's fees. */
      readonly sourceAmountCents: number;
      /** US cents charged to the card; null if the provider reports it later. */
      readonly customerTotalCents: number | null;
    }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly reason: string };

/** A service that charges a card and delivers tokens to a wallet. */
export interface OnrampProvider {
  readonly name: ProviderName;
  /** The name shown to the buyer. */
  readonly label: string;
  /** The provider's page opens in a new tab. Such a provider does not redirect back. */
  readonly opensInNewTab: boolean;
  /** Opens a checkout. A refusal is returned as a value; errors of the provider or the network are never thrown. */
  openSession(request: SessionRequest): Promise<SessionAnswer>;
}

/** An event about a checkout from a provider. Money in US cents; the delivered amount in base units of USDC. */
export interface ProviderEvent {
  /** The id of the event: a repeated event changes nothing. */
  readonly id: string;
  /** When the event happened, in epoch ms by the provider's clock. */
  readonly at: number;
  readonly status: 'initialized' | 'requires_payment' | 'fulfillment_processing' | 'fulfillment_complete' | 'ended';
  /** Why the last attempt failed; null if it did not. */
  readonly failureCode: FailureCode | null;
  readonly sourceAmountCents: number | null;
  readonly customerTotalCents: number | null;
  readonly transactionHash: `0x${string}` | null;
}
