import { shortHash } from './amounts.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';

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
