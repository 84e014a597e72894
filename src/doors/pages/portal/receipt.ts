import { formatCents } from '../shared/amounts.ts';
import { brandLine, imageUrl } from '../shared/brand.ts';
import { dayTime } from '../shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { settlementProof } from './settlement.ts';
import { idleUi, stageModel, stageName, totalLabel, totalText } from './stage.ts';
import type { PortalLine, PortalView } from './view.ts';

/** The merchant and the total, at the top of the page. */
export function receiptHead(view: PortalView): Html {
  const { receipt, merchant } = view;
  const label = totalLabel(stageName(stageModel(view), idleUi));
  const total = totalText(receipt);
  return html`<header class="head">
  ${brandLine(merchant.name, merchant.theme.brandLogoUrl)}
  <h1><span class="total-label" id="total-label">${label}</span> <span class="${total.length > 10 ? 'total long' : 'total'}">${total}</span></h1>
  ${receipt.pricing && html`<p class="rate">${formatCents(receipt.totalUsdCents, 'USD')} at ${receipt.pricing.usdPerUnit} USD per ${receipt.pricing.currency}</p>`}
  <p class="jump"><a href="#items">See the items</a></p>
</header>`;
}

function lineAmount(view: PortalView, line: PortalLine): string {
  const { pricing } = view.receipt;
  if (pricing && typeof line.nativeCents === 'number') return formatCents(line.nativeCents, pricing.currency);
  return formatCents(line.priceUsdCents, 'USD');
}

function lineRow(view: PortalView, line: PortalLine): Html {
  const thumb = imageUrl(line.thumb);
  return html`<li class="line ${line.kind}">${thumb && html`<img src="${thumb}" alt="" width="40" height="40" loading="lazy" referrerpolicy="no-referrer">`}<span class="label"><bdi>${line.label}</bdi>${typeof line.qty === 'number' && line.qty > 1 && html` <span class="qty">× ${line.qty}</span>`}${line.note && html` <span class="line-note">${line.note}</span>`}</span><span class="leader" aria-hidden="true"></span><span class="price">${lineAmount(view, line)}</span></li>`;
}

/** A form for the buyer's e-mail address if none is known. Optional. */
function emailForm(shop: string): Html {
  return html`<form class="email script-only" id="email" novalidate>
  <label for="email-address">Your e-mail address <span class="optional">(optional)</span></label>
  <div class="email-row"><input id="email-address" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254" placeholder="you@example.com" aria-describedby="email-note" required><button type="submit" class="button quiet">Save</button></div>
  <p class="hint" id="email-note"><bdi>${shop}</bdi> receives it with your order. No message is sent from this page.</p>
</form>`;
}

/** The itemised receipt: lines, then tax and fee less prominently, then the total. */
export function receiptItems(view: PortalView): Html {
  const { receipt, merchant } = view;
  const items = receipt.lineItems.filter((line) => line.kind === 'item');
  const extras = receipt.lineItems.filter((line) => line.kind !== 'item');
  return html`<section class="items" id="items" aria-label="Receipt">
  <ul class="lines">${items.map((line) => lineRow(view, line))}</ul>
  ${extras.length > 0 && html`<ul class="lines extras">${extras.map((line) => lineRow(view, line))}</ul>`}
  <p class="sum"><span class="label">Total</span><span class="leader" aria-hidden="true"></span><span class="price">${totalText(receipt)}</span></p>
  ${settlementProof(view)}
  ${view.scriptPath && html`<section class="from-shop" id="from-shop" aria-labelledby="from-shop-title"><h2 class="small-title" id="from-shop-title">From <bdi>${merchant.name}</bdi></h2></section>`}
  ${view.asksEmail && emailForm(merchant.name)}
  <p class="number"><span>Receipt <span class="mono">${receipt.receiptId}</span></span> <span>${dayTime(receipt.createdAt)}</span></p>
</section>`;
}
