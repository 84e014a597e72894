import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import { formatCents } from '../shared/amounts.ts';
import { clockTime, dayTime } from '../shared/dates.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { confirmationRing, seal } from '../shared/icons.ts';
import { transactionLink, webUrl } from '../shared/paths.ts';
import { type Progress, progressOf } from '../shared/status.ts';
import {
  countsDown,
  isReturnedPart,
  pageQuery,
  type Say,
  type StageModel,
  type StageName,
  type StageUi,
  stageName,
  tokenAmount,
} from './stage.ts';
import { hostOf, successAddress } from './success.ts';
import { copyButton, deadlineText, payWays, problemNote, scriptButton, tokenChoice } from './ways.ts';

type Panel = (say: Say, model: StageModel, ui: StageUi, qr: Html | null) => Html;

/** The shop's name in a sentence. */
const shopOf = ({ merchantName }: StageModel) => ({ shop: own(merchantName) });

/** A heading that receives the focus when its state is entered. */
function heading(text: Part): Html {
  return html`<h2 id="stage-title" tabindex="-1">${text}</h2>`;
}

function transactionRow(say: Say, { chain }: StageModel, hash: string): Html {
  return html`<div class="field"><dt>${say('transaction')}</dt><dd class="value mono">${transactionLink(chain.explorerUrl, hash, say('explorer'))}</dd>${copyButton(say, 'transaction', hash)}</div>`;
}

/** What was paid: exactly in the token, in dollars if it came in parts, which may have been of several tokens. */
function amountOf({ language }: Say, { receipt, totalText }: StageModel): string {
  const { paid, history, receivedUsdCents } = receipt;
  if (!paid) return totalText;
  if (history.some(({ status }) => status === 'tx_mismatch')) return formatCents(receivedUsdCents, 'USD', language);
  return tokenAmount(paid);
}

function facts(say: Say, model: StageModel, hash: string | null): Html {
  const { history, createdAt, receivedUsdCents, totalUsdCents } = model.receipt;
  const surplusUsdCents = receivedUsdCents - totalUsdCents;
  const last = history.at(-1)?.at ?? createdAt;
  return html`<dl class="fields facts">
  <div class="field"><dt>${say('amount')}</dt><dd class="value exact-paid">${own(amountOf(say, model))}</dd></div>
  ${surplusUsdCents > 0 && html`<div class="field" id="surplus"><dt>${say('surplus')}</dt><dd class="value">${own(formatCents(surplusUsdCents, 'USD', say.language))}</dd></div>`}
  ${hash && transactionRow(say, model, hash)}
  <div class="field"><dt>${say('time')}</dt><dd class="value">${dayTime(last, say.language)}</dd></div>
</dl>${surplusUsdCents > 0 && html`<p class="hint">${say.parts('surplus.text', shopOf(model))}</p>`}`;
}

/** The redirect to the shop, shown before it happens, with buttons to go now or to stay. */
function leaving(say: Say, address: string, seconds: number): Html {
  const count = html`<span class="seconds">${seconds}</span>`;
  return html`<div class="leaving" role="group" aria-label="${say('leaving.label')}">
  <p>${say.parts('leaving', { host: html`<b class="host">${hostOf(address)}</b>`, count, seconds })}</p>
  <div class="actions pair"><a class="button primary" href="${address}" rel="noopener" data-action="leave">${say('goNow')}</a><button type="button" class="button quiet" data-action="stay" id="stay">${say('stay')}</button></div>
</div>`;
}

/** The actions after payment: back to the shop, and the printable receipt. */
function keepOrReturn(say: Say, model: StageModel, ui: StageUi): Html {
  const back = webUrl(model.receipt.returnUrl) && successAddress(model.receipt);
  const takeAlong =
    !isReturnedPart(model) &&
    html`<a class="button ${back ? 'quiet' : 'primary'}" href="${model.receiptPath}">${say('print')}</a>`;
  if (back && ui.leavingIn !== null)
    return html`${leaving(say, back, ui.leavingIn)}<div class="actions">${takeAlong}</div>`;
  return html`<div class="actions">${back && html`<a class="button primary" href="${back}" rel="noopener" data-action="leave"><span>${say.parts('return', shopOf(model))}<span class="host">${hostOf(back)}</span></span></a>`}${takeAlong}</div>`;
}

function outcome(mark: Html, title: string, text: Part, rest: Html): Html {
  return html`<div class="outcome">${mark}${heading(title)}<p class="lead">${text}</p></div>${rest}`;
}

