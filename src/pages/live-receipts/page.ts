import { brandLine } from '../brand.ts';
import type { PageChain } from '../chain.ts';
import { html } from '../html.ts';
import { messagePage, type PageAssets, shell } from '../shell.ts';
import type { PageTheme } from '../theme.ts';
import { renderSignIn, SIGNED_OUT } from './stage.ts';

/** The data of the live-receipts page before sign-in: nothing about any merchant. */
export interface LiveReceiptsView {
  readonly brandName: string;
  readonly theme: PageTheme;
  readonly chain: PageChain;
  readonly graphqlUrl: string;
}

/** The page of a merchant's live receipts. `nonce` must be fresh for each response and also be in its `pageCsp`. */
export function renderLiveReceiptsPage(view: LiveReceiptsView, assets: PageAssets, nonce: string): string {
  const { brandName, theme, chain, graphqlUrl } = view;
  return shell({
    title: `Live receipts · ${brandName}`,
    theme,
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>`,
    body: html`<main class="desk" id="desk" data-desk="${JSON.stringify({ chain, graphqlUrl })}">
<header class="top">
  ${brandLine(brandName, theme.brandLogoUrl)}
  <h1 id="title" tabindex="-1">Live receipts</h1>
  <div class="bar-row" id="who"></div>
  <p class="line" id="line" hidden>Reconnecting…</p>
</header>
<div class="ticket single" id="door"><div class="pay" id="stage">${renderSignIn(SIGNED_OUT)}</div></div>
<section class="roll" id="roll" aria-label="Receipts" hidden>
  <ul class="receipts" id="receipts" role="list"></ul>
  <p class="none" id="none">No receipt yet. The next order appears here.</p>
</section>
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${chain.local && html`<p class="test-net">Test network: no real money moves.</p>`}<p>The latest fifty receipts. New and changed ones appear by themselves.</p></footer>`,
  });
}

/** The page for a temporary failure. */
export function renderReceiptsProblemPage(assets: PageAssets, nonce: string): string {
  const text = 'Your receipts cannot be shown at the moment. Please try again in a minute.';
  return messagePage(assets, nonce, 'clock', 'One moment, please', text);
}
