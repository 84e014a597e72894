import { getAddress, isAddress } from 'viem';
import type { Words } from '../../../base/core/messages/fill.ts';
import type { Messages } from '../../../base/core/messages/generated/messages.d.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { sentWords, wordsOf } from '../../../base/core/messages/words.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine, imageUrl } from '../shared/brand.ts';
import { dayTime } from '../shared/dates.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { transactionLink } from '../shared/paths.ts';
import { attributeJson, type Reading, sendWords } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { renderStage } from './panels.ts';
import { qrTile } from './qr.ts';
import { idleUi, type Say, type StageModel, stageModel, stageName, totalLabel } from './stage.ts';
import type { MailPromise, PageShare, PortalLine, PortalPaid, PortalView } from './view.ts';
import { copyButton } from './ways.ts';

/** The view contains lower-case wallets; the page shows them with their EIP-55 checksum. */
function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}

type Order = Words<'order'>;

type PaymentKey = keyof Messages['payment'];
type Need = readonly [isNeeded: (view: PortalView) => boolean, keys: readonly PaymentKey[]];

/** The messages that the script of a page says only where the page has what they are about. It may say all others. */
const NEEDS: readonly Need[] = [
  // What only a page without its script says.
  [() => false, ['plain.still', 'plain.check', 'plain.show']],
  [
    ({ card, receipt }) => card !== null || receipt.cardSession !== null,
    [
      ...(['card', 'card.opening', 'card.test', 'card.begun', 'card.begunTest', 'card.provider'] as const),
      ...(['charged', 'charged.text', 'now.charged'] as const),
    ],
  ],
  [({ testWallet }) => testWallet, ['wallet.test', 'wallet.testing']],
  [({ tokens }) => tokens.some(({ gasless }) => gasless), ['wallet.sign', 'not.signed']],
  [
    ({ receipt }) => receipt.returnUrl !== null,
    ['leaving.label', 'leaving', 'goNow', 'stay', 'return', 'back', 'now.leaving', 'now.stay'],
  ],
  [({ asksEmail }) => asksEmail, ['email.invalid', 'email.saved', 'email.already']],
  [({ renewable }) => renewable, ['renew']],
  [({ againPath }) => Boolean(againPath), ['again', 'again.text']],
];

/** What the script may say of a receipt that is completed or refunded, which nothing pays any more. */
const LAST: ReadonlySet<string> = new Set<PaymentKey>([
  ...(['total', 'done', 'progress', 'step.pending', 'step.tx_mined', 'step.tx_mismatch', 'step.paid'] as const),
  ...(['step.completed', 'step.refunded', 'completed', 'completed.text', 'refunded', 'refunded.text'] as const),
  ...([
    'amount',
    'surplus',
    'surplus.text',
    'transaction',
    'explorer',
    'time',
    'print',
    'return',
    'paidTitle',
  ] as const),
  ...(['leaving.label', 'leaving', 'goNow', 'stay', 'now.completed', 'now.refunded', 'now.leaving'] as const),
  ...(['now.stay', 'copy', 'copied', 'notCopied', 'copyWord'] as const),
  ...(['email.invalid', 'email.saved', 'email.already'] as const),
]);

