import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import { formatCents, formatRemaining, withCents } from '../shared/amounts.ts';
import { clockTime, dayTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { confirmationRing, icon, seal } from '../shared/icons.ts';
import { transactionLink, webUrl } from '../shared/links.ts';
import { ENDED_WORD, type Progress, progressOf, STATUS_WORDS } from '../shared/status.ts';
import { failureWords } from './failure-words.ts';
import {
  countsDown,
  isReturnedPart,
  missingText,
  pageQuery,
  type StageModel,
  type StageName,
  type StageUi,
  stageName,
} from './stage.ts';
import { hostOf, successAddress } from './success.ts';
import { copyButton, payWays, problemNote, tokenChoice } from './ways.ts';

type Panel = (model: StageModel, ui: StageUi, qr: Html | null) => Html;

/** A heading that receives the focus when its state is entered. */
function heading(text: string): Html {
  return html`<h2 id="stage-title" tabindex="-1">${text}</h2>`;
}

function transactionRow(model: StageModel, hash: string): Html {
  return html`<div class="field"><dt>Transaction</dt><dd class="value mono">${transactionLink(model.chain.explorerUrl, hash, '(opens the block explorer)')}</dd>${copyButton('transaction', hash)}</div>`;
}

/** What was paid: exactly in the token, in dollars if it came in parts, which may have been of several tokens. */
function amountOf({ receipt, totalText }: StageModel): string {
  const { paid, history, receivedUsdCents } = receipt;
  if (!paid) return totalText;
  if (history.some(({ status }) => status === 'tx_mismatch')) return formatCents(receivedUsdCents, 'USD', 'en');
  return `${withCents(paid.display)} ${paid.token}`;
}

function facts(model: StageModel, hash: string | null): Html {
  const { history, createdAt, receivedUsdCents, totalUsdCents } = model.receipt;
  const surplusUsdCents = receivedUsdCents - totalUsdCents;
  const last = history.at(-1)?.at ?? createdAt;
  return html`<dl class="fields facts">
  <div class="field"><dt>Amount</dt><dd class="value exact-paid">${amountOf(model)}</dd></div>
  ${surplusUsdCents > 0 && html`<div class="field" id="surplus"><dt>More than the total</dt><dd class="value">${formatCents(surplusUsdCents, 'USD', 'en')}</dd></div>`}
  ${hash && transactionRow(model, hash)}
  <div class="field"><dt>Time</dt><dd class="value">${dayTime(last, 'en')}</dd></div>
</dl>${surplusUsdCents > 0 && html`<p class="hint"><bdi>${model.merchantName}</bdi> sees that you paid more than the total, and can send it back.</p>`}`;
}

/** The redirect to the shop, shown before it happens, with buttons to go now or to stay. */
function leaving(address: string, seconds: number): Html {
  return html`<div class="leaving" role="group" aria-label="Back to the shop">
  <p>You will be taken to <b class="host">${hostOf(address)}</b> in <span class="seconds">${seconds}</span> ${seconds === 1 ? 'second' : 'seconds'}.</p>
  <div class="actions pair"><a class="button primary" href="${address}" rel="noopener" data-action="leave">Go now</a><button type="button" class="button quiet" data-action="stay" id="stay">Stay here</button></div>
</div>`;
}

/** The actions after payment: back to the shop, and the printable receipt. */
function keepOrReturn(model: StageModel, ui: StageUi): Html {
  const back = webUrl(model.receipt.returnUrl) && successAddress(model.receipt);
  const takeAlong =
    !isReturnedPart(model) &&
    html`<a class="button ${back ? 'quiet' : 'primary'}" href="${model.receiptPath}">Print or save the receipt</a>`;
  if (back && ui.leavingIn !== null) return html`${leaving(back, ui.leavingIn)}<div class="actions">${takeAlong}</div>`;
  return html`<div class="actions">${back && html`<a class="button primary" href="${back}" rel="noopener" data-action="leave"><span>Return to <bdi>${model.merchantName}</bdi><span class="host">${hostOf(back)}</span></span></a>`}${takeAlong}</div>`;
}

function outcome(mark: Html, title: string, text: Html, rest: Html): Html {
  return html`<div class="outcome">${mark}${heading(title)}<p class="lead">${text}</p></div>${rest}`;
}

/** Without its script the page does not update. */
function lookAgain(model: StageModel, ui: StageUi): Html | null {
  if (ui.script) return null;
  return html`<p class="after no-script">This page does not update by itself. <a href="${pageQuery(model, model.tokenId)}">Check again</a></p>`;
}

/** A link back to the shop while nothing is paid. Its `status` parameter tells the shop so. */
function backLink({ merchantName, receipt }: StageModel): Html | null {
  const back = webUrl(receipt.returnUrl) && successAddress(receipt);
  return back
    ? html`<p class="after back"><a href="${back}" rel="noopener">Back to <bdi>${merchantName}</bdi></a></p>`
    : null;
}

/** What to do about money that arrived and is not counted. The shop finds the same note at the receipt. */
function unmatchedNote({ receipt, merchantName }: StageModel): Html | null {
  if (!receipt.unmatched) return null;
  return html`<div class="note warn" id="unmatched"><p>A payment arrived that <bdi>${merchantName}</bdi> must look at before it counts. If it is yours, do not pay again: tell <bdi>${merchantName}</bdi>. Otherwise pay as usual.</p></div>`;
}

/** The time that is left for the payment, in the last hour. */
function deadline(model: StageModel): Html | null {
  const { now } = model;
  const { expiresAt } = model.receipt;
  if (expiresAt === null || !countsDown(model)) return null;
  return html`<p class="hint deadline" id="deadline">${icon('clock')} Pay until ${clockTime(expiresAt, 'en')}<span class="script-only">, within <span data-expires="${expiresAt}">${formatRemaining(expiresAt - now)}</span></span>.</p>`;
}

const waiting: Panel = (model, ui, qr) =>
  html`${unmatchedNote(model)}${heading('How would you like to pay?')}${deadline(model)}${payWays(model, ui, qr)}${backLink(model)}`;

const expired: Panel = (model, ui) => {
  const token = model.quote?.token ?? '';
  return html`${unmatchedNote(model)}${outcome(
    seal('clock', 'muted'),
    'This price has expired',
    html`The ${token} price is held for a short time only. If you have already sent the payment, it counts: this page updates by itself.`,
    html`${problemNote(ui)}<div class="actions"><a class="button primary" href="${pageQuery(model, model.tokenId)}" data-action="requote">${ui.quoting ? 'Getting a new price…' : `Get a new ${token} price`}</a></div>`,
  )}<div class="aside"><p class="hint">Or pay with another currency.</p>${tokenChoice(model, ui)}</div>${backLink(model)}`;
};

const short: Panel = (model, ui, qr) => {
  const { missing, receivedUsdCents } = model.receipt;
  return html`<div class="note warn">${heading(missingText(missing))}<p>${formatCents(receivedUsdCents, 'USD', 'en')} of your payment arrived. Send the rest in any token or network below.</p></div>${payWays(model, ui, qr)}${backLink(model)}`;
};

const failed: Panel = (model, ui, qr) => {
  const failure = model.receipt.failure;
  return html`${outcome(
    seal('cross', 'bad'),
    'The payment did not go through',
    html`${failureWords(failure?.code ?? 'PORTAL_SYS_GENERIC_FAILURE')} You can try again or pay in another way.`,
    html`<div class="actions again"><a class="button primary" href="#pay-again" data-action="try-again">Try again</a></div>`,
  )}<div id="pay-again" class="pay-again">${payWays(model, ui, qr)}</div>${backLink(model)}`;
};

/** How to reach the shop, as far as it has said so. */
function contactLines({ merchantName, contact }: StageModel): Html | null {
  const { contactEmail, contactPhone, contactUrl } = contact ?? {};
  if (!contactEmail && !contactPhone && !contactUrl) return null;
  const page = webUrl(contactUrl ?? null);
  return html`<address class="contact" id="contact"><p class="hint">Questions? Ask <bdi>${merchantName}</bdi>:</p>
  ${contactEmail && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`}
  ${contactPhone && html`<p><a href="tel:${contactPhone.replace(/[^+\d]/g, '')}">${contactPhone}</a></p>`}
  ${page && html`<p><a href="${page}" rel="noopener">${hostOf(page)}</a></p>`}</address>`;
}

const ended: Panel = (model, ui) => {
  const { receipt, merchantName, renewable, againPath } = model;
  const voided = receipt.failure?.code === 'PORTAL_SESSION_CANCELLED';
  const renew = renewable && !voided;
  const again = !renew && !voided && againPath;
  return html`${unmatchedNote(model)}${outcome(
    seal('clock', 'muted'),
    voided ? 'The shop has closed this request' : 'This payment request has ended',
    html`Do not send a payment for it any more. If you have already sent one, tell <bdi>${merchantName}</bdi>.${!renew && !again && html` For a new request, ask <bdi>${merchantName}</bdi>.`}`,
    html`${problemNote(ui)}${renew && html`<div class="actions"><button type="button" class="button primary script-only" data-action="renew" id="renew" ${ui.busy !== null && html`aria-disabled="true"`}>${ui.busy ?? 'Get a new price'}</button></div>`}${again && html`<form class="actions" method="post" action="${again}"><button class="button primary" id="again">New request</button></form><p class="hint">The same order at today’s prices.</p>`}${contactLines(model)}`,
  )}${backLink(model)}`;
};

const sent: Panel = (model, ui) =>
  outcome(
    html`<span class="orbit" aria-hidden="true"></span>`,
    'Payment sent',
    html`The network is processing it. This page updates by itself, usually within a few seconds.`,
    html`${ui.sentHash && html`<dl class="fields facts">${transactionRow(model, ui.sentHash)}</dl>`}<p class="after"><button type="button" class="plain" data-action="unsend">Show the payment details again</button></p>`,
  );

const charged: Panel = (model) =>
  outcome(
    html`<span class="orbit" aria-hidden="true"></span>`,
    'Card accepted',
    html`${model.card?.label ?? 'The card provider'} is sending the payment to <bdi>${model.merchantName}</bdi>. This page updates by itself, usually within a minute. You can also close it.`,
    html``,
  );

const seen: Panel = (model) => {
  const { confirmations, confirmationsNeeded, confirmationNote, transactionHash } = model.receipt;
  return outcome(
    confirmationRing(confirmations, confirmationsNeeded),
    'Payment seen, confirming',
    html`<span id="confirmations">${Math.min(confirmations, confirmationsNeeded)} of ${confirmationsNeeded}</span> confirmations. ${confirmationNote}`,
    facts(model, transactionHash),
  );
};

/** What was paid, and what to do next. */
const closing = (model: StageModel, ui: StageUi): Html =>
  html`${facts(model, model.receipt.transactionHash)}${keepOrReturn(model, ui)}`;

const paid: Panel = (model, ui) =>
  outcome(
    seal('check', 'mark'),
    'Paid. Thank you',
    html`Your payment to <bdi>${model.merchantName}</bdi> is confirmed. There is nothing left for you to do.`,
    closing(model, ui),
  );

const completed: Panel = (model, ui) =>
  outcome(
    seal('check', 'mark'),
    'Paid and settled',
    html`Your payment to <bdi>${model.merchantName}</bdi> is confirmed, and the shop has received it. Thank you.`,
    closing(model, ui),
  );

const refunded: Panel = (model, ui) =>
  outcome(
    seal('back', 'muted'),
    'Refunded',
    html`<bdi>${model.merchantName}</bdi> has sent this payment back, to the wallet that you named for the refund or that you paid from.`,
    closing(model, ui),
  );

const panels: Record<StageName, Panel> = {
  waiting,
  expired,
  short,
  failed,
  ended,
  sent,
  charged,
  seen,
  paid,
  completed,
  refunded,
};

/**
 * The changing part of the page: the progress and the receipt's current state. `qr` is the QR code of the quote's URI,
 * if there is one.
 */
export function renderStage(model: StageModel, ui: StageUi, qr: Html | null): Html {
  const name = stageName(model, ui);
  const moves = name !== 'completed' && name !== 'refunded';
  return html`${progressBar(model, name)}<div class="panel" data-stage="${name}" data-status="${model.receipt.status}">${panels[name](model, ui, qr)}${moves && lookAgain(model, ui)}</div>`;
}

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

/** A request that has ended without money is nothing that failed. */
const ENDED: Progress = { steps: ['pending', 'failed'], reached: 2, tone: 'muted' };

const PART_REFUNDED: Progress = { steps: ['pending', 'tx_mismatch', 'refunded'], reached: 3, tone: 'muted' };

/** Three or four steps with the time at which each was reached. The bars up to the current step are full. */
function progressBar(model: StageModel, stage: StageName): Html {
  const status = STATUS_OF[stage];
  const way = stage === 'ended' ? ENDED : isReturnedPart(model) ? PART_REFUNDED : progressOf(status);
  const { steps, reached, tone } = way;
  const rows = steps.map((step, index) => {
    const state = index + 1 < reached ? 'done' : index + 1 === reached ? 'now' : 'next';
    const at = model.receipt.history.findLast((entry) => entry.status === step)?.at;
    const shown = index > 0 && state !== 'next' && at !== undefined;
    return html`<li class="step ${state}" ${state === 'now' && html`aria-current="step"`}><span class="bar" aria-hidden="true"></span><span class="step-name">${stage === 'ended' && step === 'failed' ? ENDED_WORD : STATUS_WORDS[step]}${state === 'done' && html`<span class="unseen"> (done)</span>`}</span>${shown && html`<span class="step-time">${clockTime(at, 'en')}</span>`}</li>`;
  });
  return html`<ol class="steps step-${tone}" aria-label="Progress of the payment: step ${reached} of ${steps.length}">${rows}</ol>`;
}
