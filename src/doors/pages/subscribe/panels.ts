import { formatCents } from '../shared/amounts.ts';
import { dayTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { icon, seal } from '../shared/icons.ts';
import {
  chosenToken,
  currentChain,
  everyPeriod,
  idleUi,
  isCharging,
  isLater,
  type ObstacleView,
  priceText,
  type StageName,
  type SubscribeModel,
  type SubscribeUi,
  type SubscriptionView,
  stageName,
} from './stage.ts';

/** `qr` is the QR code of the page's URL; only the script has it, the server renders without. */
type Panel = (model: SubscribeModel, ui: SubscribeUi, qr: Html | null) => Html;

/** A heading that receives the focus when its state is entered. */
const heading = (text: string): Html => html`<h2 id="stage-title" tabindex="-1">${text}</h2>`;

const outcome = (mark: Html, title: string, text: Html): Html =>
  html`<div class="outcome">${mark}${heading(title)}<p class="lead">${text}</p></div>`;

/** `0x1234567…cdef`, for the customer's own wallet. */
const short = (wallet: string): Html =>
  html`<span class="mono" title="${wallet}">${wallet.slice(0, 6)}…${wallet.slice(-4)}</span>`;

interface Button {
  action: string;
  label: Html | string;
  rank?: 'primary' | 'quiet';
}

/** A button handled by the script. During an activity, the first button shows it. */
function button(ui: SubscribeUi, { action, label, rank = 'primary' }: Button): Html {
  const says = ui.busy && rank === 'primary';
  return html`<button type="button" class="button ${rank} script-only" data-action="${action}" id="${action}" ${ui.busy !== null && html`aria-disabled="true"`}>${says ? html`<span class="spinner" aria-hidden="true"></span><span>${ui.busy}</span>` : html`<span>${label}</span>`}</button>`;
}

const problem = (ui: SubscribeUi): Html | null =>
  ui.problem ? html`<p class="note notice" role="alert">${ui.problem}</p>` : null;

function walletList(ui: SubscribeUi): Html | null {
  if (!ui.picking || ui.busy) return null;
  return html`<div class="wallets" role="group" aria-label="Choose a wallet">${ui.wallets.map(
    (wallet) =>
      html`<button type="button" class="wallet" data-wallet="${wallet.id}">${wallet.icon ? html`<img src="${wallet.icon}" alt="" width="28" height="28">` : icon('wallet')}<span>${wallet.name}</span></button>`,
  )}</div>`;
}

/** Shown if this browser has no wallet: links and a QR code to open the page in a wallet app. */
function elsewhere({ pageUrl }: SubscribeModel, qr: Html | null): Html {
  return html`<section class="elsewhere script-only" aria-labelledby="elsewhere-title">
  <h3 id="elsewhere-title">Continue in your wallet app</h3>
  <div class="elsewhere-grid">
    ${qr && html`<div class="qr">${qr}</div>`}
    <div><p class="hint code-hint">No wallet was found in this browser. Scan the code with your phone to open this page in your wallet app, or install a wallet in this browser.</p>
    <p class="hint touch-hint">No wallet was found in this browser. Open this page in your wallet app, or scan the code with another phone.</p></div>
    <details class="touch-only apps"><summary class="button primary">${icon('phone')}<span>Open in your wallet app</span></summary><div class="wallets">${walletApps(pageUrl).map(({ name, link }) => html`<a class="wallet" href="${link}" rel="noopener">${name}</a>`)}</div></details>
  </div>
</section>`;
}

function connect(model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  const [only] = ui.wallets;
  if (!only) return elsewhere(model, qr);
  const name = ui.wallets.length === 1 ? only.name : 'a wallet';
  const logo =
    ui.wallets.length === 1 && only.icon
      ? html`<img src="${only.icon}" alt="" width="22" height="22">`
      : icon('wallet');
  return html`${button(ui, { action: 'connect', label: html`${logo} Connect ${name}` })}${walletList(ui)}`;
}

const noScript = html`<p class="note notice no-script">Subscribing needs JavaScript and a wallet. Turn JavaScript on, or open this page in your wallet app.</p>`;

const terms = ({ plan, chains }: SubscribeModel): Html => html`<ul class="promises">
  <li>${icon('check')}<span>You sign once. No more than ${formatCents(plan.priceCents, 'USD', 'en')} is charged ${everyPeriod(plan.period)}, even if the price changes.</span></li>
  <li>${icon('check')}<span>Each charge goes straight from your wallet to the shop, on ${chains.map(({ name }) => name).join(' or ')}.</span></li>
  <li>${icon('check')}<span>Cancel at any time, here or in your wallet. It takes effect at once.</span></li>
</ul>`;

const offer: Panel = (model, ui, qr) =>
  html`${heading('Subscribe with your wallet')}${terms(model)}${problem(ui)}<div class="actions">${connect(model, ui, qr)}</div>${noScript}`;

function tokenChoice(model: SubscribeModel, ui: SubscribeUi): Html | null {
  if (model.tokens.length < 2) return null;
  const several = new Set(model.tokens.map(({ chainId }) => chainId)).size > 1;
  return html`<form class="tokens" data-form="token"><fieldset><legend class="unseen">${several ? 'Currency and network' : 'Currency'}</legend><div class="segments">${model.tokens.map(
    ({ id, symbol, chainId }) =>
      html`<label class="segment"><input type="radio" name="token" value="${id}" id="token-${id}" ${id === chosenToken(model, ui)?.id && html`checked`} ${ui.busy !== null && html`disabled`}><span>${symbol}${several && html` <small>${model.chains.find((chain) => chain.id === chainId)?.name}</small>`}</span></label>`,
  )}</div></fieldset></form>`;
}

type CheckState = 'done' | 'todo' | 'warn';

const SAID: Readonly<Record<CheckState, string>> = { done: 'Done: ', todo: 'To do: ', warn: 'Attention: ' };

const check = (state: CheckState, title: Html | string, text?: string): Html =>
  html`<li class="check ${state}"><span class="tick" aria-hidden="true">${state === 'done' ? icon('check') : state === 'warn' && '!'}</span><span><span class="unseen">${SAID[state]}</span><b>${title}</b>${text && html`<span class="why">${text}</span>`}</span></li>`;

/** The obstacles that the customer's wallet removes with a transaction. */
const FIXABLE = ['approval_missing', 'manager_not_owner', 'permission_not_approved'] as const;

const find = (ui: SubscribeUi, ...codes: ObstacleView['code'][]): ObstacleView | undefined =>
  ui.preflight?.obstacles.find(({ code }) => codes.includes(code));

/** The obstacles to charging the wallet. */
function checks(ui: SubscribeUi, afterBalance: string): Html {
  const { preflight, account } = ui;
  const token = preflight?.token ?? '';
  const allowance = find(ui, ...FIXABLE);
  const balance = find(ui, 'balance_too_low');
  return html`<ol class="checks">
  ${account && check('done', html`Wallet ${short(account)} is connected`)}
  ${preflight && (allowance ? check('todo', `Allow charges in ${token}`, allowance.message) : check('done', `Charges in ${token} are allowed`))}
  ${preflight && (balance ? check('warn', `Not enough ${token} yet`, `${balance.message} ${afterBalance}`) : check('done', `There is enough ${token} for the next charge`))}
  </ol>`;
}

/** The button that removes the obstacle; none if the wallet cannot remove it. */
function fixButton(ui: SubscribeUi): Html | null {
  const obstacle = find(ui, ...FIXABLE);
  if (!obstacle) return null;
  const label =
    obstacle.code === 'approval_missing'
      ? `Allow charges in ${ui.preflight?.token}`
      : 'Let the plan charge this account';
  return button(ui, { action: 'fix', label });
}

/** What subscribing costs beside the price. */
function cost(ui: SubscribeUi): string {
  if (ui.together) return 'Your account allows the charges and subscribes in one request, for a small network fee.';
  const signing = 'Subscribing is a signature: it costs nothing.';
  return fixButton(ui) ? `Allowing costs a small network fee. ${signing}` : signing;
}

/** Where the customer wants to hear of the charges, if the server sends there. */
const emailField = ({ mailWords }: SubscribeModel, ui: SubscribeUi): Html | null =>
  mailWords &&
  html`<div class="email"><label for="email">${mailWords.label}</label><div class="email-row"><input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" value="${ui.email}" aria-describedby="email-note"></div><p class="hint" id="email-note">${mailWords.hint}</p></div>`;

const prepare: Panel = (model, ui) => {
  const { plan } = model;
  const fix = ui.together ? null : fixButton(ui);
  const label = `Subscribe for ${formatCents(plan.priceCents, 'USD', 'en')} ${everyPeriod(plan.period)}`;
  return html`${heading('Almost there')}${tokenChoice(model, ui)}${checks(ui, 'You can subscribe now and add funds before then.')}${emailField(model, ui)}${problem(ui)}<div class="actions">
  ${fix}
  ${button(ui, { action: 'subscribe', label, rank: fix ? 'quiet' : 'primary' })}
  </div>
  <p class="hint">${cost(ui)}</p>
  <p class="after"><button type="button" class="plain" data-action="find" id="find">Find a subscription of this wallet</button></p>`;
};

function facts(model: SubscribeModel, subscription: SubscriptionView): Html {
  const { nextChargeAt, lastChargedAt, chargeCount, totalChargedUsd, customerWallet, status } = subscription;
  const isUnderway = isCharging(subscription) && !isLater(subscription, model.now);
  return html`<dl class="fields facts">
  ${nextChargeAt !== null && !isUnderway && html`<div class="field"><dt>${status === 'past_due' ? 'Next try' : isCharging(subscription) ? 'First charge' : 'Next charge'}</dt><dd class="value" id="next-charge">${nextChargeAt <= model.now ? 'Soon' : dayTime(nextChargeAt, 'en')}</dd></div>`}
  <div class="field"><dt>Price</dt><dd class="value">${priceText(subscription)} ${everyPeriod(model.plan.period)}</dd></div>
  ${lastChargedAt !== null && html`<div class="field"><dt>Last charge</dt><dd class="value" id="last-charge">${dayTime(lastChargedAt, 'en')}</dd></div>`}
  ${chargeCount > 0 && html`<div class="field"><dt>Charged so far</dt><dd class="value">${priceText({ priceUsd: totalChargedUsd })} in ${chargeCount === 1 ? '1 charge' : `${chargeCount} charges`}</dd></div>`}
  ${model.chains.length > 1 && html`<div class="field"><dt>Network</dt><dd class="value sentence" id="network">${currentChain(model, idleUi)?.name}</dd></div>`}
  <div class="field"><dt>Wallet</dt><dd class="value">${short(customerWallet)}</dd></div>
</dl>`;
}

/** Cancelling takes two steps, to prevent accidental clicks. */
function cancelPart(model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  if (!ui.cancelling)
    return html`<p class="after"><button type="button" class="plain script-only" data-action="ask-cancel" id="ask-cancel">Cancel the subscription</button><span class="no-script">To cancel, open this page with JavaScript, or revoke the permission in your wallet.</span></p>`;
  return html`<section class="aside" aria-labelledby="cancel-title"><h3 class="ask" id="cancel-title" tabindex="-1">Cancel this subscription?</h3>
  <p class="hint">From now on nothing is charged. What has been paid stays paid. Your wallet asks for a signature, which costs nothing.</p>
  <div class="actions">${ui.wallets.length > 0 ? button(ui, { action: 'cancel', label: 'Yes, cancel it' }) : connect(model, ui, qr)}${walletList(ui)}${button(ui, { action: 'keep', label: 'Keep it', rank: 'quiet' })}</div></section>`;
}

const keepLink = html`<p class="hint">Keep the address of this page to return to your subscription.</p>`;

const charging: Panel = (model, ui, qr) => {
  const subscription = model.subscription!;
  const shop = html`<bdi>${model.merchantName}</bdi>`;
  const what = isLater(subscription, model.now)
    ? outcome(
        seal('clock', 'mark'),
        'Your first charge is planned',
        html`${shop} charges your wallet for the first time on ${dayTime(subscription.nextChargeAt!, 'en')}. There is nothing left for you to do.`,
      )
    : outcome(
        seal('clock', 'mark'),
        `Charging ${priceText(subscription)}…`,
        html`Your wallet is being charged for ${shop}. It usually takes a few seconds. You can close this page meanwhile.`,
      );
  return html`${what}${facts(model, subscription)}${problem(ui)}${keepLink}${cancelPart(model, ui, qr)}`;
};

/** When the next charge comes, as a sentence. */
function nextText({ nextChargeAt }: SubscriptionView, now: number): Html {
  if (nextChargeAt === null) return html`No further charge follows.`;
  return nextChargeAt <= now
    ? html`The next charge comes soon.`
    : html`The next charge comes on ${dayTime(nextChargeAt, 'en')}.`;
}

const active: Panel = (model, ui, qr) => {
  const subscription = model.subscription!;
  return html`${outcome(
    seal('check', 'mark'),
    'You are subscribed',
    html`Thank you. ${priceText(subscription)} was charged for <bdi>${model.merchantName}</bdi>. ${nextText(subscription, model.now)}`,
  )}${facts(model, subscription)}${problem(ui)}${keepLink}${cancelPart(model, ui, qr)}`;
};

/** Why a charge failed, for the customer. */
const REASONS: Partial<Record<NonNullable<SubscriptionView['lastFailure']>, string>> = {
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: 'Your wallet has too little money, or does not allow the charge.',
  PORTAL_CHAIN_WALLET_MISMATCH: 'Your wallet does not recognise the signature any more.',
};

const pastDue: Panel = (model, ui, qr) => {
  const subscription = model.subscription!;
  const { firstCharge, lastFailure } = subscription;
  const reason = (lastFailure && REASONS[lastFailure]) ?? 'The network refused the charge.';
  const fix = ui.account ? fixButton(ui) : null;
  return html`${outcome(
    seal('clock', 'warn'),
    `The ${firstCharge === 'failed' ? 'first' : 'last'} charge did not go through`,
    html`<span id="failure">${reason}</span> It will be tried again over the next days. Make sure that your wallet has enough funds and allows the charge.`,
  )}${facts(model, subscription)}${ui.preflight && checks(ui, 'Add funds before the next try.')}${problem(ui)}<div class="actions">${fix}${!ui.account && connect(model, ui, qr)}${ui.account && !fix && button(ui, { action: 'recheck', label: 'Check again' })}</div>${cancelPart(model, ui, qr)}`;
};

const again = (model: SubscribeModel): Html | null =>
  model.plan.active
    ? html`<div class="actions"><a class="button quiet" href="?" data-action="again">Subscribe again</a></div>`
    : null;

const cancelled: Panel = (model) =>
  html`${outcome(
    seal('cross', 'muted'),
    'Cancelled',
    html`Nothing will be charged any more. The permission that you signed is also revoked on the chain.`,
  )}${facts(model, model.subscription!)}${again(model)}`;

const expired: Panel = (model) =>
  html`${outcome(seal('clock', 'muted'), 'This subscription has ended', html`Nothing will be charged any more.`)}${facts(model, model.subscription!)}${again(model)}`;

const closed: Panel = (_, ui) =>
  html`${outcome(
    seal('question', 'muted'),
    'No longer offered',
    html`This plan takes no new subscriptions. Existing subscriptions are not affected.`,
  )}${problem(ui)}${ui.wallets.length > 0 && html`<div class="actions">${button(ui, { action: 'find', label: 'Find my subscription' })}${walletList(ui)}</div>`}`;

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
export function renderStage(model: SubscribeModel, ui: SubscribeUi, qr: Html | null): Html {
  const name = stageName(model, ui);
  return html`<div class="panel" data-stage="${name}">${panels[name](model, ui, qr)}</div>`;
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
