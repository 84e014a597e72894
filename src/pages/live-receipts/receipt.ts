import type { ReceiptStatus } from '../../receipts/lifecycle.ts';
import { dayTime } from '../dates.ts';
import type { DeskReceiptFragment, DeskReceiptsSubscription } from '../generated/live-receipts.ts';
import { type Html, html } from '../html.ts';
import { shownLabel } from '../labels.ts';
import { formatCents } from '../portal/amounts.ts';
import { progressOf, STATUS_WORDS } from '../status.ts';

/** A receipt on its merchant's live page. `seq` is that of the last history row that the page has received. */
export interface LiveReceipt extends Readonly<Omit<DeskReceiptFragment, 'brandName'>> {
  /** When the status last changed, as far as this page knows; else when the receipt was created. Epoch ms. */
  readonly movedAt: number;
  /** The latest tracking status. */
  readonly tracking: string | null;
}

/** One event of the merchant's stream. */
export type StatusNews = DeskReceiptsSubscription['receiptStatuses'];

const isKnown = (status: string): status is ReceiptStatus => Object.hasOwn(STATUS_WORDS, status);

const TRACKED: Readonly<Record<string, string>> = {
  link_opened: 'the buyer has opened the page',
  buyer_logged_in: 'the buyer has connected a wallet',
  checkout_initialized: 'the buyer is about to pay',
  checkout_success: 'the buyer’s page reports a payment',
};

/** The word for a status; an unknown status is returned unchanged. */
export function statusWords(status: string): string {
  return isKnown(status) ? STATUS_WORDS[status] : status;
}

/** A one-line summary of the items: the first labels, and how many more there are. Without tax and fee. */
export function summary({ lineItems }: Pick<LiveReceipt, 'lineItems'>): string {
  const goods = lineItems.filter(({ label, itemId }) => itemId !== null || !/^(tax|processing fee)$/i.test(label));
  const [first, second] = goods.map(({ label, qty }) =>
    qty !== null && qty > 1 ? `${shownLabel(label)}\u00a0×\u00a0${qty}` : shownLabel(label),
  );
  const more = goods.length - 2;
  return (
    [first ?? 'Receipt', second].filter((text) => text !== undefined).join(', ') + (more > 0 ? ` and ${more} more` : '')
  );
}

/** Sorts by the last change, most recent first. */
export function lastMovedFirst(a: LiveReceipt, b: LiveReceipt): number {
  return b.movedAt - a.movedAt || b.createdAt - a.createdAt || (a.receiptId < b.receiptId ? 1 : -1);
}

/** Applies an event of the stream to a receipt of the list. */
export function afterNews(receipt: LiveReceipt, { seq, kind, status, tracking, at }: StatusNews): LiveReceipt {
  if (seq <= receipt.seq) return receipt;
  const moved = kind === 'status' && status !== receipt.status;
  return {
    ...receipt,
    seq,
    status,
    movedAt: moved ? Math.max(at, receipt.movedAt) : receipt.movedAt,
    tracking: kind === 'tracking' ? tracking : moved ? null : receipt.tracking,
  };
}

/** The row of a receipt. */
export function renderReceipt(receipt: LiveReceipt): Html {
  const { receiptId, paymentUrl, status, totalUsd, movedAt, tracking } = receipt;
  const { steps, reached, tone } = progressOf(isKnown(status) ? status : 'generated');
  const tracked = tracking !== null && (status === 'generated' || status === 'pending') && TRACKED[tracking];
  const { pathname, search } = new URL(paymentUrl);
  return html`<li class="receipt tone-${tone}" data-key="${receiptId}" data-status="${status}">
<p class="what"><a href="${pathname}${search}" target="_blank" rel="noopener"><bdi>${summary(receipt)}</bdi><span class="unseen"> (opens its payment page)</span></a></p>
<p class="total">${formatCents(Math.round(totalUsd * 100), 'USD')}</p>
<p class="status"><b>${statusWords(status)}</b>${tracked && html` · ${tracked}`}</p>
<p class="at">${dayTime(movedAt)}</p>
<p class="id mono">${receiptId}</p>
<div class="way" aria-hidden="true">${steps.map((_, n) => html`<span class="${n < reached ? 'bar done' : 'bar'}"></span>`)}</div>
</li>`;
}
