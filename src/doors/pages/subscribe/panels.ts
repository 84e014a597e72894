import { dayTime } from '../shared/dates.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { icon, seal } from '../shared/icons.ts';
import {
  chosenToken,
  currentChain,
  dueTitle,
  everyPeriod,
  idleUi,
  isCharging,
  isLater,
  networks,
  type ObstacleView,
  price,
  priceText,
  reasonText,
  type Say,
  type StageName,
  type SubscribeModel,
  type SubscribeUi,
  type SubscriptionView,
  stageName,
} from './stage.ts';

/** `qr` is the QR code of the page's URL; only the script has it, the server renders without. */
type Panel = (say: Say, model: SubscribeModel, ui: SubscribeUi, qr: Html | null) => Html;

/** A heading that receives the focus when its state is entered. */
const heading = (text: string): Html => html`<h2 id="stage-title" tabindex="-1">${text}</h2>`;

const outcome = (mark: Html, title: string, text: Part): Html =>
  html`<div class="outcome">${mark}${heading(title)}<p class="lead">${text}</p></div>`;

/** `0x1234567…cdef`, for the customer's own wallet. */
const short = (wallet: string): Html =>
  html`<bdi class="mono" title="${wallet}">${wallet.slice(0, 6)}…${wallet.slice(-4)}</bdi>`;

interface Button {
  action: string;
  label: Part;
  rank?: 'primary' | 'quiet';
}

/** A button handled by the script. During an activity, the first button shows it. */
function button(ui: SubscribeUi, { action, label, rank = 'primary' }: Button): Html {
  const says = ui.busy && rank === 'primary';
  return html`<button type="button" class="button ${rank} script-only" data-action="${action}" id="${action}" ${ui.busy !== null && html`aria-disabled="true"`}>${says ? html`<span class="spinner" aria-hidden="true"></span><span>${ui.busy}</span>` : html`<span>${label}</span>`}</button>`;
}

const problem = (ui: SubscribeUi): Html | null =>
  ui.problem ? html`<p class="note notice" role="alert">${ui.problem}</p>` : null;

function walletList(say: Say, ui: SubscribeUi): Html | null {
  if (!ui.picking || ui.busy) return null;
  return html`<div class="wallets" role="group" aria-label="${say('connectAny')}">${ui.wallets.map(
    (wallet) =>
      html`<button type="button" class="wallet" data-wallet="${wallet.id}">${wallet.icon ? html`<img src="${wallet.icon}" alt="" width="28" height="28">` : icon('wallet')}<span>${wallet.name}</span></button>`,
  )}</div>`;
}

/** Shown if this browser has no wallet: links and a QR code to open the page in a wallet app. */
function elsewhere(say: Say, { pageUrl }: SubscribeModel, qr: Html | null): Html {
  return html`<section class="elsewhere script-only" aria-labelledby="elsewhere-title">
  <h3 id="elsewhere-title">${say('continue')}</h3>
  <div class="elsewhere-grid">
    ${qr && html`<div class="qr">${qr}</div>`}
    <div><p class="hint code-hint">${say('scan')}</p>
    <p class="hint touch-hint">${say('open.hint')}</p></div>
    <details class="touch-only apps"><summary class="button primary">${icon('phone')}<span>${say('open')}</span></summary><div class="wallets">${walletApps(pageUrl).map(({ name, link }) => html`<a class="wallet" href="${link}" rel="noopener">${name}</a>`)}</div></details>
  </div>
</section>`;
}

function connect(say: Say, model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  const [only] = ui.wallets;
  if (!only) return elsewhere(say, model, qr);
  const label = ui.wallets.length === 1 ? html`${say.parts('connect', { wallet: own(only.name) })}` : say('connectAny');
  const logo =
    ui.wallets.length === 1 && only.icon
      ? html`<img src="${only.icon}" alt="" width="22" height="22">`
      : icon('wallet');
  return html`${button(ui, { action: 'connect', label: html`${logo} ${label}` })}${walletList(say, ui)}`;
}

const noScript = (say: Say): Html => html`<p class="note notice no-script">${say('noScript')}</p>`;

