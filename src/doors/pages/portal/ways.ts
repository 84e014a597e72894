import { localeOf } from '../../../base/core/messages/languages.ts';
import { LEGACY_WALLET } from '../client/discover-wallets.ts';
import { formatRemaining, withCents } from '../shared/amounts.ts';
import { clockTime } from '../shared/dates.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import {
  quoteCountsDown,
  type Say,
  type StageModel,
  type StageUi,
  tokenAmount,
  tokenOfSymbol,
  type WalletWay,
} from './stage.ts';
import type { PortalToken } from './view.ts';

/** With more tokens than these, the network is chosen in a step of its own. */
const IN_ONE_STEP = 4;

/**
 * The token selection: radio buttons; without the script, a form that reloads the page. Many tokens are chosen in two
 * steps: the currency, then its network.
 */
export function tokenChoice(say: Say, model: StageModel, ui: StageUi): Html {
  const { tokens } = model;
  const chosenId = ui.quoting ?? model.tokenId;
  const chosen = tokens.find(({ id }) => id === chosenId) ?? tokens[0];
  const inSteps = tokens.length > IN_ONE_STEP && tokens.some(({ chain }) => chain);
  const symbols = inSteps ? [...new Set(tokens.map(({ symbol }) => symbol))] : [];
  const currencies = symbols.flatMap((symbol) => tokenOfSymbol(tokens, symbol, chosenId) ?? []);
  const listed = inSteps ? tokens.filter(({ symbol }) => symbol === chosen?.symbol) : tokens;
  const reasons = [...currencies, ...listed].flatMap(({ offered, reason }) => (offered ? [] : (reason ?? [])));
  const segment = (step: 'symbol' | 'token', value: string, checked: boolean, token: PortalToken, label: Html) =>
    html`<label class="segment ${!token.offered && 'refused'}" title="${token.offered ? token.name : token.reason}"><input type="radio" name="${step}" value="${value}" id="${step}-${value}" ${checked && html`checked`} ${(!token.offered || ui.busy !== null) && html`disabled`}><span>${label}</span></label>`;
  const hidden = { recipient: model.merchantWallet, k: model.key, lang: model.chosen };
  return html`<form class="tokens">
  ${Object.entries(hidden).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
  ${inSteps && html`<fieldset><legend class="unseen">${say('currency')}</legend><div class="segments">${currencies.map((token) => segment('symbol', token.symbol, token.symbol === chosen?.symbol, token, html`${token.symbol}`))}</div></fieldset>`}
  <fieldset><legend class="unseen">${say(inSteps ? 'network' : 'currency')}</legend><div class="segments">${listed.map((token) => segment('token', token.id, token.id === chosenId, token, tokenLabel(token, inSteps)))}</div></fieldset>
  ${[...new Set(reasons)].map((reason) => html`<p class="hint">${reason}</p>`)}
  ${!ui.script && html`<button class="button quiet no-script" type="submit">${say('plain.show')}</button>`}
</form>`;
}

/** A token with its network; the network alone where the token is chosen already. */
function tokenLabel({ symbol, chain }: PortalToken, alone: boolean): Html {
  const note = [alone ? '' : chain?.name, chain?.choice].filter(Boolean).join(' · ');
  return html`${alone ? chain?.name : symbol}${note && html` <small>${note}</small>`}`;
}

/** What a button of the page copies. */
export type Copied = 'amount' | 'address' | 'transaction';

/** A cell of a definition list with a copy button, or the button alone. */
export function copyButton(
  say: Say,
  what: Copied,
  value: string,
  place: 'cell' | 'span' = 'cell',
  label = say('copy', { what }),
): Html {
  const button = html`<button type="button" class="copy" data-copy="${value}" data-what="${what}" aria-label="${label}" title="${label}">${icon('copy')}${icon('check', 'done')}<span class="copy-word">${say('copyWord')}</span></button>`;
  return place === 'cell'
    ? html`<dd class="copy-cell script-only">${button}</dd>`
    : html`<span class="script-only">${button}</span>`;
}

function walletLabel(say: Say, ui: StageUi): Html {
  const [only] = ui.wallets;
  if (ui.wallets.length !== 1 || !only || only.id === LEGACY_WALLET)
    return html`${icon('wallet')}<span>${say('wallet')}</span>`;
  return html`${only.icon ? html`<img src="${only.icon}" alt="" width="22" height="22">` : icon('wallet')}<span>${say.parts('wallet.named', { name: own(only.name) })}</span>`;
}

