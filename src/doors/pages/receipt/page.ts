import type { Words } from '../../../base/core/messages/fill.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { PortalLine } from '../portal/view.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine } from '../shared/brand.ts';
import { printedTime } from '../shared/dates.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { transactionLink } from '../shared/paths.ts';
import type { Reading } from '../shared/reading.ts';
import { type PageAssets, shell } from '../shared/shell.ts';
import type { PrintedRefund, ReceiptView } from './read-view.ts';

type Say = Words<'receipt'>;

function state(say: Say, { status, refunds }: ReceiptView): string {
  if (status === 'refunded') return say('state.refunded');
  return say(refunds.some((refund) => refund.state === 'refunded') ? 'state.part' : 'state.paid');
}

/** A line's amount in the receipt's own currency, and also in dollars if that is another currency. */
function money(
  { language }: Say,
  { pricing }: ReceiptView,
  usdCents: number,
  nativeCents: number | null | undefined,
): Html {
  const usd = own(formatCents(usdCents, 'USD', language));
  if (!pricing) return html`<td class="amount">${usd}</td>`;
  return html`<td class="amount">${typeof nativeCents === 'number' && own(formatCents(nativeCents, pricing.currency, language))}</td><td class="amount other">${usd}</td>`;
}

function itemRow(say: Say, view: ReceiptView, line: PortalLine): Html {
  return html`<tr><th scope="row"><bdi>${line.label}</bdi></th><td class="qty">${line.qty ?? ''}</td>${money(say, view, line.priceUsdCents, line.nativeCents)}</tr>`;
}

function sumRow(say: Say, view: ReceiptView, label: Html, lines: readonly PortalLine[], name = ''): Html {
  const native = lines.some(({ nativeCents }) => typeof nativeCents === 'number')
    ? lines.reduce((sum, { nativeCents }) => sum + (nativeCents ?? 0), 0)
    : null;
  const usd = lines.reduce((sum, { priceUsdCents }) => sum + priceUsdCents, 0);
  return html`<tr class="${name}"><th scope="row" colspan="2">${label}</th>${money(say, view, usd, native)}</tr>`;
}

function lineTable(say: Say, view: ReceiptView): Html {
  const { lines, pricing, taxNote } = view;
  const [items, tax, fee] = (['item', 'tax', 'fee'] as const).map((kind) =>
    lines.filter((line) => line.kind === kind),
  ) as [PortalLine[], PortalLine[], PortalLine[]];
  const extras = tax.length + fee.length > 0;
  return html`<table class="lines">
  <thead><tr class="columns"><th scope="col">${say('item')}</th><th scope="col" class="qty">${say('quantity')}</th>${pricing ? html`<th scope="col" class="amount">${pricing.currency}</th><th scope="col" class="amount other">USD</th>` : html`<th scope="col" class="amount">${say('amount')}</th>`}</tr></thead>
  <tbody>${items.map((line) => itemRow(say, view, line))}</tbody>
  <tfoot>
    ${extras && sumRow(say, view, html`${say('subtotal')}`, items)}
    ${tax.map((line) => sumRow(say, view, html`${say('tax')}${taxNote && html` <span class="note">${own(taxNote)}</span>`}`, [line]))}
    ${fee.map((line) => sumRow(say, view, html`${say('fee')}`, [line]))}
    <tr class="total"><th scope="row" colspan="2">${say('total')}</th>${money(say, view, view.totalUsdCents, pricing?.totalCents)}</tr>
  </tfoot>
</table>
${
  pricing &&
  html`<p class="rate">${say.parts('rate', {
    rate: html`<bdi dir="ltr">1 ${pricing.currency} = ${pricing.usdPerUnit} USD</bdi>`,
    at: printedTime(pricing.quotedAt, say.language),
    provider: own(pricing.provider),
  })}</p>`
}`;
}

const row = (name: string, value: Part) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const hashText = (say: Say, explorerUrl: string | null | undefined, hash: string) =>
  html`<span class="hash">${transactionLink(explorerUrl, hash, say('explorer'), hash)}</span>`;

const wallet = (address: string): Html => html`<bdi class="hash">${address}</bdi>`;

