import type { Words } from '../../../../base/core/messages/fill.ts';
import { focusOn } from '../../client/draw.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { part } from '../../client/page.ts';
import { CARDS, countOf, latestOf, renderPerson } from '../person.ts';
import type { PresenceList } from './presence-list.ts';

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