const terms = (say: Say, { plan, chains }: SubscribeModel): Html => html`<ul class="promises">
  <li>${icon('check')}<span>${say.parts('once', { price: price(say, plan.priceCents), every: everyPeriod(say, plan.period) })}</span></li>
  <li>${icon('check')}<span>${say('direct', { chains: networks(say, chains) })}</span></li>
  <li>${icon('check')}<span>${say('anytime')}</span></li>
</ul>`;

const offer: Panel = (say, model, ui, qr) =>
  html`${heading(say('offer.title'))}${terms(say, model)}${problem(ui)}<div class="actions">${connect(say, model, ui, qr)}</div>${!ui.script && noScript(say)}`;

function tokenChoice(say: Say, model: SubscribeModel, ui: SubscribeUi): Html | null {
  if (model.tokens.length < 2) return null;
  const several = new Set(model.tokens.map(({ chainId }) => chainId)).size > 1;
  return html`<form class="tokens" data-form="token"><fieldset><legend class="unseen">${say(several ? 'currencyNetwork' : 'currency')}</legend><div class="segments">${model.tokens.map(
    ({ id, symbol, chainId }) =>
      html`<label class="segment"><input type="radio" name="token" value="${id}" id="token-${id}" ${id === chosenToken(model, ui)?.id && html`checked`} ${ui.busy !== null && html`disabled`}><span>${symbol}${several && html` <small>${model.chains.find((chain) => chain.id === chainId)?.name}</small>`}</span></label>`,
  )}</div></fieldset></form>`;
}

type CheckState = 'done' | 'todo' | 'warn';

const check = (say: Say, state: CheckState, title: Part, text?: Part): Html =>
  html`<li class="check ${state}"><span class="tick" aria-hidden="true">${state === 'done' ? icon('check') : state === 'warn' && '!'}</span><span><span class="unseen">${say(`check.${state}`)} </span><b>${title}</b>${text && html`<span class="why">${text}</span>`}</span></li>`;

/** The obstacles that the customer's wallet removes with a transaction. */
const FIXABLE = ['approval_missing', 'manager_not_owner', 'permission_not_approved'] as const;

const find = (ui: SubscribeUi, ...codes: ObstacleView['code'][]): ObstacleView | undefined =>
  ui.preflight?.obstacles.find(({ code }) => codes.includes(code));

/** Base units as an exact number in Latin digits, as a wallet shows it. */
function decimal(baseUnits: string, decimals: number): string {
  const digits = baseUnits.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, '');
}

/** Why an obstacle prevents a charge. */
function why(say: Say, { tokens }: SubscribeModel, { preflight }: SubscribeUi, { code, fix }: ObstacleView): Html {
  if (code === 'manager_not_owner' || code === 'permission_not_approved') return html`${say('why.account')}`;
  const token = preflight?.token ?? '';
  const decimals = tokens.find(({ symbol, chainId }) => symbol === token && chainId === preflight?.chainId)?.decimals;
  if (decimals === undefined || !fix.amount) return html`${say('why.other')}`;
  const amount = own(`${decimal(fix.amount, decimals)} ${token}`);
  return html`${code === 'approval_missing' ? say.parts('why.approval', { token, amount }) : say.parts('why.balance', { amount })}`;
}

/** The obstacles to charging the wallet. */
function checks(say: Say, model: SubscribeModel, ui: SubscribeUi): Html {
  const { preflight, account } = ui;
  const token = preflight?.token ?? '';
  const allowance = find(ui, ...FIXABLE);
  const balance = find(ui, 'balance_too_low');
  return html`<ol class="checks">
  ${account && check(say, 'done', html`${say.parts('connected', { wallet: short(account) })}`)}
  ${preflight && (allowance ? check(say, 'todo', say('allow', { token }), why(say, model, ui, allowance)) : check(say, 'done', say('allowed', { token })))}
  ${preflight && (balance ? check(say, 'warn', say('tooLow', { token }), why(say, model, ui, balance)) : check(say, 'done', say('enough', { token })))}
  </ol>`;
}

/** The button that removes the obstacle; none if the wallet cannot remove it. */
function fixButton(say: Say, ui: SubscribeUi): Html | null {
  if (!find(ui, ...FIXABLE)) return null;
  const label = say('allow', { token: ui.preflight?.token ?? '' });
  return button(ui, { action: 'fix', label });
}

