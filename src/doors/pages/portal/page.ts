import { getAddress, isAddress } from 'viem';
import { type Html, html } from '../shared/html.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { renderStage } from './panels.ts';
import { qrTile } from './qr.ts';
import { receiptHead, receiptItems } from './receipt.ts';
import { idleUi, type StageModel, stageModel } from './stage.ts';
import type { PortalView } from './view.ts';

/** The view contains lower-case wallets; the page shows them with their EIP-55 checksum. */
function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address;
}

/**
 * The payment page of one receipt, complete without its script: items, total, state, amount, address and QR code.
 * `nonce` must be fresh for each response and also be in its `pageCsp`.
 */
export function renderPortalPage(view: PortalView, assets: PageAssets, nonce: string): string {
  const quote = view.quote && { ...view.quote, payTo: checksummed(view.quote.payTo) };
  const model = stageModel({ ...view, quote });
  const settings = { model, graphqlUrl: view.graphqlUrl, websocketUrl: view.websocketUrl };
  return shell({
    title: `${model.totalText} · ${view.merchant.name}`,
    theme: view.merchant.theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" src="${assets.script}"></script>`,
    body: portalBody(view, model, settings),
  });
}

function portalBody(view: PortalView, model: StageModel, settings: object): Html {
  return html`<main class="ticket" id="portal" data-portal="${JSON.stringify(settings)}">
${receiptHead(view)}
<div class="pay"><div id="stage">${renderStage(model, idleUi, model.quote && qrTile(model.quote.uri))}</div>${model.quote && addressCode(model.quote.payTo)}</div>
${receiptItems(view)}
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${view.chain.local && html`<p class="test-net">Test network: no real money moves.</p>`}<p>Your payment goes straight to <bdi>${view.merchant.name}</bdi> on ${view.chain.name}. No one holds it in between.</p></footer>`;
}

/**
 * The address alone as a code, for wallets that do not read payment requests (EIP-681). It rarely changes, so it is
 * outside of what the script draws, which hides it when it does. Its stylesheet hides it once nothing is to be paid.
 */
function addressCode(payTo: string): Html {
  return html`<details class="address-code" id="address-code" data-address="${payTo}"><summary>Does your wallet not read the code?</summary>
<div class="plain-qr">${qrTile(payTo, 'QR code of the address')}</div>
<p class="hint">This code holds the address alone. Choose the token and the amount in your wallet.</p></details>`;
}

/** The same page of a sample, without its script. */
export function renderPortalSample(view: PortalView, assets: PageAssets, nonce: string): string {
  const body = portalBody(view, stageModel(view), {});
  return shell({ title: 'Preview', theme: view.merchant.theme, assets, nonce, body });
}

/** The page for a URL that names no receipt. */
export function renderNotFoundPage(assets: PageAssets, nonce: string): string {
  const text =
    'There is no receipt at this address. Check the link, or ask the shop that sent it to you for a new one.';
  return messagePage(assets, nonce, 'question', 'No receipt here', text);
}

/** The page for a temporary failure. `text` replaces the default sentence. */
export function renderProblemPage(
  assets: PageAssets,
  nonce: string,
  text = 'The payment page cannot be shown at the moment. If you have already paid, your payment is safe. Please try again in a minute.',
): string {
  return messagePage(assets, nonce, 'clock', 'One moment, please', text);
}
