import type { Words } from '../../../../base/core/messages/fill.ts';
import { announce, focusOn } from '../../client/draw.ts';
import { renewToken, tokenProof } from '../../client/graphql.ts';
import { followStream } from '../../client/live-stream.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { createOutageLine } from '../../client/outage-line.ts';
import { pageWords, part } from '../../client/page.ts';
import { createPatience } from '../../client/socket.ts';
import { LivePage } from '../../generated/live.ts';
import { CARDS, countOf, latestOf, nameOf, renderPerson } from '../person.ts';
import { createPresenceList, type PresenceList, type PresenceUpdate } from './presence-list.ts';

/** The initial list is complete when no event has arrived for this long. */
const QUIET_MS = 500;
const NOTHING_MS = 1_500;
const CLOCK_MS = 20_000;
/** The minimum interval between announcements. */
const ANNOUNCE_MS = 4_000;

function start(page: HTMLElement): void {
  const settings = JSON.parse(page.dataset.live ?? '{}') as { now: number; total: number; graphqlUrl: string };
  const say = pageWords('live');
  const skewMs = settings.now - Date.now();
  const presenceList = createPresenceList();
  const view = createView(say, presenceList, () => Date.now() + skewMs);
  const line = createOutageLine(part('line'));
  const news = announceNews(say);
  let settled = false;
  let settling: number | undefined;

  const settleIn = (ms: number) => {
    clearTimeout(settling);
    settling = window.setTimeout(() => {
      settled = true;
      for (const person of presenceList.settle()) news.left.push(nameOf(person));
      view.show();
    }, ms);
  };

  function apply(update: PresenceUpdate): void {
    const what = presenceList.apply(update);
    if (!settled) settleIn(QUIET_MS);
    else if (what === 'came' || what === 'left') news[what].push(nameOf(update.person));
    if (what) view.showSoon();
  }

  void followLive({
    url: settings.graphqlUrl,
    onOpen() {
      line.up();
      settled = false;
      presenceList.begin();
      settleIn(NOTHING_MS);
    },
    onUpdate: apply,
    onDown() {
      clearTimeout(settling);
      line.down();
    },
  });
  setInterval(view.showSoon, CLOCK_MS);
}

/** Announces the names that are added to its lists, together. */
function announceNews(say: Words<'live'>): { came: string[]; left: string[] } {
  const news = { came: [] as string[], left: [] as string[] };
  setInterval(() => {
    const said = [sentence(say, 'came', news.came), sentence(say, 'left', news.left)].filter((text) => text !== '');
    if (said.length > 0) announce(said.join(' '));
    news.came.length = news.left.length = 0;
  }, ANNOUNCE_MS);
  return news;
}

function sentence(say: Words<'live'>, what: 'came' | 'left', names: readonly string[]): string {
  const count = names.length;
  if (count === 0) return '';
  return count > 3 ? say(`${what}.many`, { count }) : say(what, { count, names: names.join(', ') });
}

const page = document.getElementById('live');
if (page) {
  document.documentElement.classList.add('js');
  start(page);
}

interface StreamOptions {
  readonly url: string;
  /** A stream begins; it first sends all live people. */
  onOpen(): void;
  onUpdate(update: PresenceUpdate): void;
  onDown(): void;
}

/**
 * Follows the live people while the page is open. Reopens a stream that ends, with a new token if the old one has
 * expired.
 */
async function followLive({ url, onOpen, onUpdate, onDown }: StreamOptions): Promise<never> {
  const patience = createPatience();
  for (;;) {
    const end = await followStream({
      url,
      query: LivePage,
      variables: {},
      proof: tokenProof(),
      onOpen() {
        patience.reset();
        onOpen();
      },
      onData({ livePresence: { kind, wallet, user } }) {
        onUpdate({ kind, person: { wallet, ...user } });
      },
    });
    onDown();
    await patience.wait();
    // If the page cannot be fetched either, the next attempt tries again.
    if (end === 'forbidden') await renewToken().catch(() => undefined);
  }
}

/** Changes within this interval are drawn together. */
const DRAW_MS = 80;

/** The cards of the live people. */
export interface PeopleView {
  /** Draws the cards now. Before the first call the page stays as served. */
  show(): void;
  /** Draws the cards together with other changes. */
  showSoon(): void;
}

/** Creates the cards of a page. */
export function createView(say: Words<'live'>, presenceList: PresenceList, now: () => number): PeopleView {
  const list = part('people');
  const draw = createMovingList(list);
  /** Pictures that failed to load. */
  const broken = new Set<string>();
  let most = CARDS;
  let drawn = false;
  let waiting = false;

  function show(): void {
    drawn = true;
    const [shown, total] = [presenceList.latest(most), presenceList.size()];
    const [before, atMore] = [list.children.length, part('more').contains(document.activeElement)];
    draw(
      shown.map((person) => ({
        key: person.wallet,
        markup: renderPerson(say, person, now(), !broken.has(person.pfpUrl)),
        said: JSON.stringify(person),
      })),
    );
    part('count').textContent = countOf(say, total);
    part('empty').hidden = total > 0;
    part('more').hidden = total <= shown.length;
    // When no more cards are left the button disappears; move the focus to the first new card.
    if (atMore && total <= shown.length) focusOn(list.children[before]?.querySelector('h2'));
    part('shown').textContent = latestOf(say, shown.length, total);
  }

  function showSoon(): void {
    if (!drawn || waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      show();
    }, DRAW_MS);
  }

  part('show-more').addEventListener('click', () => {
    most += CARDS;
    showSoon();
  });
  list.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLImageElement)) return;
      broken.add(target.getAttribute('src') ?? '');
      showSoon();
    },
    true,
  );
  return { show, showSoon };
}