/** What subscribing costs beside the price. */
function cost(say: Say, ui: SubscribeUi): string {
  if (ui.together) return say('cost.together');
  return fixButton(say, ui) ? `${say('cost.fix')} ${say('cost.sign')}` : say('cost.sign');
}

/** Where the customer wants to hear of the charges, if the server sends there. */
const emailField = ({ mailWords }: SubscribeModel, ui: SubscribeUi): Html | null =>
  mailWords &&
  html`<div class="email"><label for="email">${mailWords.label}</label><div class="email-row"><input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" value="${ui.email}" aria-describedby="email-note"></div><p class="hint" id="email-note">${mailWords.hint}</p></div>`;

const prepare: Panel = (say, model, ui) => {
  const { plan } = model;
  const fix = ui.together ? null : fixButton(say, ui);
  const label = html`${say.parts('for', { price: price(say, plan.priceCents), every: everyPeriod(say, plan.period) })}`;
  return html`${heading(say('almost'))}${tokenChoice(say, model, ui)}${checks(say, model, ui)}${emailField(model, ui)}${problem(ui)}<div class="actions">
  ${fix}
  ${button(ui, { action: 'subscribe', label, rank: fix ? 'quiet' : 'primary' })}
  </div>
  <p class="hint">${cost(say, ui)}</p>
  <p class="after"><button type="button" class="plain" data-action="find" id="find">${say('find')}</button></p>`;
};

function facts(say: Say, model: SubscribeModel, subscription: SubscriptionView): Html {
  const { nextChargeAt, lastChargedAt, chargeCount, totalChargedUsd, customerWallet, status } = subscription;
  const isUnderway = isCharging(subscription) && !isLater(subscription, model.now);
  return html`<dl class="fields facts">
  ${nextChargeAt !== null && !isUnderway && html`<div class="field"><dt>${say(status === 'past_due' ? 'next.try' : isCharging(subscription) ? 'next.first' : 'next.charge')}</dt><dd class="value" id="next-charge">${nextChargeAt <= model.now ? say('soon') : dayTime(nextChargeAt, say.language)}</dd></div>`}
  <div class="field"><dt>${say('priceLabel')}</dt><dd class="value">${say.parts('price', { price: own(priceText(say, subscription)), every: everyPeriod(say, model.plan.period) })}</dd></div>
  ${lastChargedAt !== null && html`<div class="field"><dt>${say('last')}</dt><dd class="value" id="last-charge">${dayTime(lastChargedAt, say.language)}</dd></div>`}
  ${chargeCount > 0 && html`<div class="field"><dt>${say('sofar')}</dt><dd class="value">${say.parts('charges', { sum: own(priceText(say, { priceUsd: totalChargedUsd })), count: chargeCount })}</dd></div>`}
  ${model.chains.length > 1 && html`<div class="field"><dt>${say('network')}</dt><dd class="value sentence" id="network">${currentChain(model, idleUi)?.name}</dd></div>`}
  <div class="field"><dt>${say('wallet')}</dt><dd class="value">${short(customerWallet)}</dd></div>
</dl>`;
}

/** Cancelling takes two steps, to prevent accidental clicks. */
function cancelPart(say: Say, model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  if (!ui.cancelling)
    return html`<p class="after"><button type="button" class="plain script-only" data-action="ask-cancel" id="ask-cancel">${say('cancel')}</button>${!ui.script && html`<span class="no-script">${say('cancel.noScript')}</span>`}</p>`;
  return html`<section class="aside" aria-labelledby="cancel-title"><h3 class="ask" id="cancel-title" tabindex="-1">${say('cancel.title')}</h3>
  <p class="hint">${say('cancel.text')}</p>
  <div class="actions">${ui.wallets.length > 0 ? button(ui, { action: 'cancel', label: say('cancel.yes') }) : connect(say, model, ui, qr)}${walletList(say, ui)}${button(ui, { action: 'keep', label: say('cancel.keep'), rank: 'quiet' })}</div></section>`;
}

const keepLink = (say: Say): Html => html`<p class="hint">${say('keepAddress')}</p>`;

