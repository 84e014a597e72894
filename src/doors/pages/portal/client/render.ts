import { createDrawer } from '../../client/draw.ts';
import { formatRemaining } from '../../shared/amounts.ts';
import { type Html, trusted } from '../../shared/html.ts';
import { renderStage } from '../panels.ts';
import { announcement, type StageModel, type StageUi, stageName, totalLabel } from '../stage.ts';

/** Parses the SVG of a QR code; null if it is not an SVG. */
export function readSvg(markup: string): Html | null {
  const svg = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
  if (svg.nodeName.toLowerCase() !== 'svg') return null;
  for (const unwanted of svg.querySelectorAll('script, foreignObject')) unwanted.remove();
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'QR code of the payment request');
  return trusted(svg.outerHTML);
}

/** Draws the stage into the page, with the total's label and the page title. */
export function createRenderer(root: HTMLElement, baseTitle: string) {
  const draw = createDrawer(root);

  return (model: StageModel, ui: StageUi, qr: Html | null): void => {
    const stage = stageName(model, ui);
    draw({ stage, markup: renderStage(model, ui, qr), announcement: announcement(model, stage) });
    const code = document.getElementById('address-code');
    if (code) code.hidden = code.dataset.address?.toLowerCase() !== model.quote?.payTo.toLowerCase();
    const label = document.getElementById('total-label');
    if (label) label.textContent = totalLabel(stage);
    const done = stage === 'paid' || stage === 'completed';
    document.title = done ? `Paid · ${baseTitle}` : baseTitle;
  };
}

/** Updates the remaining time of the price in place, without an announcement. */
export function tickCountdown(root: ParentNode, now: number): void {
  for (const left of root.querySelectorAll<HTMLElement>('[data-expires]')) {
    left.textContent = formatRemaining(Number(left.dataset.expires) - now);
  }
}
