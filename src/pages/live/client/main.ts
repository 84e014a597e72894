import { announce, focusOn } from '../../client/draw.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { CARDS, countOf, nameOf, renderPerson } from '../person.ts';
import { createPresenceList, type PresenceUpdate } from './presence-list.ts';
import { followLive } from './stream.ts';

/** Changes within this interval are drawn together. */
const DRAW_MS = 80;
/** The initial list is complete when no event has arrived for this long. */
const QUIET_MS = 500;
const NOTHING_MS = 1_500;
const CLOCK_MS = 20_000;
/** An interruption shorter than this is not shown. */
const DOWN_MS = 1_000;
/** The minimum interval between announcements. */
const ANNOUNCE_MS = 4_000;

const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

function start(page: HTMLElement): void {
  const settings = JSON.parse(page.dataset.live ?? '{}') as { now: number; total: number; graphqlUrl: string };
  const skewMs = settings.now - Date.now();
  const presenceList = createPresenceList();
  const list = part('people');
  const draw = createMovingList(list);
  /** Pictures that failed to load. */
  const broken = new Set<string>();
  let most = CARDS;
  let settled = false;
  /** The page stays as served until the stream has sent the initial list. */
  let drawn = false;

  function show(): void {
    const now = Date.now() + skewMs;
    const [shown, total] = [presenceList.latest(most), presenceList.size()];
    const [before, atMore] = [list.children.length, part('more').contains(document.activeElement)];
    draw(
      shown.map((person) => ({
        key: person.wallet,
        markup: renderPerson(person, now, !broken.has(person.pfpUrl)),
        said: JSON.stringify(person),
      })),
    );
    part('count').textContent = countOf(total);
    part('empty').hidden = total > 0;
    part('more').hidden = total <= shown.length;
    // When no more cards are left the button disappears; move the focus to the first new card.
    if (atMore && total <= shown.length) focusOn(list.children[before]?.querySelector('h2'));
    part('shown').textContent = `The latest ${shown.length} of ${countOf(total)}`;
  }
  let waiting = false;
  const showSoon = () => {
    if (!drawn || waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      show();
    }, DRAW_MS);
  };

  let settling: number | undefined;
  const settleIn = (ms: number) => {
    clearTimeout(settling);
    settling = window.setTimeout(() => {
      settled = drawn = true;
      for (const person of presenceList.settle()) news.left.push(nameOf(person));
      show();
    }, ms);
  };

  const news = { came: [] as string[], left: [] as string[] };
  setInterval(() => {
    const said = [sentence(news.came, 'live'), sentence(news.left, 'gone')].filter((text) => text !== '');
    if (said.length > 0) announce(said.join(' '));
    news.came.length = news.left.length = 0;
  }, ANNOUNCE_MS);

  function apply(update: PresenceUpdate): void {
    const what = presenceList.apply(update);
    if (!settled) settleIn(QUIET_MS);
    else if (what === 'came' || what === 'left') news[what].push(nameOf(update.person));
    if (what) showSoon();
  }

  let missed: number | undefined;
  void followLive({
    url: settings.graphqlUrl,
    onOpen() {
      clearTimeout(missed);
      missed = undefined;
      part('line').hidden = true;
      settled = false;
      presenceList.begin();
      settleIn(NOTHING_MS);
    },
    onUpdate: apply,
    onDown() {
      clearTimeout(settling);
      missed ??= window.setTimeout(() => {
        part('line').hidden = false;
      }, DOWN_MS);
    },
  });
  setInterval(showSoon, CLOCK_MS);
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
}

function sentence(names: readonly string[], what: 'live' | 'gone'): string {
  if (names.length === 0) return '';
  if (names.length > 3) return `${names.length} people are ${what}.`;
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${what}.`;
}

const page = document.getElementById('live');
if (page) {
  document.documentElement.classList.add('js');
  start(page);
}
