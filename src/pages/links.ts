import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { shortHash } from './portal/amounts.ts';

/** Only web addresses become links: a stored `javascript:` does not. */
export function webUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/** A transaction in short, with its page in the block explorer where there is one. `text` stands in the hash's place. */
export function transactionLink(explorerUrl: string | null | undefined, hash: string, text = shortHash(hash)): Html {
  const base = webUrl(explorerUrl);
  if (!base) return html`<span title="${hash}">${text}</span>`;
  return html`<a href="${base.replace(/\/$/, '')}/tx/${hash}" rel="noopener noreferrer" target="_blank">${text}${icon('out')}<span class="unseen"> (opens the block explorer)</span></a>`;
}
