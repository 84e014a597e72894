import { type Html, toMarkup } from '../shared/html.ts';
import { morphChildren } from './morph.ts';

/** One entry of a list. `key` identifies it; a change of `said` counts as a visible change of the entry. */
export interface Entry {
  readonly key: string;
  readonly markup: Html;
  readonly said: string;
}

const MOVE: KeyframeAnimationOptions = { duration: 420, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };
const COME: KeyframeAnimationOptions = { duration: 360, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };
const GO: KeyframeAnimationOptions = { duration: 240, easing: 'ease-in' };
/** Above this number of simultaneous changes the list does not animate. */
const MOST_MOVES = 40;

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Draws a list and updates only what differs. Added, moved, changed and removed entries are animated, unless there are
 * too many at once or the reader prefers reduced motion. The initial entries are those of the served page, identified
 * by `data-key`.
 *
 * @param adjust changes an entry's markup before it is drawn
 */
export function createMovingList(
  list: HTMLElement,
  adjust: (content: DocumentFragment) => void = () => {},
): (entries: readonly Entry[]) => void {
  const items = new Map<string, HTMLElement>();
  const saids = new Map<string, string>();
  for (const item of list.querySelectorAll<HTMLElement>(':scope > [data-key]')) items.set(item.dataset.key ?? '', item);

  return (entries) => {
    const wanted = new Set(entries.map(({ key }) => key));
    const gone = [...items].filter(([key]) => !wanted.has(key));
    const came = entries.filter(({ key }) => !items.has(key));
    const moving = !stillness.matches && !document.hidden && gone.length + came.length <= MOST_MOVES;
    const stood = new Map<HTMLElement, DOMRect>();
    if (moving) for (const item of items.values()) stood.set(item, item.getBoundingClientRect());
    for (const [key] of gone) {
      items.delete(key);
      saids.delete(key);
    }
    const leaving = gone.map(([, item]) => item);
    if (moving) leave(leaving);
    else for (const item of leaving) item.remove();

    let before: ChildNode | null = null;
    const fresh: HTMLElement[] = [];
    const changed: HTMLElement[] = [];
    for (const { key, markup, said } of entries) {
      const template = document.createElement('template');
      template.innerHTML = toMarkup(markup);
      adjust(template.content);
      const next = template.content.firstElementChild as HTMLElement;
      const item = items.get(key) ?? next;
      if (item === next) fresh.push(item);
      else {
        morphChildren(item, next);
        item.className = next.className;
        Object.assign(item.dataset, next.dataset);
        const known = saids.get(key);
        if (known !== undefined && known !== said) changed.push(item);
      }
      items.set(key, item);
      saids.set(key, said);
      const place: ChildNode | null = before ? before.nextSibling : list.firstChild;
      if (place !== item) list.insertBefore(item, place);
      before = item;
    }
    if (!moving) return;
    for (const [item, from] of stood) move(item, from);
    for (const item of fresh) item.animate(COMING, COME);
    for (const item of changed) mark(item);
  };
}

const COMING: Keyframe[] = [
  { opacity: 0, transform: 'translateY(10px) scale(0.96)' },
  { opacity: 1, transform: 'none' },
];

/**
 * Removes entries with an animation. They leave the layout flow in place, so that the others close the gap meanwhile.
 */
function leave(items: readonly HTMLElement[]): void {
  const places = items.map(({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) => ({
    left: `${offsetLeft}px`,
    top: `${offsetTop}px`,
    width: `${offsetWidth}px`,
    height: `${offsetHeight}px`,
  }));
  for (const [n, item] of items.entries()) {
    delete item.dataset.key;
    item.setAttribute('aria-hidden', 'true');
    item.inert = true;
    Object.assign(item.style, { ...places[n], position: 'absolute', zIndex: '-1' });
    const going = item.animate([{ opacity: 1 }, { opacity: 0, transform: 'scale(0.94)' }], GO);
    going.onfinish = () => item.remove();
  }
}

/** Animates an entry from the place where it stood. */
function move(item: HTMLElement, from: DOMRect): void {
  if (!item.isConnected || item.inert) return;
  const to = item.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (x !== 0 || y !== 0) item.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], MOVE);
}

/** Shows that an entry has changed. */
function mark(item: HTMLElement): void {
  item.classList.remove('changed');
  // Reading the layout restarts the animation.
  void item.offsetWidth;
  item.classList.add('changed');
}