/** Without its script the page does not update. */
function lookAgain(say: Say, model: StageModel, ui: StageUi): Html | null {
  if (ui.script) return null;
  return html`<p class="after no-script">${say('plain.still')} <a href="${pageQuery(model, model.tokenId)}">${say('plain.check')}</a></p>`;
}

/** A link back to the shop while nothing is paid. Its `status` parameter tells the shop so. */
function backLink(say: Say, model: StageModel): Html | null {
  const back = webUrl(model.receipt.returnUrl) && successAddress(model.receipt);
  return back
    ? html`<p class="after back"><a href="${back}" rel="noopener">${say.parts('back', shopOf(model))}</a></p>`
    : null;
}

/** What to do about money that arrived and is not counted. The shop finds the same note at the receipt. */
function unmatchedNote(say: Say, model: StageModel): Html | null {
  if (!model.receipt.unmatched) return null;
  return html`<div class="note warn" id="unmatched"><p>${say.parts('unmatched', shopOf(model))}</p></div>`;
}

/** The time that is left for the payment, in the last hour. */
function deadline(say: Say, model: StageModel): Html | null {
  const { expiresAt } = model.receipt;
  if (expiresAt === null || !countsDown(model)) return null;
  return html`<p class="hint deadline" id="deadline">${deadlineText(say, ['until', 'within'], expiresAt, model.now)}</p>`;
}

const waiting: Panel = (say, model, ui, qr) =>
  html`${unmatchedNote(say, model)}${heading(say('title'))}${deadline(say, model)}${payWays(say, model, ui, qr)}${backLink(say, model)}`;

const expired: Panel = (say, model, ui) => {
  const token = model.quote?.token ?? '';
  return html`${unmatchedNote(say, model)}${outcome(
    seal('clock', 'muted'),
    say('expired'),
    say('expired.text', { token }),
    html`${problemNote(ui)}<div class="actions"><a class="button primary" href="${pageQuery(model, model.tokenId)}" data-action="requote">${ui.quoting ? say('pricing') : say('newPrice', { token })}</a></div>`,
  )}<div class="aside"><p class="hint">${say('orOther')}</p>${tokenChoice(say, model, ui)}</div>${backLink(say, model)}`;
};

const short: Panel = (say, model, ui, qr) => {
  const { missing, receivedUsdCents } = model.receipt;
  const lacking = missing ? html`${say.parts('missing', { amount: own(tokenAmount(missing)) })}` : say('missing.some');
  const amount = own(formatCents(receivedUsdCents, 'USD', say.language));
  return html`<div class="note warn">${heading(lacking)}<p>${say.parts('short', { amount })}</p></div>${payWays(say, model, ui, qr)}${backLink(say, model)}`;
};

const failed: Panel = (say, model, ui, qr) =>
  html`${outcome(
    seal('cross', 'bad'),
    say('failed'),
    say('failed.text', { reason: model.receipt.failure?.sentence ?? '' }),
    html`<div class="actions again"><a class="button primary" href="#pay-again" data-action="try-again">${say('tryAgain')}</a></div>`,
  )}<div id="pay-again" class="pay-again">${payWays(say, model, ui, qr)}</div>${backLink(say, model)}`;

/** How to reach the shop, as far as it has said so. */
function contactLines(say: Say, model: StageModel): Html | null {
  const { contactEmail, contactPhone, contactUrl } = model.contact ?? {};
  if (!contactEmail && !contactPhone && !contactUrl) return null;
  const page = webUrl(contactUrl ?? null);
  return html`<address class="contact" id="contact"><p class="hint">${say.parts('contact', shopOf(model))}</p>
  ${contactEmail && html`<p><a href="mailto:${contactEmail}">${own(contactEmail)}</a></p>`}
  ${contactPhone && html`<p><a href="tel:${contactPhone.replace(/[^+\d]/g, '')}">${own(contactPhone)}</a></p>`}
  ${page && html`<p><a href="${page}" rel="noopener">${own(hostOf(page))}</a></p>`}</address>`;
}

