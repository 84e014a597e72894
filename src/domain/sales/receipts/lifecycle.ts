import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The state of a receipt's money. `tx_mined`: an exact transfer was seen. `paid`: the transfer has its confirmations,
 * and recipient and amount are validated. `completed`: every payee's share was released.
 *
 * `tx_mined` and `tx_mismatch` may move back when a reorganisation removes their block. A receipt with a total of zero
 * is completed when it is created. `failed` moves to `refunded` only if it holds money of the buyer, all of which was
 * returned.
 */
export const RECEIPT = defineLifecycle(['generated', 'pending'], {
  generated: ['pending', 'completed', 'failed'],
  pending: ['tx_mined', 'tx_mismatch', 'failed', 'completed'],
  tx_mined: ['paid', 'pending', 'tx_mismatch', 'failed'],
  paid: ['completed', 'refunded'],
  completed: ['refunded'],
  refunded: [],
  tx_mismatch: ['tx_mined', 'pending', 'failed', 'refunded'],
  failed: ['pending', 'tx_mined', 'tx_mismatch', 'refunded'],
});

export type ReceiptStatus = (typeof RECEIPT.statuses)[number];

/** The statuses in which a receipt waits for money. */
export const WAITING: readonly ReceiptStatus[] = ['generated', 'pending', 'tx_mismatch', 'failed'];

/** Whether a receipt waits for money. */
export const isWaiting = ({ status }: { readonly status: ReceiptStatus }): boolean => WAITING.includes(status);

/** Reports that the buyer's side may send. They are recorded in the history and never move money. */
export const TRACKING = ['link_opened', 'buyer_logged_in', 'checkout_initialized', 'checkout_success'] as const;
type Tracking = (typeof TRACKING)[number];

/** Reports that every caller with access to the receipt may send; the others require a session with its CSRF token. */
export const OPEN_TRACKING: ReadonlySet<string> = new Set<Tracking>([
  'link_opened',
  'buyer_logged_in',
  'checkout_initialized',
]);

/** Whether only a signed-in admin may send the report: `checkout_success` and every `refund_…`. */
export const isSensitive = (status: string): boolean => status === 'checkout_success' || status.startsWith('refund_');

/** The status as receipt records show it, in the terms of the order flow. */
export const RECORD_STATUS = {
  generated: 'generated',
  pending: 'pending',
  tx_mined: 'pending',
  tx_mismatch: 'pending',
  paid: 'paid',
  completed: 'completed',
  refunded: 'refunded',
  failed: 'failed',
} as const satisfies Record<ReceiptStatus, string>;
export type RecordStatus = (typeof RECORD_STATUS)[ReceiptStatus];

/** The status as `GET /api/receipts/status` shows it. */
export const ENDPOINT_STATUS = {
  generated: 'generated',
  pending: 'pending',
  tx_mined: 'tx_mined',
  tx_mismatch: 'tx_mismatch',
  paid: 'recipient_validated',
  completed: 'completed',
  refunded: 'refunded',
  failed: 'failed',
} as const satisfies Record<ReceiptStatus, string>;
export type EndpointStatus = (typeof ENDPOINT_STATUS)[ReceiptStatus];

/** Transitions that send a webhook, with the status name in the webhook. */
export const WEBHOOK_STATUS: Readonly<Partial<Record<ReceiptStatus, string>>> = {
  pending: 'pending',
  paid: 'paid',
  completed: 'reconciled',
  failed: 'failed',
  refunded: 'refunded',
};

/** Reports that send a webhook under their own name. */
export const WEBHOOK_TRACKING: ReadonlySet<string> = new Set([...TRACKING, 'refund_requested']);
