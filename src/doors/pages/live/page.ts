import { brandLine } from '../shared/brand.ts';
import { html } from '../shared/html.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import type { PageTheme } from '../shared/theme.ts';
import { CARDS, countOf, type Person, renderPerson } from './person.ts';

/** The data of the page of live people. */
export interface LiveView {
  readonly now: number;
  readonly brandName: string;
  readonly theme: PageTheme;
  /** Most recent first, at most `CARDS`. */
  readonly people: readonly Person[];
  /** The number of live people. */
  readonly total: number;
  readonly pageToken: string;
  readonly graphqlUrl: string;
}

/**
 * The page of live people, complete without its script. `nonce` must be fresh for each response and also be in its
 * `pageCsp`.
 */
export function renderLivePage(view: LiveView, assets: PageAssets, nonce: string): string {
  const { now, brandName, theme, people, total, graphqlUrl } = view;
  return shell({
    title: `Live now · ${brandName}`,
    theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" src="${assets.script}"></script>`,
    body: html`<main class="hall" id="live" data-live="${JSON.stringify({ now, total, graphqlUrl })}">
<header class="top">
  ${brandLine(brandName, theme.brandLogoUrl)}
  <div class="headline"><h1>Live now</h1><p class="count" id="count">${countOf(total)}</p></div>
  <p class="line" id="line" hidden>Reconnecting…</p>
  <p class="line no-script">This page does not update by itself. Reload it to see who is live now.</p>
</header>
<ul class="people" id="people" role="list">${people.map((person) => renderPerson(person, now))}</ul>
<div class="empty" id="empty"${total > 0 && html` hidden`}><p class="empty-title">No one is live at the moment</p><p class="script-only">People appear here when they go live. You can leave this page open.</p></div>
<div class="more" id="more"${total <= CARDS && html` hidden`}><p id="shown">The latest ${people.length} of ${countOf(total)}</p><button type="button" class="button script-only" id="show-more">Show more</button></div>
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot"><p>This page lists people who have set themselves live and public.</p></footer>`,
  });
}

/** The page for a temporary failure. */
export function renderLiveProblemPage(assets: PageAssets, nonce: string): string {
  return messagePage(
    assets,
    nonce,
    'clock',
    'One moment, please',
    'This list cannot be shown at the moment. Please try again in a minute.',
  );
}
