/**
 * What is true of a receipt's money. `tx_mined`: an exact transfer was seen. `paid`: it has its confirmations, recipient and amount are validated.
 * `completed`: every payee's share of it was released.
 */
export const RECEIPT_STATUSES = [
  'generated',
  'pending',
  'tx_mined',
  'paid',
  'completed',
  'refunded',
  'tx_mismatch',
  'failed',
] as const;

export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/**
 * The one table of moves; a move that is not in it cannot happen. `tx_mined` and `tx_mismatch` may fall back when a reorganisation takes their block.
 * A receipt over nothing is completed as it is made.
 */
export const MOVES: Readonly<Record<ReceiptStatus, readonly ReceiptStatus[]>> = {
  generated: ['pending', 'completed'],
  pending: ['tx_mined', 'tx_mismatch', 'failed', 'completed'],
  tx_mined: ['paid', 'pending', 'tx_mismatch', 'failed'],
  tx_mismatch: ['tx_mined', 'pending', 'failed', 'refunded'],
  failed: ['pending', 'tx_mined', 'tx_mismatch'],
  paid: ['completed', 'refunded'],
  completed: ['refunded'],
  refunded: [],
};

/** Whether the table has this move. */
export const mayMove = (from: ReceiptStatus, to: ReceiptStatus): boolean => MOVES[from].includes(to);

/** In these a receipt waits for money. */
export const WAITING: readonly ReceiptStatus[] = ['generated', 'pending', 'tx_mismatch', 'failed'];

/** Whether a receipt waits for money. */
export const isWaiting = ({ status }: { readonly status: ReceiptStatus }): boolean => WAITING.includes(status);

/** What the buyer's side may report. Reports are history; they never move money backward. */
export const TRACKING = ['link_opened', 'buyer_logged_in', 'checkout_initialized', 'checkout_success'] as const;
export type Tracking = (typeof TRACKING)[number];

/** The reports that any caller with a right to the receipt may make; the others ask for a session with its CSRF token. */
export const OPEN_TRACKING: ReadonlySet<string> = new Set<Tracking>([
  'link_opened',
  'buyer_logged_in',
  'checkout_initialized',
]);

/** Reports that only a signed-in admin may make: `checkout_success`, and every `refund_…`. */
export const isSensitive = (status: string): boolean => status === 'checkout_success' || status.startsWith('refund_');

/** The status as receipt records show it: the words of the order flow. */
export const RECORD_STATUS: Readonly<Record<ReceiptStatus, string>> = {
  generated: 'generated',
  pending: 'pending',
  tx_mined: 'pending',
  tx_mismatch: 'pending',
  paid: 'paid',
  completed: 'completed',
  refunded: 'refunded',
  failed: 'failed',
};

/** The status as `GET /api/receipts/status` shows it. */
export const ENDPOINT_STATUS: Readonly<Record<ReceiptStatus, string>> = {
  generated: 'generated',
  pending: 'pending',
  tx_mined: 'tx_mined',
  tx_mismatch: 'tx_mismatch',
  paid: 'recipient_validated',
  completed: 'completed',
  refunded: 'refunded',
  failed: 'failed',
};

/** Moves that merchants hear of by webhook, under the name they hear. */
export const WEBHOOK_STATUS: Readonly<Partial<Record<ReceiptStatus, string>>> = {
  pending: 'pending',
  paid: 'paid',
  completed: 'reconciled',
  failed: 'failed',
  refunded: 'refunded',
};

/** Reports that merchants hear of by webhook, under their own names. */
export const WEBHOOK_TRACKING: ReadonlySet<string> = new Set([...TRACKING, 'refund_requested']);
