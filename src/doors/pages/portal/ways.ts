import { formatRemaining, withCents } from '../shared/amounts.ts';
import { clockTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { quoteCountsDown, type StageModel, type StageUi } from './stage.ts';
import type { PortalToken } from './view.ts';

/** The token selection: radio buttons; without the script, a form that reloads the page. */
export function tokenChoice(model: StageModel, ui: StageUi): Html {
  const chosen = ui.quoting ?? model.tokenId;
  const refused = model.tokens.filter((token) => !token.offered && token.reason);
  return html`<form class="tokens" method="get" data-form="token">
  <input type="hidden" name="recipient" value="${model.merchantWallet}">${model.key && html`<input type="hidden" name="k" value="${model.key}">`}
  <fieldset>
    <legend class="unseen">Currency</legend>
    <div class="segments">${model.tokens.map(
      (token) =>
        html`<label class="segment ${!token.offered && 'refused'}" title="${token.offered ? token.name : token.reason}"><input type="radio" name="token" value="${token.id}" id="token-${token.id}" ${token.id === chosen && html`checked`} ${(!token.offered || ui.busy !== null) && html`disabled`}><span>${token.symbol}${token.chain && html` <small>${token.chain.choice}</small>`}</span></label>`,
    )}</div>
  </fieldset>
  ${refused.map((token) => html`<p class="hint">${token.reason}</p>`)}
  ${!ui.script && html`<button class="button quiet no-script" type="submit">Show this amount</button>`}
</form>`;
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

/** The buttons that start a payment. The first usable one is the primary button. */
function payButtons(model: StageModel, ui: StageUi): Html {
  const { quote, card, tokens, tokenId } = model;
  if (!quote) return html``;
  const token = tokens.find(({ id }) => id === tokenId);
  const hasWallet = ui.wallets.length > 0;
  const rank = (first: boolean) => (first ? 'primary' : 'quiet');
  const waiting = ui.busy !== null || ui.quoting !== null || ui.openingCard;
  return html`<div class="actions">
  ${hasWallet && html`<button type="button" class="button primary script-only" data-action="pay-wallet" id="pay-wallet" aria-expanded="${ui.wallets.length > 1 && String(ui.picking !== null)}" ${waiting && html`aria-disabled="true"`}>${ui.busy ? html`${spinner}<span>${ui.busy}</span>` : walletLabel(ui)}</button>`}
  ${hasWallet && token?.gasless && !model.readOnly && html`<button type="button" class="button quiet script-only" data-action="pay-signed" id="pay-signed" ${waiting && html`aria-disabled="true"`}>Sign instead: no network fee</button>`}
  ${hasWallet && ui.picking && !ui.busy && walletList(ui)}
  ${model.testWallet && html`<button type="button" class="button ${rank(!hasWallet)} script-only" data-action="pay-test" id="pay-test" ${waiting && html`aria-disabled="true"`}>${!hasWallet && ui.busy ? html`${spinner}<span>${ui.busy}</span>` : html`<span>Pay with a test wallet</span>`}</button>`}
  ${card && html`<button type="button" class="button ${rank(!hasWallet && !model.testWallet)} script-only" data-action="pay-card" id="pay-card" ${waiting && html`aria-disabled="true"`}>${cardLabel(model, ui)}</button>`}
  <a class="button ${rank(!hasWallet && !model.testWallet && !card)} touch-only" href="${quote.uri}" data-action="open-wallet">${icon('phone')}<span>Open in your wallet app</span></a>
</div>`;
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

/** Payment from anywhere else: amount, address, and QR code. `qr` is the SVG of the payment request. */
function transferCard(model: StageModel, ui: StageUi, qr: Html | null): Html {
  const { quote, chain } = model;
  if (!quote) return html`<p class="hint">Choose a currency above to see the amount and the address.</p>`;
  const { payTo } = quote;
  return html`<section class="transfer" aria-labelledby="transfer-title" ${ui.quoting && html`aria-busy="true"`}>
  <h3 id="transfer-title">${model.testWallet || ui.wallets.length > 0 ? 'Or send it from anywhere' : 'Send it from anywhere'}</h3>
  <div class="transfer-grid">
    ${qr && html`<div class="qr">${qr}</div>`}
    <dl class="fields">
      <div class="field"><dt>Amount</dt><dd class="value amount" id="amount"><span class="exact">${withCents(quote.display)}</span> ${quote.token}</dd>${copyButton('amount', withCents(quote.display))}</div>
      <div class="field"><dt>Address of this order</dt><dd class="value address" id="address">${addressText(payTo)}</dd>${copyButton('address', payTo)}</div>
      <div class="field"><dt>Network</dt><dd class="value sentence">${chain.name}</dd></div>
    </dl>
  </div>
  ${quoteCountsDown(model) && quote.expiresAt !== null && html`<p class="hint price">${icon('clock')} This price is held until ${clockTime(quote.expiresAt, 'en')}<span class="script-only">, for another <span data-expires="${quote.expiresAt}">${formatRemaining(quote.expiresAt - model.now)}</span></span>.</p>`}
  <p class="hint" id="takes">Any amount counts, and parts add up. The address takes ${whatIsTaken(model)}.</p>
  ${model.addressChanged && html`<p class="hint" id="address-changed">This order has a new address. What was sent to an earlier one counts as well.</p>`}
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
