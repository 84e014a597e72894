import { type Html, trusted } from '../../shared/html.ts';
import { idleUi, phaseOf, type StageModel, type StageUi } from '../stage.ts';
import type { PortalQuote } from '../view.ts';
import { createRenderer, readSvg, tickCountdown } from './render.ts';

/** The state of the open page, and its drawing. */
export interface PortalPage {
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
  let model = initial;
  let ui: StageUi = { ...idleUi, script: true };
  let qr = trustedQr(root);
  // The server's clock decides when a price expires; the buyer's may be wrong.
  const clockSkewMs = model.now - Date.now();
  const now = () => Date.now() + clockSkewMs;
  const render = createRenderer(root, document.title);

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
      qr = readSvg(markup);
    },
  };
}

/** The QR code that the server rendered, used until another quote replaces it. */
function trustedQr(root: HTMLElement): Html | null {
  const drawn = root.querySelector('.qr svg');
  return drawn ? trusted(drawn.outerHTML) : null;
}
