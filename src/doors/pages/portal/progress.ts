import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import { clockTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { type Progress, progressOf, STATUS_WORDS } from '../shared/status.ts';
import { isReturnedPart, type StageModel, type StageName } from './stage.ts';

/** The status for each stage. An expired price and a sent payment are still pending. */
const STATUS_OF: Readonly<Record<StageName, ReceiptStatus>> = {
  waiting: 'pending',
  expired: 'pending',
  sent: 'pending',
  charged: 'pending',
  short: 'tx_mismatch',
  failed: 'failed',
  ended: 'failed',
  seen: 'tx_mined',
  paid: 'paid',
  completed: 'completed',
  refunded: 'refunded',
};

const PART_REFUNDED: Progress = { steps: ['pending', 'tx_mismatch', 'refunded'], reached: 3, tone: 'muted' };

/** Three or four steps with the time at which each was reached. The bars up to the current step are full. */
export function progressBar(model: StageModel, stage: StageName): Html {
  const status = STATUS_OF[stage];
  const { steps, reached, tone } = isReturnedPart(model) ? PART_REFUNDED : progressOf(status);
  const rows = steps.map((step, index) => {
    const state = index + 1 < reached ? 'done' : index + 1 === reached ? 'now' : 'next';
    const at = model.receipt.history.findLast((entry) => entry.status === step)?.at;
    const shown = index > 0 && state !== 'next' && at !== undefined;
    return html`<li class="step ${state}" ${state === 'now' && html`aria-current="step"`}><span class="bar" aria-hidden="true"></span><span class="step-name">${STATUS_WORDS[step]}${state === 'done' && html`<span class="unseen"> (done)</span>`}</span>${shown && html`<span class="step-time">${clockTime(at)}</span>`}</li>`;
  });
  return html`<ol class="steps step-${tone}" aria-label="Progress of the payment: step ${reached} of ${steps.length}">${rows}</ol>`;
}