/** The messages that the script of a page may say. */
function wordsSent(view: PortalView) {
  const { reading, receipt, asksEmail } = view;
  const isLast = receipt.status === 'completed' || receipt.status === 'refunded';
  const needless = NEEDS.flatMap(([isNeeded, keys]): readonly string[] => (isNeeded(view) ? [] : keys));
  const isNeeded = (key: string) => !needless.includes(key) && (!isLast || LAST.has(key));
  return {
    payment: sentWords('payment', reading.language, isNeeded),
    wallet: sentWords('wallet', reading.language, () => !isLast || asksEmail),
  };
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
  const { reading, graphqlUrl, websocketUrl } = view;
  const quote = view.quote && { ...view.quote, payTo: checksummed(view.quote.payTo) };
  const model = stageModel({ ...view, quote });
  return shell({
    reading,
    title: `${model.totalText} · ${view.merchant.name}`,
    theme: view.merchant.theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" blocking="render" src="${assets.script}"></script>
${frame && html`<meta name="embed-origins" content='${attributeJson(frame.embedOrigins)}'><script type="module" src="${frame.script}"></script>`}
${sendWords(wordsSent(view))}`,
    body: portalBody(view, model, { model, graphqlUrl, websocketUrl }),
  });
}

/** The page in a frame: its script, and the origins that may show it. */
interface PortalFrame {
  readonly script: string;
  readonly embedOrigins: readonly string[];
}

function portalBody(view: PortalView, model: StageModel, settings: object): Html {
  const { language } = view.reading;
  const [say, order] = [wordsOf('payment', language), wordsOf('order', language)];
  const qr = model.quote && qrTile(model.quote.uri, say('qr'));
  return html`<main class="ticket" id="portal" data-portal='${attributeJson(settings)}'>
${receiptHead(say, order, view, model)}
<div class="pay"><div id="stage">${renderStage(say, model, idleUi, qr)}</div>${model.quote && addressCode(order, model.quote.payTo)}</div>
${receiptItems(say, order, view, model)}
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${view.chain.local && html`<p class="test-net">${wordsOf('pages', language)('testNetwork')}</p>`}<p>${order.parts('foot', { shop: own(view.merchant.name), chain: view.chain.name })}</p></footer>`;
}

/**
 * The address alone as a code, for wallets that do not read payment requests (EIP-681). It rarely changes, so it is
 * outside of what the script draws, which hides it when it does. Its stylesheet hides it once nothing is to be paid.
 */
function addressCode(order: Order, payTo: string): Html {
  return html`<details class="address-code" id="address-code" data-address="${payTo}"><summary>${order('code')}</summary>
<div class="plain-qr">${qrTile(payTo, order('code.label'))}</div>
<p class="hint">${order('code.text')}</p></details>`;
}

/** The same page of a sample, without its script. */
export function renderPortalSample(view: PortalView, assets: PageAssets, nonce: string): string {
  const { reading, merchant } = view;
  const title = wordsOf('order', reading.language)('preview');
  const body = portalBody(view, stageModel(view), {});
  return shell({ reading, title, theme: merchant.theme, assets, nonce, body });
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
function receiptHead(say: Say, order: Order, { receipt, merchant }: PortalView, model: StageModel): Html {
  const { pricing, totalUsdCents } = receipt;
  const total = model.totalText;
  return html`<header class="head">
  ${brandLine(merchant.name, merchant.theme.brandLogoUrl)}
  <h1><span class="total-label" id="total-label">${totalLabel(say, stageName(model, idleUi))}</span> <span class="${total.length > 10 ? 'total long' : 'total'}">${own(total)}</span></h1>
  ${pricing && html`<p class="rate">${order.parts('rate', { usd: own(formatCents(totalUsdCents, 'USD', say.language)), rate: pricing.usdPerUnit, currency: pricing.currency })}</p>`}
</header>`;
}

function lineAmount({ receipt: { pricing }, reading: { language } }: PortalView, line: PortalLine): string {
  if (pricing && typeof line.nativeCents === 'number') return formatCents(line.nativeCents, pricing.currency, language);
  return formatCents(line.priceUsdCents, 'USD', language);
}

function lineRow(view: PortalView, line: PortalLine): Html {
  const thumb = imageUrl(line.thumb);
  const { kind, qty, note } = line;
  // The contract's labels of tax and fee are in English.
  const label = kind === 'item' ? line.label : wordsOf('receipt', view.reading.language)(kind);
  return html`<li class="line ${kind}">${thumb && html`<img src="${thumb}" alt="" width="40" height="40" loading="lazy" referrerpolicy="no-referrer">`}<span class="label"><bdi>${label}</bdi>${typeof qty === 'number' && qty > 1 && html` <span class="qty">× ${qty}</span>`}${note && html` <bdi class="line-note">${note}</bdi>`}</span><span class="leader" aria-hidden="true"></span><bdi class="price">${lineAmount(view, line)}</bdi></li>`;
}

/** A form for the buyer's e-mail address if none is known. Optional. */
function emailForm(order: Order, shop: string, sendsReceipt: boolean): Html {
  const note = sendsReceipt ? wordsOf('mail', order.language)('receipt_there') : order('email.silent');
  const optional = html`<span class="optional">${order('optional')}</span>`;
  return html`<details class="fold script-only"><summary>${order('email.add')}</summary><form class="email" id="email" novalidate>
  <label for="email-address">${order.parts('email.label', { optional })}</label>
  <div class="email-row"><input id="email-address" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" placeholder="you@example.com" dir="ltr" aria-describedby="email-note" required><button type="submit" class="button quiet">${order('email.save')}</button></div>
  <p class="hint" id="email-note">${order.parts('email.note', { shop: own(shop) })} ${note}</p>
</form></details>`;
}

/** Where the message with the receipt goes, or went. */
export const receiptMailNote = ({ said, address }: MailPromise, language: Language): Html =>
  html`<p class="hint" id="receipt-mail">${wordsOf('mail', language).parts(said, { address: html`<bdi>${address}</bdi>` })}</p>`;

/** The itemised receipt: lines, then tax and fee less prominently, then the total. */
function receiptItems(say: Say, order: Order, view: PortalView, { totalText }: StageModel): Html {
  const { receipt, merchant } = view;
  const items = receipt.lineItems.filter((line) => line.kind === 'item');
  const extras = receipt.lineItems.filter((line) => line.kind !== 'item');
  return html`<section class="items" id="items" aria-label="${order('items')}">
  <details class="fold"><summary>${order('items.see')}</summary>
  <ul class="lines">${items.map((line) => lineRow(view, line))}</ul>
  ${extras.length > 0 && html`<ul class="lines extras">${extras.map((line) => lineRow(view, line))}</ul>`}
  <p class="sum"><span class="label">${say('total')}</span><span class="leader" aria-hidden="true"></span><bdi class="price">${totalText}</bdi></p>
  </details>
  ${settlementProof(say, order, view)}
  ${view.scriptPath && html`<section class="from-shop" id="from-shop" aria-labelledby="from-shop-title"><h2 class="small-title" id="from-shop-title">${order.parts('from', { shop: own(merchant.name) })}</h2></section>`}
  ${view.asksEmail && emailForm(order, merchant.name, view.sendsReceipt ?? false)}
  ${view.receiptMail && receiptMailNote(view.receiptMail, say.language)}
  <p class="number"><span>${order.parts('number', { id: html`<bdi class="mono">${receipt.receiptId}</bdi>` })}</span> <span>${dayTime(receipt.createdAt, say.language)}</span></p>
</section>`;
}

/** A wallet, shortened to its two ends. */
const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

/** The words of the printed receipt, which shows the shares as well. */
type Proof = Words<'receipt'>;

/** The release transaction of a share, or a word if this server did not send one. */
function releaseText(
  proof: Proof,
  { released, transactionHash }: PageShare,
  { explorerUrl }: PortalView['chain'],
): Part {
  if (!transactionHash) return proof(released ? 'collected' : 'underway');
  const link = transactionLink(explorerUrl, transactionHash, proof('explorer'));
  return proof.parts('in', { transaction: html`<span class="mono">${link}</span>` });
}

function shareRow(say: Say, order: Order, proof: Proof, { chain }: PortalView, share: PageShare): Html {
  const { name, wallet, transactionHash } = share;
  const to = html`<bdi class="mono" title="${wallet}">${shortWallet(wallet)}</bdi>`;
  return html`<li class="share">
  <span class="label"><bdi>${name}</bdi></span><span class="leader" aria-hidden="true"></span><bdi class="price">${share.display ?? '…'} ${share.token}</bdi>
  <span class="proof"><span>${proof.parts('to', { wallet: to })}</span><span>${releaseText(proof, share, chain)}</span>${transactionHash && copyButton(say, 'transaction', transactionHash, 'span', order('copyShare', { name }))}</span>
</li>`;
}

/** The remainder of the payment after each share is rounded down. */
const remainderRow = (proof: Proof, { token, display }: PortalPaid): Html =>
  html`<li class="share rounding"><span class="label">${proof('rounding')}</span><span class="leader" aria-hidden="true"></span><bdi class="price">${display} ${token}</bdi><span class="proof">${proof('rounding.long')}</span></li>`;

/** The shares of the payment and their transactions; empty before settlement. */
function settlementProof(say: Say, order: Order, view: PortalView): Html {
  const { settlement, remainder, reading } = view;
  const proof = wordsOf('receipt', reading.language);
  return html`<section class="settlement" id="settlement" aria-labelledby="settlement-title" ${settlement.length === 0 && html`hidden`}>
  <h2 class="small-title" id="settlement-title">${proof('settled')}</h2>
  <ul>${settlement.map((share) => shareRow(say, order, proof, view, share))}${remainder && remainderRow(proof, remainder)}</ul>
</section>`;
}
