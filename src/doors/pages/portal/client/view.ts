import type { Words } from '../../../../base/core/messages/fill.ts';
import { createDrawer } from '../../client/draw.ts';
import { pageWords } from '../../client/page.ts';
import { formatRemaining } from '../../shared/amounts.ts';
import { type Html, trusted } from '../../shared/html.ts';
import { renderStage } from '../panels.ts';
import {
  announcement,
  idleUi,
  phaseOf,
  type Say,
  type StageModel,
  type StageUi,
  stageName,
  totalLabel,
} from '../stage.ts';
import type { PortalQuote } from '../view.ts';

/** What the page carries for its script. */
interface PortalSettings {
  readonly model: StageModel;
  readonly graphqlUrl: string;
  readonly websocketUrl: string;
}

/** The settings of a page; see `renderPortalPage`. */
export const settingsIn = (portal: HTMLElement): PortalSettings => JSON.parse(portal.dataset.portal ?? '{}');

/** The state of the open page, and its drawing. */
export interface PortalPage {
  readonly say: Say;
  readonly sayWallet: Words<'wallet'>;
  readonly model: StageModel;
  readonly ui: StageUi;
  /** The current time by the server's clock. */
  now(): number;
  /** Changes the state of the interface and draws the page. */
  draw(change?: Partial<StageUi>): void;
  /** Replaces the receipt. The next `draw` shows it. */
  setReceipt(receipt: StageModel['receipt']): void;
  /** Lists the tokens of a chain before the others. The next `draw` shows them. */
  putFirst(chainId: number): void;
  /** Replaces the quote and its QR code. The next `draw` shows them. */
  setQuote(quote: PortalQuote, qr: string, tokenId: string): void;
}

/** Creates the state of a page from the model that the server rendered, and counts its price down every second. */
export function createPage(root: HTMLElement, initial: StageModel): PortalPage {
  const [say, sayWallet] = [pageWords('payment'), pageWords('wallet')];
  let model = initial;
  let ui: StageUi = { ...idleUi, script: true };
  let qr = trustedQr(root);
  // The server's clock decides when a price expires; the buyer's may be wrong.
  const clockSkewMs = model.now - Date.now();
  const now = () => Date.now() + clockSkewMs;
  const render = createRenderer(say, root, document.title);

  const draw = (change: Partial<StageUi> = {}) => {
    ui = { ...ui, ...change };
    model = { ...model, now: now() };
    render(model, ui, qr);
  };

  setInterval(() => {
    const before = phaseOf(model);
    model = { ...model, now: now() };
    if (phaseOf(model) !== before) draw();
    else tickCountdown(root, model.now);
  }, 1000);

  return {
    say,
    sayWallet,
    get model() {
      return model;
    },
    get ui() {
      return ui;
    },
    now,
    draw,
    setReceipt(receipt) {
      model = { ...model, receipt };
    },
    putFirst(chainId) {
      const isThere = ({ chain }: StageModel['tokens'][number]) => Number(chain?.id === chainId);
      model = { ...model, tokens: [...model.tokens].sort((a, b) => isThere(b) - isThere(a)) };
    },
    setQuote(quote, markup, tokenId) {
      const { chain = model.chain } = model.tokens.find(({ id }) => id === tokenId) ?? {};
      const moved = model.quote !== null && model.quote.payTo.toLowerCase() !== quote.payTo.toLowerCase();
      model = { ...model, quote, tokenId, chain, addressChanged: model.addressChanged || moved };
      qr = readSvg(say, markup);
    },
  };
}

/** The QR code that the server rendered, used until another quote replaces it. */
function trustedQr(root: HTMLElement): Html | null {
  const drawn = root.querySelector('.qr svg');
  return drawn ? trusted(drawn.outerHTML) : null;
}

/** Parses the SVG of a QR code; null if it is not an SVG. */
function readSvg(say: Say, markup: string): Html | null {
  const svg = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
  if (svg.nodeName.toLowerCase() !== 'svg') return null;
  for (const unwanted of svg.querySelectorAll('script, foreignObject')) unwanted.remove();
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', say('qr'));
  return trusted(svg.outerHTML);
}

/** Draws the stage into the page, with the total's label and the page title. */
function createRenderer(say: Say, root: HTMLElement, baseTitle: string) {
  const draw = createDrawer(root);

  return (model: StageModel, ui: StageUi, qr: Html | null): void => {
    const stage = stageName(model, ui);
    draw({ stage, markup: renderStage(say, model, ui, qr), announcement: announcement(say, model, stage) });
    const code = document.getElementById('address-code');
    if (code) code.hidden = code.dataset.address?.toLowerCase() !== model.quote?.payTo.toLowerCase();
    const label = document.getElementById('total-label');
    if (label) label.textContent = totalLabel(say, stage);
    const done = stage === 'paid' || stage === 'completed';
    document.title = done ? say('paidTitle', { title: baseTitle }) : baseTitle;
  };
}

/** Updates the remaining time of the price in place, without an announcement. */
function tickCountdown(root: ParentNode, now: number): void {
  for (const left of root.querySelectorAll<HTMLElement>('[data-expires]')) {
    left.textContent = formatRemaining(Number(left.dataset.expires) - now);
  }
}