function walletList(label: string, ui: StageUi): Html {
  return html`<div class="wallets" role="group" aria-label="${label}">${ui.wallets.map(
    (wallet) =>
      html`<button type="button" class="wallet" data-wallet="${wallet.id}">${wallet.icon ? html`<img src="${wallet.icon}" alt="" width="28" height="28">` : icon('wallet')}<span>${wallet.name}</span></button>`,
  )}</div>`;
}

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

function cardLabel(say: Say, { card, receipt }: StageModel, ui: StageUi): Html {
  if (ui.openingCard) return html`${spinner}<span>${say('card.opening')}</span>`;
  const begun = receipt.cardSession && ['initialized', 'requires_payment'].includes(receipt.cardSession.status);
  const [first, again] = card?.test ? (['card.test', 'card.begunTest'] as const) : (['card', 'card.begun'] as const);
  return html`${icon('card')}<span>${say(begun ? again : first)}</span>`;
}

const openInApp = (say: Say, uri: string, rank: string): Html =>
  html`<a class="button ${rank} touch-only" href="${uri}" data-action="open-wallet">${icon('phone')}<span>${say('app')}</span></a>`;

/** A button of the page's script, which waits while something is under way. */
export function scriptButton(
  ui: StageUi,
  name: string,
  rank: string,
  label: Part,
  expanded: boolean | null = null,
): Html {
  const waits = ui.busy !== null || ui.quoting !== null || ui.openingCard;
  return html`<button type="button" class="button ${rank} script-only" data-action="${name}" id="${name}" ${expanded !== null && html`aria-expanded="${String(expanded)}"`} ${waits && html`aria-disabled="true"`}>${label}</button>`;
}

/** Whether the link to a wallet app is the best way: nothing on this page can pay by itself. */
const leadsToApp = ({ testWallet }: StageModel, ui: StageUi): boolean => ui.wallets.length === 0 && !testWallet;

/** The buttons that start a payment: the best way for this device first, then the other ones, folded if several. */
function payButtons(say: Say, model: StageModel, ui: StageUi): Html {
  const { quote, card, tokens, tokenId } = model;
  if (!quote) return html``;
  const hasWallet = ui.wallets.length > 0;
  const gasless = !model.readOnly && tokens.find(({ id }) => id === tokenId)?.gasless;
  const underway = ui.busy && html`${spinner}<span>${ui.busy}</span>`;
  const fromWallet = (id: string, how: WalletWay, label: Html) => (rank: string) =>
    html`${scriptButton(ui, id, rank, label, ui.wallets.length > 1 ? ui.picking === how : null)}${ui.picking === how && !ui.busy && walletList(say('wallet.pick'), ui)}`;
  const ways = [
    hasWallet && fromWallet('pay-wallet', 'send', underway || walletLabel(say, ui)),
    model.testWallet &&
      ((rank: string) =>
        scriptButton(ui, 'pay-test', rank, (!hasWallet && underway) || html`<span>${say('wallet.test')}</span>`)),
    leadsToApp(model, ui) && ((rank: string) => openInApp(say, quote.uri, rank)),
    hasWallet && gasless && fromWallet('pay-signed', 'sign', html`${say('wallet.sign')}`),
    card && ((rank: string) => scriptButton(ui, 'pay-card', rank, cardLabel(say, model, ui))),
  ].filter((way) => typeof way === 'function');
  const [best, ...others] = ways.map((way, index) => way(index === 0 ? 'primary' : 'quiet'));
  const folded = html`<details class="others script-only"><summary class="button quiet">${say('others')}</summary><div class="actions">${others}</div></details>`;
  return html`<div class="actions">${best}${others.length > 1 ? folded : others}</div>`;
}

/** What the address takes, network by network: `USDC and ETH on Base and Polygon, and USDC on Ethereum`. */
function whatIsTaken(say: Say, { tokens, chain }: StageModel): string {
  const inWords = new Intl.ListFormat(localeOf(say.language));
  const offered = tokens.filter((token) => token.offered);
  const networkOf = (token: PortalToken) => token.chain?.name ?? chain.name;
  const takenOn = (network: string) =>
    inWords.format(offered.filter((token) => networkOf(token) === network).map(({ symbol }) => symbol));
  const networks = [...new Set(offered.map(networkOf))];
  return [...new Set(networks.map(takenOn))]
    .map((symbols) =>
      say('on', {
        tokens: symbols,
        networks: inWords.format(networks.filter((network) => takenOn(network) === symbols)),
      }),
    )
    .reduce((one, other) => say('and', { one, other }));
}

