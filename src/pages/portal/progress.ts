import { type Html, html } from '../html.ts';
import { formatClock, formatDay } from './amounts.ts';
import type { StageModel, StageName } from './stage.ts';
import type { PortalStatus } from './view.ts';

const steps = [
  { label: 'Waiting', reachedBy: null },
  { label: 'Seen', reachedBy: 'tx_mined' },
  { label: 'Confirmed', reachedBy: 'paid' },
  { label: 'Settled', reachedBy: 'completed' },
] as const satisfies readonly { label: string; reachedBy: PortalStatus | null }[];

/** The step that the page is on; 4 is past the last one. */
const stepOf: Record<StageName, number> = {
  waiting: 0,
  expired: 0,
  short: 0,
  failed: 0,
  sent: 0,
  charged: 0,
  seen: 1,
  paid: 2,
  completed: 4,
  refunded: 4,
};

const colorOf: Partial<Record<StageName, string>> = { failed: 'halted', short: 'held' };

/** The time in UTC; the script puts the buyer's own in its place. */
export function clockTime(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-local>${formatClock(at)}</time>`;
}

/** Day and time in UTC; the script puts the buyer's own in its place. */
export function dayTime(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-local="day">${formatDay(at)}, ${formatClock(at)}</time>`;
}

/** Four thin steps: Waiting → Seen → Confirmed → Settled, with the time that each was reached. */
export function progressBar(model: StageModel, stage: StageName): Html {
  const current = stepOf[stage];
  return html`<ol class="steps ${colorOf[stage]}" aria-label="Progress of the payment">${steps.map((step, index) => {
    const state = index < current ? 'done' : index === current ? 'now' : 'next';
    const at = model.receipt.history.findLast((entry) => entry.status === step.reachedBy)?.at;
    const reached = index <= current && at !== undefined;
    return html`<li class="step ${state}" ${state === 'now' && html`aria-current="step"`}><span class="bar" aria-hidden="true"></span><span class="step-name">${step.label}${state === 'done' && html`<span class="unseen"> (done)</span>`}</span>${reached && html`<span class="step-time">${clockTime(at)}</span>`}</li>`;
  })}</ol>`;
}