const charging: Panel = (say, model, ui, qr) => {
  const subscription = model.subscription!;
  const shop = own(model.merchantName);
  const what = isLater(subscription, model.now)
    ? outcome(
        seal('clock', 'mark'),
        say('planned.title'),
        html`${say.parts('planned.text', { shop, at: dayTime(subscription.nextChargeAt!, say.language) })}`,
      )
    : outcome(
        seal('clock', 'mark'),
        say('charging.title', { price: priceText(say, subscription) }),
        html`${say.parts('charging.text', { shop })}`,
      );
  return html`${what}${facts(say, model, subscription)}${problem(ui)}${keepLink(say)}${cancelPart(say, model, ui, qr)}`;
};

/** When the next charge comes, as a sentence. */
function nextText(say: Say, { nextChargeAt }: SubscriptionView, now: number): Html {
  if (nextChargeAt === null) return html`${say('none')}`;
  return nextChargeAt <= now
    ? html`${say('soonText')}`
    : html`${say.parts('nextText', { at: dayTime(nextChargeAt, say.language) })}`;
}

const active: Panel = (say, model, ui, qr) => {
  const subscription = model.subscription!;
  return html`${outcome(
    seal('check', 'mark'),
    say('active.title'),
    html`${say.parts('active.text', {
      price: own(priceText(say, subscription)),
      shop: own(model.merchantName),
      next: nextText(say, subscription, model.now),
    })}`,
  )}${facts(say, model, subscription)}${problem(ui)}${keepLink(say)}${cancelPart(say, model, ui, qr)}`;
};

const pastDue: Panel = (say, model, ui, qr) => {
  const subscription = model.subscription!;
  const reason = html`<span id="failure">${reasonText(say, subscription)}</span>`;
  const fix = ui.account ? fixButton(say, ui) : null;
  return html`${outcome(
    seal('clock', 'warn'),
    dueTitle(say, subscription.firstCharge === 'failed'),
    html`${say.parts('due.text', { reason })}`,
  )}${facts(say, model, subscription)}${ui.preflight && checks(say, model, ui)}${problem(ui)}<div class="actions">${fix}${!ui.account && connect(say, model, ui, qr)}${ui.account && !fix && button(ui, { action: 'recheck', label: say('recheck') })}</div>${cancelPart(say, model, ui, qr)}`;
};

const again = (say: Say, model: SubscribeModel): Html | null =>
  model.plan.active
    ? html`<div class="actions"><a class="button quiet" href="${model.againUrl}" data-action="again">${say('again')}</a></div>`
    : null;

const cancelled: Panel = (say, model) =>
  html`${outcome(
    seal('cross', 'muted'),
    say('cancelled.title'),
    say('cancelled.text'),
  )}${facts(say, model, model.subscription!)}${again(say, model)}`;

const expired: Panel = (say, model) =>
  html`${outcome(seal('clock', 'muted'), say('expired.title'), say('expired.text'))}${facts(say, model, model.subscription!)}${again(say, model)}`;

const closed: Panel = (say, _, ui) =>
  html`${outcome(
    seal('question', 'muted'),
    say('closed.title'),
    say('closed.text'),
  )}${problem(ui)}${ui.wallets.length > 0 && html`<div class="actions">${button(ui, { action: 'find', label: say('findMine') })}${walletList(say, ui)}</div>`}`;

const panels: Record<StageName, Panel> = {
  closed,
  offer,
  prepare,
  charging,
  active,
  past_due: pastDue,
  cancelled,
  expired,
};

/** The changing part of the page: its current state. */
export function renderStage(say: Say, model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  const name = stageName(model, ui);
  return html`<div class="panel" data-stage="${name}">${panels[name](say, model, ui, qr)}</div>`;
}

/** A wallet app, and the link that opens a web page in its browser. */
interface WalletApp {
  readonly name: string;
  readonly link: string;
}

/**
 * Links that open a page in the browsers of common wallet apps. No link works in every app, so the user chooses one.
 *
 * @param pageUrl absolute; `https:` outside a test network, because the apps open no other
 */
function walletApps(pageUrl: string): WalletApp[] {
  const { host, pathname, search } = new URL(pageUrl);
  const encoded = encodeURIComponent(pageUrl);
  return [
    { name: 'MetaMask', link: `https://metamask.app.link/dapp/${host}${pathname}${search}` },
    { name: 'Coinbase Wallet', link: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: 'Trust Wallet', link: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}
