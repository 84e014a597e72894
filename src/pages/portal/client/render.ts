import { type Html, toMarkup, trusted } from '../../html.ts';
import { formatRemaining } from '../amounts.ts';
import { renderStage } from '../panels.ts';
import { announcement, type StageModel, type StageName, type StageUi, stageName, totalLabel } from '../stage.ts';
import { morphChildren } from './morph.ts';

const localClock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Puts the buyer's own time in the place of UTC. */
function localTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const form = time.dataset.local === 'day' ? localDay : localClock;
    time.textContent = form.format(new Date(time.dateTime));
  }
}

/** Reads the SVG of a QR code as an image of its own kind; null where it is none. */
export function readSvg(markup: string): Html | null {
  const svg = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
  if (svg.nodeName.toLowerCase() !== 'svg') return null;
  for (const unwanted of svg.querySelectorAll('script, foreignObject')) unwanted.remove();
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'QR code of the payment request');
  return trusted(svg.outerHTML);
}

/** Says something to a screen reader without moving its reader. */
export function announce(text: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}

/** Draws the stage into the page, again and again; when another state is entered it is announced and, where focus was in it, focused. */
export function createRenderer(root: HTMLElement, baseTitle: string) {
  let shown: StageName | null = null;

  return (model: StageModel, ui: StageUi, qr: Html | null): void => {
    const entered = stageName(model, ui);
    const template = document.createElement('template');
    template.innerHTML = toMarkup(renderStage(model, ui, qr));
    localTimes(template.content);
    const next = document.createElement('div');
    next.append(template.content);
    const hadFocus = root.contains(document.activeElement);
    morphChildren(root, next);
    if (shown !== null && shown !== entered) {
      announce(announcement(model, entered));
      if (hadFocus) root.querySelector<HTMLElement>('#stage-title')?.focus({ preventScroll: true });
      root.scrollIntoView({ block: 'nearest', behavior: 'auto' });
    }
    const label = document.getElementById('total-label');
    if (label) label.textContent = totalLabel(entered);
    shown = entered;
    const done = entered === 'paid' || entered === 'completed';
    document.title = done ? `Paid · ${baseTitle}` : baseTitle;
  };
}

/** Counts down what the price is still held for; in place, and never announced. */
export function tickCountdown(root: ParentNode, now: number): void {
  for (const left of root.querySelectorAll<HTMLElement>('[data-expires]')) {
    left.textContent = formatRemaining(Number(left.dataset.expires) - now);
  }
}
