import { getAddress, isAddress } from 'viem';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine, imageUrl } from '../shared/brand.ts';
import { dayTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { transactionLink } from '../shared/links.ts';
import { ENGLISH, type Reading } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { renderStage } from './panels.ts';
import { qrTile } from './qr.ts';
import { idleUi, type StageModel, stageModel, stageName, totalLabel, totalText } from './stage.ts';
import type { MailPromise, PageShare, PortalLine, PortalPaid, PortalView } from './view.ts';
import { copyButton } from './ways.ts';

/** The view contains lower-case wallets; the page shows them with their EIP-55 checksum. */
function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}

/**
 * The payment page of one receipt, complete without its script: items, total, state, amount, address and QR code.
 * `nonce` must be fresh for each response and also be in its `pageCsp`.
 */
export function renderPortalPage(
  view: PortalView,
  assets: PageAssets,
  nonce: string,
  frame: PortalFrame | null = null,
): string {
  const quote = view.quote && { ...view.quote, payTo: checksummed(view.quote.payTo) };
  const model = stageModel({ ...view, quote });
  const settings = { model, graphqlUrl: view.graphqlUrl, websocketUrl: view.websocketUrl };
  return shell({
    reading: ENGLISH,
    title: `${model.totalText} · ${view.merchant.name}`,
    theme: view.merchant.theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" blocking="render" src="${assets.script}"></script>
${frame && html`<meta name="embed-origins" content="${JSON.stringify(frame.embedOrigins)}"><script type="module" src="${frame.script}"></script>`}`,
    body: portalBody(view, model, settings),
  });
}

/** The page in a frame: its script, and the origins that may show it. */
interface PortalFrame {
  readonly script: string;
  readonly embedOrigins: readonly string[];
}

function portalBody(view: PortalView, model: StageModel, settings: object): Html {
  return html`<main class="ticket" id="portal" data-portal="${JSON.stringify(settings)}">
${receiptHead(view)}
<div class="pay"><div id="stage">${renderStage(model, idleUi, model.quote && qrTile(model.quote.uri))}</div>${model.quote && addressCode(model.quote.payTo)}</div>
${receiptItems(view)}
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${view.chain.local && html`<p class="test-net">Test network: no real money moves.</p>`}<p>Your payment goes straight to <bdi>${view.merchant.name}</bdi> on ${view.chain.name}. No one holds it in between.</p></footer>`;
}

/**
 * The address alone as a code, for wallets that do not read payment requests (EIP-681). It rarely changes, so it is
 * outside of what the script draws, which hides it when it does. Its stylesheet hides it once nothing is to be paid.
 */
function addressCode(payTo: string): Html {
  return html`<details class="address-code" id="address-code" data-address="${payTo}"><summary>Does your wallet not read the code?</summary>
<div class="plain-qr">${qrTile(payTo, 'QR code of the address')}</div>
<p class="hint">This code holds the address alone. Choose the token and the amount in your wallet.</p></details>`;
}

/** The same page of a sample, without its script. */
export function renderPortalSample(view: PortalView, assets: PageAssets, nonce: string): string {
  const body = portalBody(view, stageModel(view), {});
  return shell({ reading: ENGLISH, title: 'Preview', theme: view.merchant.theme, assets, nonce, body });
}

/** The page for a URL that names no receipt. */
export function renderNotFoundPage(reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('pages', reading.language);
  return messagePage(reading, assets, nonce, 'question', say('noReceipt.title'), say('noReceipt.text'));
}

/** The page for a temporary failure. `text` replaces the default sentence. */
export function renderProblemPage(
  reading: Reading,
  assets: PageAssets,
  nonce: string,
  text: 'receiptAway' | 'shopAgain' = 'receiptAway',
): string {
  const say = wordsOf('pages', reading.language);
  return messagePage(reading, assets, nonce, 'clock', say('moment'), say(text));
}

const NOT_AGAIN = ['inventory_item_not_found', 'invalid_input', 'receipt_ended', 'payment_underway'] as const;

/** The page for an order that cannot be had again. */
export function renderNotAgainPage(code: string, reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('pages', reading.language);
  const known = NOT_AGAIN.find((each) => each === code) ?? 'other';
  return messagePage(reading, assets, nonce, 'clock', say('notAgain.title'), say(`notAgain.${known}`));
}

/** The merchant and the total, at the top of the page. */
function receiptHead(view: PortalView): Html {
  const { receipt, merchant } = view;
  const label = totalLabel(stageName(stageModel(view), idleUi));
  const total = totalText(receipt);
  return html`<header class="head">
  ${brandLine(merchant.name, merchant.theme.brandLogoUrl)}
  <h1><span class="total-label" id="total-label">${label}</span> <span class="${total.length > 10 ? 'total long' : 'total'}">${total}</span></h1>
  ${receipt.pricing && html`<p class="rate">${formatCents(receipt.totalUsdCents, 'USD', 'en')} at ${receipt.pricing.usdPerUnit} USD per ${receipt.pricing.currency}</p>`}
</header>`;
}

function lineAmount(view: PortalView, line: PortalLine): string {
  const { pricing } = view.receipt;
  if (pricing && typeof line.nativeCents === 'number') return formatCents(line.nativeCents, pricing.currency, 'en');
  return formatCents(line.priceUsdCents, 'USD', 'en');
}

function lineRow(view: PortalView, line: PortalLine): Html {
  const thumb = imageUrl(line.thumb);
  return html`<li class="line ${line.kind}">${thumb && html`<img src="${thumb}" alt="" width="40" height="40" loading="lazy" referrerpolicy="no-referrer">`}<span class="label"><bdi>${line.label}</bdi>${typeof line.qty === 'number' && line.qty > 1 && html` <span class="qty">× ${line.qty}</span>`}${line.note && html` <span class="line-note">${line.note}</span>`}</span><span class="leader" aria-hidden="true"></span><span class="price">${lineAmount(view, line)}</span></li>`;
}

/** A form for the buyer's e-mail address if none is known. Optional. */
function emailForm(shop: string, sendsReceipt: boolean): Html {
  const note = sendsReceipt ? wordsOf('mail', ENGLISH.language)('receipt_there') : 'No message is sent from this page.';
  return html`<details class="fold script-only"><summary>Add your e-mail address</summary><form class="email" id="email" novalidate>
  <label for="email-address">Your e-mail address <span class="optional">(optional)</span></label>
  <div class="email-row"><input id="email-address" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" placeholder="you@example.com" aria-describedby="email-note" required><button type="submit" class="button quiet">Save</button></div>
  <p class="hint" id="email-note"><bdi>${shop}</bdi> receives it with your order. ${note}</p>
</form></details>`;
}

/** Where the message with the receipt goes, or went. */
export const receiptMailNote = ({ said, address }: MailPromise): Html =>
  html`<p class="hint" id="receipt-mail">${wordsOf('mail', ENGLISH.language).parts(said, { address: html`<bdi>${address}</bdi>` })}</p>`;

/** The itemised receipt: lines, then tax and fee less prominently, then the total. */
function receiptItems(view: PortalView): Html {
  const { receipt, merchant } = view;
  const items = receipt.lineItems.filter((line) => line.kind === 'item');
  const extras = receipt.lineItems.filter((line) => line.kind !== 'item');
  return html`<section class="items" id="items" aria-label="Receipt">
  <details class="fold"><summary>See the items</summary>
  <ul class="lines">${items.map((line) => lineRow(view, line))}</ul>
  ${extras.length > 0 && html`<ul class="lines extras">${extras.map((line) => lineRow(view, line))}</ul>`}
  <p class="sum"><span class="label">Total</span><span class="leader" aria-hidden="true"></span><span class="price">${totalText(receipt)}</span></p>
  </details>
  ${settlementProof(view)}
  ${view.scriptPath && html`<section class="from-shop" id="from-shop" aria-labelledby="from-shop-title"><h2 class="small-title" id="from-shop-title">From <bdi>${merchant.name}</bdi></h2></section>`}
  ${view.asksEmail && emailForm(merchant.name, view.sendsReceipt ?? false)}
  ${view.receiptMail && receiptMailNote(view.receiptMail)}
  <p class="number"><span>Receipt <span class="mono">${receipt.receiptId}</span></span> <span>${dayTime(receipt.createdAt, 'en')}</span></p>
</section>`;
}

/** A wallet, shortened to its two ends. */
const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

/** The release transaction of a share, or a word if this server did not send one. */
function releaseText({ released, transactionHash }: PageShare, explorerUrl: string | null | undefined): Html {
  if (transactionHash) return transactionLink(explorerUrl, transactionHash, '(opens the block explorer)');
  return released ? html`collected by the recipient` : html`on its way`;
}

function shareRow({ chain }: PortalView, share: PageShare): Html {
  const { name, wallet, transactionHash } = share;
  return html`<li class="share">
  <span class="label"><bdi>${name}</bdi></span><span class="leader" aria-hidden="true"></span><span class="price">${share.display ?? '…'} ${share.token}</span>
  <span class="proof"><span>to <span class="mono" title="${wallet}">${shortWallet(wallet)}</span></span><span>${transactionHash && 'in '}<span class="${transactionHash && 'mono'}">${releaseText(share, chain.explorerUrl)}</span></span>${transactionHash && copyButton(`transaction to ${name}`, transactionHash, 'span')}</span>
</li>`;
}

/** The remainder of the payment after each share is rounded down. */
const remainderRow = ({ token, display }: PortalPaid): Html =>
  html`<li class="share rounding"><span class="label">Rounding</span><span class="leader" aria-hidden="true"></span><span class="price">${display} ${token}</span><span class="proof">Shares are rounded down. The rest stays in the split contract.</span></li>`;

/** The shares of the payment and their transactions; empty before settlement. */
function settlementProof(view: PortalView): Html {
  const { settlement, remainder } = view;
  return html`<section class="settlement" id="settlement" aria-labelledby="settlement-title" ${settlement.length === 0 && html`hidden`}>
  <h2 class="small-title" id="settlement-title">Where the payment went</h2>
  <ul>${settlement.map((share) => shareRow(view, share))}${remainder && remainderRow(remainder)}</ul>
</section>`;
}
