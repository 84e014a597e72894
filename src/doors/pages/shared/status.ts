import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';

type Tone = 'plain' | 'mark' | 'warn' | 'bad' | 'muted';

/**
 * The progress of a receipt: the first `reached` of the `steps` are done or current. The last of them is the current
 * one.
 */
export interface Progress {
  readonly steps: readonly ReceiptStatus[];
  readonly reached: number;
  readonly tone: Tone;
}

const WAY = ['pending', 'tx_mined', 'paid', 'completed'] as const;

const PROGRESS: Readonly<Record<ReceiptStatus, Progress>> = {
  generated: { steps: WAY, reached: 1, tone: 'plain' },
  pending: { steps: WAY, reached: 1, tone: 'plain' },
  tx_mined: { steps: WAY, reached: 2, tone: 'plain' },
  paid: { steps: WAY, reached: 3, tone: 'mark' },
  completed: { steps: WAY, reached: 4, tone: 'mark' },
  // A mismatch, failure or refund replaces the step that the receipt did not reach.
  tx_mismatch: { steps: ['pending', 'tx_mismatch', 'paid', 'completed'], reached: 2, tone: 'warn' },
  failed: { steps: ['pending', 'failed', 'paid', 'completed'], reached: 2, tone: 'bad' },
  refunded: { steps: ['pending', 'tx_mined', 'paid', 'refunded'], reached: 4, tone: 'muted' },
};

/** The progress of a status. */
export const progressOf = (status: ReceiptStatus): Progress => PROGRESS[status];
