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
  readonly customerTotalCents: number;
  readonly token: string | null;
  readonly transactionId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
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
