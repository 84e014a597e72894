import { announce, focusOn } from '../../client/draw.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { CARDS, countOf, nameOf, renderPerson } from '../person.ts';
import { createPresenceList, type PresenceUpdate } from './presence-list.ts';
import { followLive } from './stream.ts';

/** What happens within this is drawn at once. */
const DRAW_MS = 80;
/** Who is live has all been told once nothing came for this long. */
const QUIET_MS = 500;
const NOTHING_MS = 1_500;
const CLOCK_MS = 20_000;
/** A socket that is back this soon was never missed. */
const DOWN_MS = 1_000;
/** Said at most this often, however much happens. */
const ANNOUNCE_MS = 4_000;

const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

function start(page: HTMLElement): void {
  const settings = JSON.parse(page.dataset.live ?? '{}') as { now: number; total: number; graphqlUrl: string };
  const skewMs = settings.now - Date.now();
  const crowd = createPresenceList();
  const list = part('people');
  const draw = createMovingList(list);
  /** Pictures that could not be had. */
  const broken = new Set<string>();
  let most = CARDS;
  let settled = false;
  /** Until the stream has told of everybody once, the page stays as it was served. */
  let drawn = false;

  function show(): void {
    const now = Date.now() + skewMs;
    const [shown, total] = [crowd.latest(most), crowd.size()];
    const [before, atMore] = [list.children.length, part('more').contains(document.activeElement)];
    draw(
      shown.map((person) => ({
        key: person.wallet,
        markup: renderPerson(person, now, !broken.has(person.pfpUrl)),
        said: JSON.stringify(person),
      })),
    );
    part('count').textContent = countOf(total);
    part('nobody').hidden = total > 0;
    part('more').hidden = total <= shown.length;
    // With the last of them the button goes: reading goes on with the first that came.
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
      for (const person of crowd.settle()) news.left.push(nameOf(person));
      show();
    }, ms);
  };

  const news = { came: [] as string[], left: [] as string[] };
  setInterval(() => {
    const said = [sentence(news.came, 'live'), sentence(news.left, 'gone')].filter((text) => text !== '');
    if (said.length > 0) announce(said.join(' '));
    news.came.length = news.left.length = 0;
  }, ANNOUNCE_MS);

  function take(told: PresenceUpdate): void {
    const what = crowd.take(told);
    if (!settled) settleIn(QUIET_MS);
    else if (what === 'came' || what === 'left') news[what].push(nameOf(told.person));
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
      crowd.begin();
      settleIn(NOTHING_MS);
    },
    onTold: take,
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
