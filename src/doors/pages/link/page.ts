import type { Refusal } from '../../../base/core/errors.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { portalLines } from '../portal/lines.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine } from '../shared/brand.ts';
import { html } from '../shared/html.ts';
import { linkPath } from '../shared/paths.ts';
import type { Reading } from '../shared/reading.ts';
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
export function renderLinkPage(view: LinkView, reading: Reading, assets: PageAssets, nonce: string): string {
  const { language, chosen } = reading;
  const [say, lineWords] = [wordsOf('link', language), wordsOf('receipt', language)];
  const { linkId, name, theme, receipt, visit } = view;
  const { brandName, pricing } = receipt;
  const text = (usdCents: number, nativeCents: number | null | undefined) =>
    pricing ? formatCents(nativeCents ?? 0, pricing.currency, language) : formatCents(usdCents, 'USD', language);
  const total = text(receipt.totalCents, pricing?.originalTotalCents);
  const lines = portalLines(receipt, language, () => null).filter(
    ({ kind, priceUsdCents }) => kind === 'item' || priceUsdCents,
  );
  return shell({
    reading,
    title: `${name} · ${brandName}`,
    theme,
    assets,
    nonce,
    body: html`<main class="ticket single"><div class="pay">
<header>
  ${brandLine(brandName, theme.brandLogoUrl)}
  <h1><span class="total-label"><bdi>${name}</bdi></span> <span class="${total.length > 10 ? 'total long' : 'total'}"><bdi>${total}</bdi></span></h1>
</header>
  <ul class="lines">${lines.map((line) => html`<li class="line ${line.kind}"><span class="label"><bdi>${line.kind === 'item' ? line.label : lineWords(line.kind)}</bdi>${(line.qty ?? 1) > 1 && html` <span class="qty">× ${line.qty}</span>`}${line.note && html` <span class="line-note"><bdi>${line.note}</bdi></span>`}</span><span class="leader" aria-hidden="true"></span><span class="price"><bdi>${text(line.priceUsdCents, line.nativeCents)}</bdi></span></li>`)}</ul>
  <p class="sum"><span class="label">${lineWords('total')}</span><span class="leader" aria-hidden="true"></span><span class="price"><bdi>${total}</bdi></span></p>
  <form method="post" action="${linkPath(linkId, visit, chosen)}"><button type="submit" class="button primary">${say('pay')}</button></form>
</div></main>`,
  });
}

const REASONS = [
  ...(['not_found', 'link_closed', 'inventory_item_not_found', 'forbidden', 'shopAway'] as const),
  ...(['stock', 'day', 'address'] as const),
];

/** Why a refusal happened, as the page names it. */
function reasonOf({ code, extra }: Refusal): (typeof REASONS)[number] | 'other' {
  const away = code === 'merchant_suspended' || code === 'split_required';
  const limit = code === 'link_limit_reached' ? extra.limit : 'sku' in extra && code === 'invalid_input' && 'stock';
  const reason = away ? 'shopAway' : limit || code;
  return REASONS.find((known) => known === reason) ?? 'other';
}

/** The page in place of a link that is closed or unknown, and of an order that it did not make. */
export function renderRefusedPage(refusal: Refusal, reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('link', reading.language);
  const reason = reasonOf(refusal);
  return messagePage(reading, assets, nonce, 'clock', say(`title.${reason}`), say(`text.${reason}`));
}
