import { clockText, momentText } from '../dates.ts';
import { type Html, toMarkup } from '../html.ts';
import { morphChildren } from './morph.ts';

/** Writes times in the reader's own time zone in the place of UTC. */
export function localTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const write = time.dataset.local === 'clock' ? clockText : momentText;
    time.textContent = write(Date.parse(time.dateTime), undefined);
  }
}

/** Says something to a screen reader without moving its reader. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}

/** Goes on reading there, without scrolling. */
export function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** The part of a page that changes, as it is now. */
export interface Drawing {
  /** The state that the page is in. */
  stage: string;
  markup: Html;
  /** Said to a screen reader when the state is entered. */
  announcement: string;
}

/**
 * Draws the stage into the page, again and again; when another state is entered it is announced and, where focus was in it, focused. Focus is never lost
 * with what had it: it goes to the button that says what is going on, else to the title.
 */
export function createDrawer(root: HTMLElement): (drawing: Drawing) => void {
  let shown: string | null = null;

  return ({ stage, markup, announcement }) => {
    const template = document.createElement('template');
    template.innerHTML = toMarkup(markup);
    localTimes(template.content);
    const next = document.createElement('div');
    next.append(template.content);
    const hadFocus = root.contains(document.activeElement);
    morphChildren(root, next);
    const entered = shown !== null && shown !== stage;
    if (hadFocus && (entered || !root.contains(document.activeElement)))
      focusOn((!entered && root.querySelector('.button[aria-disabled="true"]')) || root.querySelector('#stage-title'));
    if (entered) {
      announce(announcement);
      root.scrollIntoView({ block: 'nearest', behavior: 'auto' });
    }
    shown = stage;
  };
}