/** How the buyer goes on at a receipt that has ended; null if only the shop knows. */
function wayOn(say: Say, { receipt, renewable, againPath }: StageModel, ui: StageUi, isVoided: boolean) {
  const next = receipt.failure?.nextPath;
  if (next) return html`<div class="actions"><a class="button primary" href="${next}">${say('next')}</a></div>`;
  if (isVoided) return null;
  if (renewable)
    return html`<div class="actions">${scriptButton(ui, 'renew', 'primary', ui.busy ?? say('renew'))}</div>`;
  return againPath
    ? html`<form class="actions" method="post" action="${againPath}"><button class="button primary" id="again">${say('again')}</button></form><p class="hint">${say('again.text')}</p>`
    : null;
}

const ended: Panel = (say, model, ui) => {
  const isVoided = model.receipt.failure?.code === 'PORTAL_SESSION_CANCELLED';
  const way = wayOn(say, model, ui, isVoided);
  const shop = shopOf(model);
  return html`${unmatchedNote(say, model)}${outcome(
    seal('clock', 'muted'),
    say(isVoided ? 'voided' : 'ended'),
    html`${say.parts('ended.text', shop)}${!way && html` ${say.parts('ended.ask', shop)}`}`,
    html`${problemNote(ui)}${way}${contactLines(say, model)}`,
  )}${backLink(say, model)}`;
};

const orbit = html`<span class="orbit" aria-hidden="true"></span>`;

const sent: Panel = (say, model, ui) =>
  outcome(
    orbit,
    say('sent'),
    say('sent.text'),
    html`${ui.sentHash && html`<dl class="fields facts">${transactionRow(say, model, ui.sentHash)}</dl>`}<p class="after"><button type="button" class="plain" data-action="unsend">${say('unsend')}</button></p>`,
  );

const charged: Panel = (say, model) =>
  outcome(
    orbit,
    say('charged'),
    say.parts('charged.text', { provider: model.card?.label ?? say('card.provider'), ...shopOf(model) }),
    html``,
  );

const seen: Panel = (say, model) => {
  const { confirmations, confirmationsNeeded: needed, confirmationNote: note, transactionHash } = model.receipt;
  const count = html`<span id="confirmations">${say('of', { done: Math.min(confirmations, needed), needed })}</span>`;
  return outcome(
    confirmationRing(confirmations, needed),
    say('seen'),
    say.parts('confirmations', { count, note }),
    facts(say, model, transactionHash),
  );
};

/** A payment that is over: what was paid, and what to do next. */
const closed =
  (name: 'paid' | 'completed' | 'refunded', mark: Html): Panel =>
  (say, model, ui) =>
    outcome(
      mark,
      say(name),
      say.parts(`${name}.text`, shopOf(model)),
      html`${facts(say, model, model.receipt.transactionHash)}${keepOrReturn(say, model, ui)}`,
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
  paid: closed('paid', seal('check', 'mark')),
  completed: closed('completed', seal('check', 'mark')),
  refunded: closed('refunded', seal('back', 'muted')),
};

/**
 * The changing part of the page: the progress and the receipt's current state. `qr` is the QR code of the quote's URI,
 * if there is one.
 */
export function renderStage(say: Say, model: StageModel, ui: StageUi, qr: Html | null): Html {
  const name = stageName(model, ui);
  const moves = name !== 'completed' && name !== 'refunded';
  return html`${progressBar(say, model, name)}<div class="panel" data-stage="${name}" data-status="${model.receipt.status}">${panels[name](say, model, ui, qr)}${moves && lookAgain(say, model, ui)}</div>`;
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
function progressBar(say: Say, model: StageModel, stage: StageName): Html {
  const status = STATUS_OF[stage];
  const way = stage === 'ended' ? ENDED : isReturnedPart(model) ? PART_REFUNDED : progressOf(status);
  const { steps, reached, tone } = way;
  const rows = steps.map((step, index) => {
    const state = index + 1 < reached ? 'done' : index + 1 === reached ? 'now' : 'next';
    const at = model.receipt.history.findLast((entry) => entry.status === step)?.at;
    const shown = index > 0 && state !== 'next' && at !== undefined;
    return html`<li class="step ${state}" ${state === 'now' && html`aria-current="step"`}><span class="bar" aria-hidden="true"></span><span class="step-name">${say(`step.${stage === 'ended' && step === 'failed' ? 'ended' : step}`)}${state === 'done' && html`<span class="unseen"> ${say('done')}</span>`}</span>${shown && html`<span class="step-time">${clockTime(at, say.language)}</span>`}</li>`;
  });
  return html`<ol class="steps step-${tone}" aria-label="${say('progress', { reached, steps: steps.length })}">${rows}</ol>`;
}
