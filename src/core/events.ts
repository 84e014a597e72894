import type { Wallet } from './wallet.ts';

/** A change of a receipt that its merchant hears of: the one webhook event, before it is dressed for sending. Money is in cents, moments in epoch ms. */
export interface StatusUpdated {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The history row it tells of. */
  readonly seq: number;
  /** Under the name that webhooks use. */
  readonly status: string;
  readonly previousStatus: string;
  readonly failure: Failure | null;
  readonly transactionHash: string | null;
  readonly buyerWallet: Wallet | null;
  readonly totalCents: number;
  /** What the buyer pays, a card provider's fees included. */
  readonly customerTotalCents: number;
  /** What a card provider turns into tokens; null where none is involved, or it has not said. */
  readonly onrampSourceAmountCents: number | null;
  readonly token: string | null;
  /** The card checkout, as its provider names it. It belongs to this receipt alone. */
  readonly onrampSessionId: string | null;
  readonly transactionId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** What this change sold beyond what was in stock; absent or empty where nothing was. */
  readonly oversold?: readonly { readonly sku: string; readonly qty: number }[];
  readonly at: number;
  /** Where it goes, and which key signs it. */
  readonly webhookUrl: string;
  readonly keyId: string;
}

/** Why a payment failed, and what the merchant can do: the contract's four failure fields. */
export interface Failure {
  readonly failureCode: string;
  readonly failureCategory: string;
  readonly failureReason: string;
  readonly failureAction: string;
}