function payment(say: Say, view: ReceiptView): Html | null {
  const { payment: paid, chain } = view;
  if (!paid) return null;
  return html`<section aria-labelledby="payment"><h2 id="payment">${say('payment')}</h2><dl>
  ${row(say('paid'), paid.amount && own(paid.amount))}
  ${row(say('network'), html`<span class="sentence">${say.parts('chain', { name: own(chain.name), id: String(chain.id) })}</span>`)}
  ${row(say('time'), paid.at === null ? null : printedTime(paid.at, say.language))}
  ${row(say('from'), paid.from && wallet(paid.from))}
  ${row(say('transaction'), hashText(say, chain.explorerUrl, paid.hash))}
</dl></section>`;
}

function settlement(say: Say, view: ReceiptView): Html | null {
  if (view.settlement.length === 0) return null;
  return html`<section aria-labelledby="settled"><h2 id="settled">${say('settled')}</h2><ul class="rows">${view.settlement.map(
    (share) =>
      html`<li><span class="who"><bdi>${share.name}</bdi></span><span class="amount">${own(`${share.display ?? '…'} ${share.token}`)}</span><span class="proof">${say.parts('to', { wallet: wallet(share.wallet) })}</span><span class="proof">${share.transactionHash ? say.parts('in', { transaction: hashText(say, view.chain.explorerUrl, share.transactionHash) }) : say(share.released ? 'collected' : 'underway')}</span></li>`,
  )}${view.remainder && html`<li><span class="who">${say('rounding')} <span class="note">${say('rounding.short')}</span></span><span class="amount">${own(`${view.remainder.display} ${view.remainder.token}`)}</span></li>`}</ul></section>`;
}

function refundRow(say: Say, refund: PrintedRefund): Html {
  const what =
    refund.labels.length > 0 ? html` <span class="note"><bdi>${refund.labels.join(', ')}</bdi></span>` : null;
  return html`<li><span class="who">${say.parts(refund.state, { at: printedTime(refund.at, say.language) })}${what}</span><span class="amount">${own(formatCents(refund.usdCents, 'USD', say.language))}</span>${refund.transactions.map(({ hash, explorerUrl }) => html`<span class="proof">${hashText(say, explorerUrl, hash)}</span>`)}</li>`;
}

function refunds(say: Say, view: ReceiptView): Html | null {
  if (view.refunds.length === 0) return null;
  return html`<section aria-labelledby="refunds"><h2 id="refunds">${say('refunds')}</h2><ul class="rows">${view.refunds.map((refund) => refundRow(say, refund))}</ul></section>`;
}

/** The printable receipt, complete without its script, for A4 and Letter. */
export function renderReceiptPage(view: ReceiptView, reading: Reading, assets: PageAssets, nonce: string): string {
  const { merchant, buyer, chain } = view;
  const say = wordsOf('receipt', reading.language);
  return shell({
    reading,
    title: say('page', { id: view.receiptId, shop: merchant.name }),
    theme: merchant.theme,
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>`,
    body: html`<nav class="tools" aria-label="${say('title')}"><a href="${view.portalPath}">${say('back')}</a><button type="button" class="print script-only" id="print">${say('print')}</button></nav>
<main class="sheet">
<header class="top">${brandLine(merchant.name, merchant.theme.brandLogoUrl)}<div class="title"><h1>${say('title')}</h1><p class="state ${view.status}">${state(say, view)}</p></div></header>
<dl class="facts">
  ${row(say('title'), wallet(view.receiptId))}
  ${row(say('issued'), printedTime(view.createdAt, reading.language))}
  ${view.details.map(({ key, value }) => row(say(key), own(value)))}
</dl>
<div class="parties">
  <section aria-labelledby="seller"><h2 id="seller">${say('seller')}</h2><p class="party"><bdi>${merchant.name}</bdi></p>${merchant.address.map((line) => html`<p><bdi>${line}</bdi></p>`)}${merchant.taxId && html`<p>${say.parts('taxNumber', { number: own(merchant.taxId) })}</p>`}<p>${wallet(merchant.wallet)}</p></section>
  ${buyer.length > 0 && html`<section aria-labelledby="buyer"><h2 id="buyer">${say('buyer')}</h2>${buyer.map((line, i) => html`<p class="${i === 0 && 'party'}"><bdi>${line}</bdi></p>`)}</section>`}
</div>
${lineTable(say, view)}
${payment(say, view)}
${settlement(say, view)}
${refunds(say, view)}
<footer class="end"><p>${chain.local ? say('test') : say.parts('public', { chain: own(chain.name) })}</p></footer>
</main>`,
  });
}
