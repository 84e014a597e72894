import type { Wallet } from './wallet.ts';

/**
 * A status change of a receipt that is sent to its merchant. It is the data of the webhook event before it is
 * formatted. Money is in cents, times are in epoch ms.
 */
export interface StatusUpdated {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The history row of the change. */
  readonly seq: number;
  /** The status, as webhooks name it. */
  readonly status: string;
  readonly previousStatus: string;
  readonly failure: Failure | null;
  readonly transactionHash: string | null;
  readonly buyerWallet: Wallet | null;
  readonly totalCents: number;
  /** What the buyer pays, including a card provider's fees. */
  readonly customerTotalCents: number;
  /**
   * The amount that a card provider converts to tokens. Null: no card provider is involved, or it has not reported the
   * amount.
   */
  readonly onrampSourceAmountCents: number | null;
  readonly token: string | null;
  /** The card provider's id of the checkout. It belongs to one receipt. */
  readonly onrampSessionId: string | null;
  readonly transactionId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** The items that this change sold in excess of the stock; absent or empty if there are none. */
  readonly oversold?: readonly { readonly sku: string; readonly qty: number }[];
  /** What was missing from the payment and accepted, as decimal text; absent or null if nothing was. */
  readonly acceptedUsd?: string | null;
  readonly at: number;
  /** The address of the webhook, and the key that signs it. */
  readonly webhookUrl: string;
  readonly keyId: string;
}

/** Why a payment failed and what the merchant can do: the four failure fields of the contract. */
export interface Failure {
  readonly failureCode: string;
  readonly failureCategory: string;
  readonly failureReason: string;
  readonly failureAction: string;
}