/** Characters of an address per chunk, so that the 42 characters fill lines evenly. */
const CHUNK = 7;
const ENDS = 6;

/** An address with its ends in bold, which breaks only between chunks of equal length. Its text contains no spaces. */
function addressText(address: string): Html {
  const chunks = address.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  return html`${chunks.map((chunk, index) => {
    const [first, last] = [index === 0, index === chunks.length - 1];
    if (first) return html`<b>${chunk.slice(0, ENDS)}</b>${chunk.slice(ENDS)}`;
    return last ? html`<wbr>${chunk.slice(0, -ENDS)}<b>${chunk.slice(-ENDS)}</b>` : html`<wbr>${chunk}`;
  })}`;
}

/** A sentence with a point in time: `rest` says how long that is, where the page's script counts down. */
export function deadlineText(
  say: Say,
  [sentence, rest]: ['until', 'within'] | ['held', 'another'],
  expiresAt: number,
  now: number,
): Html {
  const left = html`<span data-expires="${expiresAt}">${formatRemaining(expiresAt - now)}</span>`;
  return html`${icon('clock')} ${say.parts(sentence, {
    time: clockTime(expiresAt, say.language),
    rest: html`<span class="script-only">${say.parts(rest, { left })}</span>`,
  })}`;
}

/**
 * Payment from anywhere else: amount, address, and QR code. `qr` is the SVG of the payment request. A phone shows it
 * folded, with the code last: the code is for the camera of another device.
 */
function transferCard(say: Say, model: StageModel, ui: StageUi, qr: Html | null): Html {
  const { quote, chain } = model;
  if (!quote) return html`<p class="hint">${say('choose')}</p>`;
  const { payTo } = quote;
  const amount = withCents(quote.display);
  return html`<section class="transfer" aria-labelledby="transfer-title" ${ui.quoting && html`aria-busy="true"`}>
  <h3 id="transfer-title">${say(leadsToApp(model, ui) ? 'send' : 'send.or')}</h3>
  <details class="fold"><summary class="button quiet"><span>${say.parts('send.amount', { amount: own(tokenAmount(quote)) })}</span></summary>
  ${!leadsToApp(model, ui) && html`<div class="actions touch-only">${openInApp(say, quote.uri, 'quiet')}</div>`}
  <div class="transfer-grid">
  ${qr && html`<div class="qr">${qr}</div>`}
  <dl class="fields">
    <div class="field"><dt>${say('amount')}</dt><dd class="value amount" id="amount"><bdi><span class="exact">${amount}</span> ${quote.token}</bdi></dd>${copyButton(say, 'amount', amount)}</div>
    <div class="field"><dt>${say('address')}</dt><dd class="value address" id="address"><bdi>${addressText(payTo)}</bdi></dd>${copyButton(say, 'address', payTo)}</div>
    <div class="field"><dt>${say('network')}</dt><dd class="value sentence">${chain.name}</dd></div>
  </dl>
  </div>
  ${quoteCountsDown(model) && quote.expiresAt !== null && html`<p class="hint price">${deadlineText(say, ['held', 'another'], quote.expiresAt, model.now)}</p>`}
  <p class="hint" id="takes">${say('takes', { taken: whatIsTaken(say, model) })}</p>
  ${model.addressChanged && html`<p class="hint" id="address-changed">${say('changed')}</p>`}
  </details>
</section>`;
}

/** The error message of the last attempt. */
export function problemNote(ui: StageUi): Html | null {
  return ui.problem ? html`<p class="note notice" role="alert">${ui.problem}</p>` : null;
}

/** All payment methods for the quote. */
export function payWays(say: Say, model: StageModel, ui: StageUi, qr: Html | null): Html {
  return html`${tokenChoice(say, model, ui)}<p class="hint" id="expected">${model.chain.expectedTime ?? model.receipt.expectedTime}</p>${problemNote(ui)}${payButtons(say, model, ui)}${transferCard(say, model, ui, qr)}`;
}
