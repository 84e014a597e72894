import type { Wallet } from '../core/wallet.ts';
import type { FailureCode } from '../receipts/failures.ts';
import type { BillingAddress } from '../receipts/receipt.entity.ts';

export type ProviderName = 'sandbox' | 'stripe';

/** A checkout that a provider shall open. */
export interface SessionRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly chainId: number;
  /** The merchant's split: where the tokens go. */
  readonly payTo: Wallet;
  /** What must arrive there at least, in base units of USDC. */
  readonly amount: bigint;
  readonly decimals: number;
  /** The same attempt again has the same key. */
  readonly attempt: string;
  /** What is known of the buyer, so that the provider need not ask. */
  readonly buyer: BillingAddress | null;
  /** The buyer's public address; null where it is not known. */
  readonly buyerAddress: string | null;
  /** Where the provider returns the buyer to; null for one that opens in a tab of its own. */
  readonly redirectUrl: string | null;
}

/** What became of the request: a page to send the buyer to, or why there is none. */
export type SessionAnswer =
  | {
      readonly kind: 'opened';
      readonly sessionId: string;
      readonly url: string;
      /** US cents that are turned into tokens, the provider's fees aside. */
      readonly sourceAmountCents: number;
      /** US cents that the card is charged; null where the provider says it later. */
      readonly customerTotalCents: number | null;
    }
  | { readonly kind: 'refused'; readonly code: FailureCode; readonly reason: string };

/** A service that charges a card and delivers tokens to a wallet. */
export interface OnrampProvider {
  readonly name: ProviderName;
  /** As the buyer knows it. */
  readonly label: string;
  /** Its page opens in a tab of its own; such a provider returns nobody anywhere. */
  readonly opensInNewTab: boolean;
  /** Opens a checkout. A refusal is an answer; nothing is thrown for what the provider or the way to it does wrong. */
  openSession(request: SessionRequest): Promise<SessionAnswer>;
}

/** What a provider tells of a checkout. Money in US cents; the amount delivered in base units of USDC. */
export interface ProviderEvent {
  /** Its own name: the same event again changes nothing. */
  readonly id: string;
  /** When it happened, epoch ms by the provider's clock. */
  readonly at: number;
  readonly status: 'initialized' | 'requires_payment' | 'fulfillment_processing' | 'fulfillment_complete' | 'ended';
  /** Why the last attempt failed; null where it did not. */
  readonly failureCode: FailureCode | null;
  readonly sourceAmountCents: number | null;
  readonly customerTotalCents: number | null;
  readonly transactionHash: `0x${string}` | null;
  readonly deliveredAmount: bigint | null;
}
