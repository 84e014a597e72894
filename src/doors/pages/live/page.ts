import type { Messages } from '../../../base/core/messages/generated/messages.d.ts';
import { sentWords, wordsOf } from '../../../base/core/messages/words.ts';
import { brandLine } from '../shared/brand.ts';
import { html } from '../shared/html.ts';
import { attributeJson, type Reading, sendWords } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import type { PageTheme } from '../shared/theme.ts';
import { CARDS, countOf, latestOf, type Person, renderPerson } from './person.ts';

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

/** The messages that only the server says. */
const SERVER_ONLY: readonly string[] = [
  ...(['title', 'reconnecting', 'still', 'empty', 'appear', 'more', 'foot'] as const),
] satisfies (keyof Messages['live'])[];

/**
 * The page of live people, complete without its script. `nonce` must be fresh for each response and also be in its
 * `pageCsp`.
 */
export function renderLivePage(view: LiveView, reading: Reading, assets: PageAssets, nonce: string): string {
  const { now, brandName, theme, people, total, graphqlUrl } = view;
  const say = wordsOf('live', reading.language);
  return shell({
    reading,
    title: `${say('title')} · ${brandName}`,
    theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" src="${assets.script}"></script>${sendWords({ live: sentWords('live', reading.language, (key) => !SERVER_ONLY.includes(key)) })}`,
    body: html`<main class="hall" id="live" data-live='${attributeJson({ now, total, graphqlUrl })}'>
<header class="top">
  ${brandLine(brandName, theme.brandLogoUrl)}
  <div class="headline"><h1>${say('title')}</h1><p class="count" id="count">${countOf(say, total)}</p></div>
  <p class="line" id="line" hidden>${say('reconnecting')}</p>
  <p class="line no-script">${say('still')}</p>
</header>
<ul class="people" id="people" role="list">${people.map((person) => renderPerson(say, person, now))}</ul>
<div class="empty" id="empty"${total > 0 && html` hidden`}><p class="empty-title">${say('empty')}</p><p class="script-only">${say('appear')}</p></div>
<div class="more" id="more"${total <= CARDS && html` hidden`}><p id="shown">${latestOf(say, people.length, total)}</p><button type="button" class="button script-only" id="show-more">${say('more')}</button></div>
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot"><p>${say('foot')}</p></footer>`,
  });
}

/** The page for a temporary failure. */
export function renderLiveProblemPage(reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('pages', reading.language);
  return messagePage(reading, assets, nonce, 'clock', say('moment'), say('liveAway'));
}
