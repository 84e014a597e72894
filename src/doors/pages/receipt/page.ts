import { releaseText } from '../portal/settlement.ts';
import type { PortalChain, PortalLine } from '../portal/view.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine } from '../shared/brand.ts';
import { printedTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { transactionLink } from '../shared/links.ts';
import { type PageAssets, shell } from '../shared/shell.ts';
import type { PrintedRefund, ReceiptView } from './read-view.ts';

const STATE = { paid: 'Paid', completed: 'Paid', refunded: 'Refunded' } as const;

function state({ status, refunds }: ReceiptView): string {
  return status !== 'refunded' && refunds.some((refund) => refund.state === 'refunded')
    ? 'Partly refunded'
    : STATE[status];
}

/** A line's amount in the receipt's own currency, and also in dollars if that is another currency. */
function money({ pricing }: ReceiptView, usdCents: number, nativeCents: number | null | undefined): Html {
  const usd = formatCents(usdCents, 'USD');
  if (!pricing) return html`<td class="amount">${usd}</td>`;
  return html`<td class="amount">${typeof nativeCents === 'number' ? formatCents(nativeCents, pricing.currency) : ''}</td><td class="amount other">${usd}</td>`;
}

function itemRow(view: ReceiptView, line: PortalLine): Html {
  return html`<tr><th scope="row"><bdi>${line.label}</bdi></th><td class="qty">${line.qty ?? ''}</td>${money(view, line.priceUsdCents, line.nativeCents)}</tr>`;
}

function sumRow(view: ReceiptView, label: Html, lines: readonly PortalLine[], name = ''): Html {
  const native = lines.some(({ nativeCents }) => typeof nativeCents === 'number')
    ? lines.reduce((sum, { nativeCents }) => sum + (nativeCents ?? 0), 0)
    : null;
  const usd = lines.reduce((sum, { priceUsdCents }) => sum + priceUsdCents, 0);
  return html`<tr class="${name}"><th scope="row" colspan="2">${label}</th>${money(view, usd, native)}</tr>`;
}

function lineTable(view: ReceiptView): Html {
  const { lines, pricing, taxNote } = view;
  const [items, tax, fee] = (['item', 'tax', 'fee'] as const).map((kind) =>
    lines.filter((line) => line.kind === kind),
  ) as [PortalLine[], PortalLine[], PortalLine[]];
  const extras = tax.length + fee.length > 0;
  return html`<table class="lines">
  <thead><tr class="columns"><th scope="col">Item</th><th scope="col" class="qty">Quantity</th>${pricing ? html`<th scope="col" class="amount">${pricing.currency}</th><th scope="col" class="amount other">USD</th>` : html`<th scope="col" class="amount">Amount</th>`}</tr></thead>
  <tbody>${items.map((line) => itemRow(view, line))}</tbody>
  <tfoot>
    ${extras && sumRow(view, html`Subtotal`, items)}
    ${tax.map((line) => sumRow(view, html`${line.label}${taxNote && html` <span class="note">${taxNote}</span>`}`, [line]))}
    ${fee.map((line) => sumRow(view, html`${line.label}`, [line]))}
    <tr class="total"><th scope="row" colspan="2">Total</th>${money(view, view.totalUsdCents, pricing?.totalCents)}</tr>
  </tfoot>
</table>
${pricing && html`<p class="rate">1 ${pricing.currency} = ${pricing.usdPerUnit} USD, as of ${printedTime(pricing.quotedAt)} (${pricing.provider}).</p>`}`;
}

const row = (name: string, value: Html | string | null) =>
  value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const hashText = ({ chain }: { readonly chain: Pick<PortalChain, 'explorerUrl'> }, hash: string) =>
  html`<span class="hash">${transactionLink(chain.explorerUrl, hash, hash)}</span>`;

function payment(view: ReceiptView): Html | null {
  const { payment: paid, chain } = view;
  if (!paid) return null;
  return html`<section aria-labelledby="payment"><h2 id="payment">Payment</h2><dl>
  ${row('Paid', paid.amount)}
  ${row('Network', html`<span class="sentence">${chain.name} (chain ${chain.id})</span>`)}
  ${row('Time', paid.at === null ? null : printedTime(paid.at))}
  ${row('From', paid.from && html`<span class="hash">${paid.from}</span>`)}
  ${row('Transaction', hashText(view, paid.hash))}
</dl></section>`;
}

function settlement(view: ReceiptView): Html | null {
  if (view.settlement.length === 0) return null;
  return html`<section aria-labelledby="settled"><h2 id="settled">Where the payment went</h2><ul class="rows">${view.settlement.map(
    (share) =>
      html`<li><span class="who"><bdi>${share.name}</bdi></span><span class="amount">${share.display ?? '…'} ${share.token}</span><span class="proof">to <span class="hash">${share.wallet}</span></span><span class="proof">${share.transactionHash ? html`in ${hashText(view, share.transactionHash)}` : releaseText(share, null)}</span></li>`,
  )}${view.remainder && html`<li><span class="who">Rounding <span class="note">stays in the split contract</span></span><span class="amount">${view.remainder.display} ${view.remainder.token}</span></li>`}</ul></section>`;
}

function refundRow(refund: PrintedRefund): Html {
  const what =
    refund.labels.length > 0 ? html` <span class="note"><bdi>${refund.labels.join(', ')}</bdi></span>` : null;
  return html`<li><span class="who">${refund.state === 'refunded' ? 'Refunded' : 'Requested'} ${printedTime(refund.at)}${what}</span><span class="amount">${formatCents(refund.usdCents, 'USD')}</span>${refund.transactions.map(({ hash, explorerUrl }) => html`<span class="proof">${hashText({ chain: { explorerUrl } }, hash)}</span>`)}</li>`;
}

function refunds(view: ReceiptView): Html | null {
  if (view.refunds.length === 0) return null;
  return html`<section aria-labelledby="refunds"><h2 id="refunds">Refunds</h2><ul class="rows">${view.refunds.map((refund) => refundRow(refund))}</ul></section>`;
}

/** The printable receipt, complete without its script, for A4 and Letter. */
export function renderReceiptPage(view: ReceiptView, assets: PageAssets, nonce: string): string {
  const { merchant, buyer, chain } = view;
  return shell({
    title: `Receipt ${view.receiptId} · ${merchant.name}`,
    theme: merchant.theme,
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>`,
    body: html`<nav class="tools" aria-label="Receipt"><a href="${view.portalPath}">Back to the payment page</a><button type="button" class="print script-only" id="print">Print or save as PDF</button></nav>
<main class="sheet">
<header class="top">${brandLine(merchant.name, merchant.theme.brandLogoUrl)}<div class="title"><h1>Receipt</h1><p class="state ${view.status}">${state(view)}</p></div></header>
<dl class="facts">
  ${row('Receipt', html`<span class="hash">${view.receiptId}</span>`)}
  ${row('Issued', printedTime(view.createdAt))}
  ${view.details.map(({ label, value }) => row(label, value))}
</dl>
<div class="parties">
  <section aria-labelledby="seller"><h2 id="seller">From</h2><p class="party"><bdi>${merchant.name}</bdi></p>${merchant.address.map((line) => html`<p><bdi>${line}</bdi></p>`)}${merchant.taxId && html`<p>Tax number <bdi>${merchant.taxId}</bdi></p>`}<p class="hash">${merchant.wallet}</p></section>
  ${buyer.length > 0 && html`<section aria-labelledby="buyer"><h2 id="buyer">To</h2>${buyer.map((line, i) => html`<p class="${i === 0 && 'party'}"><bdi>${line}</bdi></p>`)}</section>`}
</div>
${lineTable(view)}
${payment(view)}
${settlement(view)}
${refunds(view)}
<footer class="end">${chain.local ? html`<p>Test network: no real money has moved.</p>` : html`<p>The transactions are public: anyone can look them up on ${chain.name}.</p>`}</footer>
</main>`,
  });
}
