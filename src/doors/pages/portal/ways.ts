import { formatRemaining, withCents } from '../shared/amounts.ts';
import { clockTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { quoteCountsDown, type StageModel, type StageUi, tokenOfSymbol, type WalletWay } from './stage.ts';
import type { PortalToken } from './view.ts';

/** With more tokens than these, the network is chosen in a step of its own. */
const IN_ONE_STEP = 4;

/**
 * The token selection: radio buttons; without the script, a form that reloads the page. Many tokens are chosen in two
 * steps: the currency, then its network.
 */
export function tokenChoice(model: StageModel, ui: StageUi): Html {
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
  return html`<form class="tokens">
  <input type="hidden" name="recipient" value="${model.merchantWallet}">${model.key && html`<input type="hidden" name="k" value="${model.key}">`}
  ${inSteps && html`<fieldset><legend class="unseen">Currency</legend><div class="segments">${currencies.map((token) => segment('symbol', token.symbol, token.symbol === chosen?.symbol, token, html`${token.symbol}`))}</div></fieldset>`}
  <fieldset><legend class="unseen">${inSteps ? 'Network' : 'Currency'}</legend><div class="segments">${listed.map((token) => segment('token', token.id, token.id === chosenId, token, tokenLabel(token, inSteps)))}</div></fieldset>
  ${[...new Set(reasons)].map((reason) => html`<p class="hint">${reason}</p>`)}
  ${!ui.script && html`<button class="button quiet no-script" type="submit">Show this amount</button>`}
</form>`;
}

/** A token with its network; the network alone where the token is chosen already. */
function tokenLabel({ symbol, chain }: PortalToken, alone: boolean): Html {
  const note = [alone ? '' : chain?.name, chain?.choice].filter(Boolean).join(' · ');
  return html`${alone ? chain?.name : symbol}${note && html` <small>${note}</small>`}`;
}

/** A cell of a definition list with a copy button, or the button alone. */
export function copyButton(what: string, value: string, place: 'cell' | 'span' = 'cell'): Html {
  const button = html`<button type="button" class="copy" data-copy="${value}" data-what="${what}" aria-label="Copy ${what}" title="Copy ${what}">${icon('copy')}${icon('check', 'done')}<span class="copy-word">Copy</span></button>`;
  return place === 'cell'
    ? html`<dd class="copy-cell script-only">${button}</dd>`
    : html`<span class="script-only">${button}</span>`;
}

function walletLabel(ui: StageUi): Html {
  const [only] = ui.wallets;
  if (ui.wallets.length !== 1 || !only) return html`${icon('wallet')}<span>Pay with browser wallet</span>`;
  return html`${only.icon ? html`<img src="${only.icon}" alt="" width="22" height="22">` : icon('wallet')}<span>Pay with ${only.name}</span>`;
}

function walletList(ui: StageUi): Html {
  return html`<div class="wallets" role="group" aria-label="Choose a wallet">${ui.wallets.map(
    (wallet) =>
      html`<button type="button" class="wallet" data-wallet="${wallet.id}">${wallet.icon ? html`<img src="${wallet.icon}" alt="" width="28" height="28">` : icon('wallet')}<span>${wallet.name}</span></button>`,
  )}</div>`;
}

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

function cardLabel({ card, receipt }: StageModel, ui: StageUi): Html {
  if (ui.openingCard) return html`${spinner}<span>Opening the card checkout…</span>`;
  const begun = receipt.cardSession && ['initialized', 'requires_payment'].includes(receipt.cardSession.status);
  return html`${icon('card')}<span>${begun ? 'Continue with' : 'Pay with'} ${card?.test ? 'a test card' : 'a card'}</span>`;
}

const openInApp = (uri: string, rank: string): Html =>
  html`<a class="button ${rank} touch-only" href="${uri}" data-action="open-wallet">${icon('phone')}<span>Open in your wallet app</span></a>`;

/** A button of the page's script, which waits while something is under way. */
function button(ui: StageUi, name: string, rank: string, label: Html, expanded: boolean | null = null): Html {
  const waits = ui.busy !== null || ui.quoting !== null || ui.openingCard;
  return html`<button type="button" class="button ${rank} script-only" data-action="${name}" id="${name}" ${expanded !== null && html`aria-expanded="${String(expanded)}"`} ${waits && html`aria-disabled="true"`}>${label}</button>`;
}

/** Whether the link to a wallet app is the best way: nothing on this page can pay by itself. */
const leadsToApp = ({ testWallet }: StageModel, ui: StageUi): boolean => ui.wallets.length === 0 && !testWallet;

/** The buttons that start a payment: the best way for this device first, then the other ones, folded if several. */
function payButtons(model: StageModel, ui: StageUi): Html {
  const { quote, card, tokens, tokenId } = model;
  if (!quote) return html``;
  const hasWallet = ui.wallets.length > 0;
  const gasless = !model.readOnly && tokens.find(({ id }) => id === tokenId)?.gasless;
  const underway = ui.busy && html`${spinner}<span>${ui.busy}</span>`;
  const fromWallet = (id: string, how: WalletWay, label: Html) => (rank: string) =>
    html`${button(ui, id, rank, label, ui.wallets.length > 1 ? ui.picking === how : null)}${ui.picking === how && !ui.busy && walletList(ui)}`;
  const ways = [
    hasWallet && fromWallet('pay-wallet', 'send', underway || walletLabel(ui)),
    model.testWallet &&
      ((rank: string) =>
        button(ui, 'pay-test', rank, (!hasWallet && underway) || html`<span>Pay with a test wallet</span>`)),
    leadsToApp(model, ui) && ((rank: string) => openInApp(quote.uri, rank)),
    hasWallet && gasless && fromWallet('pay-signed', 'sign', html`Sign instead: no network fee`),
    card && ((rank: string) => button(ui, 'pay-card', rank, cardLabel(model, ui))),
  ].filter((way) => typeof way === 'function');
  const [best, ...others] = ways.map((way, index) => way(index === 0 ? 'primary' : 'quiet'));
  const folded = html`<details class="others script-only"><summary class="button quiet">Other ways to pay</summary><div class="actions">${others}</div></details>`;
  return html`<div class="actions">${best}${others.length > 1 ? folded : others}</div>`;
}

/** Words in a sentence: `USDC, USDT and ETH`. */
const inWords = new Intl.ListFormat('en-GB');

/** What the address takes, network by network: `USDC and ETH on Base and Polygon, and USDC on Ethereum`. */
function whatIsTaken({ tokens, chain }: StageModel): string {
  const offered = tokens.filter((token) => token.offered);
  const networkOf = (token: PortalToken) => token.chain?.name ?? chain.name;
  const takenOn = (network: string) =>
    inWords.format(offered.filter((token) => networkOf(token) === network).map(({ symbol }) => symbol));
  const networks = [...new Set(offered.map(networkOf))];
  return [...new Set(networks.map(takenOn))]
    .map((symbols) => `${symbols} on ${inWords.format(networks.filter((network) => takenOn(network) === symbols))}`)
    .join(', and ');
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

/**
 * Payment from anywhere else: amount, address, and QR code. `qr` is the SVG of the payment request. A phone shows it
 * folded, with the code last: the code is for the camera of another device.
 */
function transferCard(model: StageModel, ui: StageUi, qr: Html | null): Html {
  const { quote, chain } = model;
  if (!quote) return html`<p class="hint">Choose a currency above to see the amount and the address.</p>`;
  const { payTo } = quote;
  const amount = withCents(quote.display);
  return html`<section class="transfer" aria-labelledby="transfer-title" ${ui.quoting && html`aria-busy="true"`}>
  <h3 id="transfer-title">${leadsToApp(model, ui) ? 'Send' : 'Or send'} it from anywhere</h3>
  <details class="fold"><summary class="button quiet">Send ${amount} ${quote.token}</summary>
  ${!leadsToApp(model, ui) && html`<div class="actions touch-only">${openInApp(quote.uri, 'quiet')}</div>`}
  <div class="transfer-grid">
  ${qr && html`<div class="qr">${qr}</div>`}
  <dl class="fields">
    <div class="field"><dt>Amount</dt><dd class="value amount" id="amount"><span class="exact">${amount}</span> ${quote.token}</dd>${copyButton('amount', amount)}</div>
    <div class="field"><dt>Address of this order</dt><dd class="value address" id="address">${addressText(payTo)}</dd>${copyButton('address', payTo)}</div>
    <div class="field"><dt>Network</dt><dd class="value sentence">${chain.name}</dd></div>
  </dl>
  </div>
  ${quoteCountsDown(model) && quote.expiresAt !== null && html`<p class="hint price">${icon('clock')} This price is held until ${clockTime(quote.expiresAt, 'en')}<span class="script-only">, for another <span data-expires="${quote.expiresAt}">${formatRemaining(quote.expiresAt - model.now)}</span></span>.</p>`}
  <p class="hint" id="takes">Any amount counts, and parts add up. The address takes ${whatIsTaken(model)}.</p>
  ${model.addressChanged && html`<p class="hint" id="address-changed">This order has a new address. What was sent to an earlier one counts as well.</p>`}
  </details>
</section>`;
}

/** The error message of the last attempt. */
export function problemNote(ui: StageUi): Html | null {
  return ui.problem ? html`<p class="note notice" role="alert">${ui.problem}</p>` : null;
}

/** All payment methods for the quote. */
export function payWays(model: StageModel, ui: StageUi, qr: Html | null): Html {
  return html`${tokenChoice(model, ui)}<p class="hint" id="expected">${model.chain.expectedTime ?? model.receipt.expectedTime}</p>${problemNote(ui)}${payButtons(model, ui)}${transferCard(model, ui, qr)}`;
}
