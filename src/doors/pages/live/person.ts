import type { Words } from '../../../base/core/messages/fill.ts';
import { shortHash } from '../shared/amounts.ts';
import { imageUrl } from '../shared/brand.ts';
import { type Html, html } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';

type Say = Words<'live'>;

/** A live person, as a card shows it. Texts that were not given are empty. */
export interface Person {
  readonly wallet: string;
  readonly displayName: string;
  readonly pfpUrl: string;
  readonly xp: number;
  readonly languages: readonly string[];
  readonly platform: string;
  readonly spaceUrl: string;
  /** Epoch milliseconds. */
  readonly liveSince: number | null;
}

/** The number of cards shown initially, and added by each click on "more". */
export const CARDS = 60;
const LANGUAGES = 3;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a person has been live, in a few words. */
export function liveFor(say: Say, since: number, now: number): string {
  const ms = Math.max(0, now - since);
  if (ms < MINUTE) return say('just');
  if (ms >= DAY) return say('for', { time: say('days', { days: Math.floor(ms / DAY) }) });
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE)];
  const time = [hours > 0 && say('hours', { hours }), minutes > 0 && say('minutes', { minutes })];
  return say('for', { time: time.filter(Boolean).join(' ') });
}

/** Most recent first, ties by wallet: the order of `liveUsers`. */
export function latestFirst(a: Person, b: Person): number {
  return (b.liveSince ?? 0) - (a.liveSince ?? 0) || (a.wallet < b.wallet ? -1 : 1);
}

/** The display name of a person, or the shortened wallet. */
export const nameOf = ({ displayName, wallet }: Person): string => displayName.trim() || shortHash(wallet);

/** The URL of a person's space if it may become a link (https only), else null. */
export function spaceOf({ spaceUrl }: Person): string | null {
  return /^https:\/\//i.test(spaceUrl) && URL.canParse(spaceUrl) ? spaceUrl : null;
}

/** An identicon: five by five mirrored squares, derived from the wallet. */
function sign(wallet: string): Html {
  const bits = Number.parseInt(wallet.slice(-8), 16);
  const squares = Array.from({ length: 15 }, (_, n) => n).filter((n) => (bits >> n) & 1);
  const at = (x: number, y: number) => html`<rect x="${x}" y="${y}" width="1" height="1"/>`;
  const drawn = squares.map((n) => {
    const [x, y] = [n % 3, Math.floor(n / 3)];
    return x === 2 ? [at(x, y)] : [at(x, y), at(4 - x, y)];
  });
  return html`<svg class="sign" viewBox="-1.5 -1.5 8 8" aria-hidden="true" shape-rendering="crispEdges">${drawn}</svg>`;
}

function faceOf({ pfpUrl, wallet }: Person, withPicture: boolean): Html {
  const picture = withPicture ? imageUrl(pfpUrl) : null;
  if (!picture) return sign(wallet);
  return html`<img src="${picture}" alt="" width="56" height="56" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
}

function facts(say: Say, { platform, xp, languages }: Person): Html | false {
  const more = languages.length - LANGUAGES;
  const names = languages.slice(0, LANGUAGES).join(', ');
  const spoken = more > 0 ? say('languages', { names, more }) : names;
  const words = [
    platform !== '' && html`<li class="platform"><span class="unseen">${say('on')} </span><bdi>${platform}</bdi></li>`,
    xp > 0 && html`<li>${say('xp', { xp })}</li>`,
    spoken !== '' && html`<li><span class="unseen">${say('speaks')} </span><bdi>${spoken}</bdi></li>`,
  ].filter((word) => word !== false);
  return words.length > 0 && html`<ul class="facts" role="list">${words}</ul>`;
}

/** The card of a live person. `now` in epoch ms. Without `withPicture` the card shows the identicon. */
export function renderPerson(say: Say, person: Person, now: number, withPicture = true): Html {
  const { wallet, displayName, liveSince } = person;
  const [name, space] = [nameOf(person), spaceOf(person)];
  return html`<li class="person" data-key="${wallet}"><div class="card">
<div class="face">${faceOf(person, withPicture)}<span class="dot" aria-hidden="true"></span></div>
<div class="who"><h2 tabindex="-1"><bdi>${name}</bdi></h2>${displayName.trim() !== '' && html`<p class="wallet mono"><bdi>${shortHash(wallet)}</bdi></p>`}</div>
${facts(say, person)}
</div><div class="stub">${liveSince !== null && html`<p><time datetime="${new Date(liveSince).toISOString()}">${liveFor(say, liveSince, now)}</time></p>`}${space !== null && html`<a class="visit" href="${space}" target="_blank" rel="noopener noreferrer nofollow">${say('visit')}${icon('out')}<span class="unseen"> ${say('visit.who', { name })}</span></a>`}</div></li>`;
}

/** The number of live people as text; empty if there are none. */
export const countOf = (say: Say, total: number): string => (total === 0 ? '' : say('people', { count: total }));

/** How many of the live people are shown, as text. */
export const latestOf = (say: Say, shown: number, total: number): string =>
  say('latest', { shown, people: countOf(say, total) });
