import { clockText, momentText } from '../shared/dates.ts';
import { type Html, toMarkup } from '../shared/html.ts';
import { morphChildren } from './morph.ts';
import { pageLanguage } from './page.ts';

/** Replaces UTC times with the reader's own time zone. */
export function localTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const write = time.dataset.local === 'clock' ? clockText : momentText;
    time.textContent = write(Date.parse(time.dateTime), undefined, pageLanguage());
  }
}

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}

/** Moves the focus to the element without scrolling. */
export function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** The changing part of a page, in its current state. */
export interface Drawing {
  /** The name of the page's state. */
  stage: string;
  markup: Html;
  /** Announced to screen readers when the state is entered. */
  announcement: string;
}

/**
 * Draws the stage into the page; call it again for each change. A new state is announced and, if the focus was inside
 * the stage, focused. If the focused element disappears, the focus moves to the button that shows the current activity,
 * else to the title.
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
