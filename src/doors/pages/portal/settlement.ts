import { type Html, html } from '../shared/html.ts';
import { transactionLink } from '../shared/links.ts';
import type { PageShare, PortalPaid, PortalView } from './view.ts';
import { copyButton } from './ways.ts';

/** A wallet, shortened to its two ends. */
const shortWallet = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

/** The release transaction of a share, or a word if this server did not send one. */
export function releaseText({ released, transactionHash }: PageShare, explorerUrl: string | null | undefined): Html {
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
export function settlementProof(view: PortalView): Html {
  const { settlement, remainder } = view;
  return html`<section class="settlement" id="settlement" aria-labelledby="settlement-title" ${settlement.length === 0 && html`hidden`}>
  <h2 class="small-title" id="settlement-title">Where the payment went</h2>
  <ul>${settlement.map((share) => shareRow(view, share))}${remainder && remainderRow(remainder)}</ul>
</section>`;
}
