import type { Language } from '../../../base/core/messages/languages.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { shortHash } from './amounts.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

type Named = Pick<ReceiptRow, 'id' | 'merchant'>;

/** The query of a receipt's pages. `key` and `language` are the `k` and `lang` of the page's URL; null if not there. */
function path({ id, merchant }: Named, key: string | null, language: Language | null, below: string): string {
  const query = new URLSearchParams({ recipient: merchant });
  if (key !== null) query.set('k', key);
  if (language !== null) query.set('lang', language);
  return `/portal/${encodeURIComponent(id)}${below}?${query}`;
}

/** The path of a receipt's payment page. */
export const portalPath = (receipt: Named, key: string | null, language: Language | null): string =>
  path(receipt, key, language, '');

/** The path of the printable receipt. */
export const receiptPath = (receipt: Named, key: string | null, language: Language | null): string =>
  path(receipt, key, language, '/receipt');

/** The path at which a payment link makes the receipt of a visit, once for each `visit`. */
export const linkPath = (linkId: string, visit: string, language: Language | null): string =>
  `/pay/${encodeURIComponent(linkId)}?${new URLSearchParams({ visit, ...(language && { lang: language }) })}`;

/** The path at which the buyer asks for an expired receipt again. */
export const againPath = (receipt: Named, key: string | null, language: Language | null): string =>
  path(receipt, key, language, '/again');

/** The path of the shop's after-payment script, for the frame of the payment page. */
export const afterPaymentPath = (receipt: Named, key: string | null, language: Language | null): string =>
  path(receipt, key, language, '/after-payment');

/** The path of the page of a plan, or of a subscription to it, in a language. */
export function planPath(planId: string, language: Language | null, subscriptionId?: string): string {
  const query = new URLSearchParams({
    ...(subscriptionId !== undefined && { subscription: subscriptionId }),
    ...(language && { lang: language }),
  });
  return `/subscribe/${encodeURIComponent(planId)}${query.size > 0 ? `?${query}` : ''}`;
}

/** The URL if it is a web address, else null, so that a stored `javascript:` URL never becomes a link. */
export function webUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/**
 * A shortened transaction hash (or `text`), linked to the block explorer if there is one, which `opensExplorer` says to
 * screen readers.
 */
export function transactionLink(
  explorerUrl: string | null | undefined,
  hash: string,
  opensExplorer: string,
  text = shortHash(hash),
): Html {
  const base = webUrl(explorerUrl);
  if (!base) return html`<bdi title="${hash}">${text}</bdi>`;
  return html`<a href="${base.replace(/\/$/, '')}/tx/${hash}" rel="noopener noreferrer" target="_blank"><bdi>${text}</bdi>${icon('out')}<span class="unseen"> ${opensExplorer}</span></a>`;
}
