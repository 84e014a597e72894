import type { Refusal } from '../../../base/core/errors.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { portalLines } from '../portal/lines.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine } from '../shared/brand.ts';
import { html } from '../shared/html.ts';
import { linkPath } from '../shared/paths.ts';
import { ENGLISH } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import type { PageTheme } from '../shared/theme.ts';

/** What the page of a link shows. */
export interface LinkView {
  readonly linkId: string;
  readonly name: string;
  readonly theme: PageTheme;
  /** The receipt that the button would make now. */
  readonly receipt: ReceiptRow;
  /** Names this visit: its button makes one receipt, however often it is pressed. */
  readonly visit: string;
}

/** The page of a payment link: what it sells, and the button that makes a receipt. It works without a script. */
export function renderLinkPage(view: LinkView, assets: PageAssets, nonce: string): string {
  const { linkId, name, theme, receipt, visit } = view;
  const { brandName, pricing } = receipt;
  const text = (usdCents: number, nativeCents: number | null | undefined) =>
    pricing ? formatCents(nativeCents ?? 0, pricing.currency, 'en') : formatCents(usdCents, 'USD', 'en');
  const total = text(receipt.totalCents, pricing?.originalTotalCents);
  const lines = portalLines(receipt, 'en', () => null).filter(
    ({ kind, priceUsdCents }) => kind === 'item' || priceUsdCents,
  );
  return shell({
    reading: ENGLISH,
    title: `${name} · ${brandName}`,
    theme,
    assets,
    nonce,
    body: html`<main class="ticket single"><div class="pay">
<header>
  ${brandLine(brandName, theme.brandLogoUrl)}
  <h1><span class="total-label"><bdi>${name}</bdi></span> <span class="${total.length > 10 ? 'total long' : 'total'}">${total}</span></h1>
</header>
  <ul class="lines">${lines.map((line) => html`<li class="line ${line.kind}"><span class="label"><bdi>${line.label}</bdi>${(line.qty ?? 1) > 1 && html` <span class="qty">× ${line.qty}</span>`}${line.note && html` <span class="line-note">${line.note}</span>`}</span><span class="leader" aria-hidden="true"></span><span class="price">${text(line.priceUsdCents, line.nativeCents)}</span></li>`)}</ul>
  <p class="sum"><span class="label">Total</span><span class="leader" aria-hidden="true"></span><span class="price">${total}</span></p>
  <form method="post" action="${linkPath(linkId, visit)}"><button type="submit" class="button primary">Continue to payment</button></form>
</div></main>`,
  });
}

const TEXTS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  not_found: ['No link here', 'Ask the shop that gave you this address for a new one.'],
  link_closed: ['This link is closed', 'The shop does not take payments by it any more.'],
  inventory_item_not_found: ['Not sold any more', 'The shop does not sell all of it any more.'],
  merchant_suspended: ['No payments here', 'The shop does not take payments at the moment.'],
  split_required: ['No payments here', 'The shop does not take payments at the moment.'],
  forbidden: ['Open the link itself', 'The order did not come from the page of the link. Open the link again.'],
  stock: ['Sold out', 'The shop has no more of it. What others do not pay becomes free again: try it later.'],
  day: ['Sold out for today', 'All that this link sells on a day is taken. Try again tomorrow.'],
  address: ['No more for now', 'From your connection no more can be ordered here today. Pay what you have ordered.'],
};

/** The page in place of a link that is closed or unknown, and of an order that it did not make. */
export function renderRefusedPage({ code, extra }: Refusal, assets: PageAssets, nonce: string): string {
  const reason =
    code === 'link_limit_reached' ? String(extra.limit) : 'sku' in extra && code === 'invalid_input' ? 'stock' : code;
  const [title, text] = TEXTS[reason] ?? [
    'One moment, please',
    'This does not work at the moment. Try again in a minute.',
  ];
  return messagePage(ENGLISH, assets, nonce, 'clock', title, `${text} Nothing was ordered.`);
}
