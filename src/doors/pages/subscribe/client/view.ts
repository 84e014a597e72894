import type { Words } from '../../../../base/core/messages/fill.ts';
import { announce, createDrawer } from '../../client/draw.ts';
import { pageWords } from '../../client/page.ts';
import { type Html, trusted } from '../../shared/html.ts';
import { renderStage } from '../panels.ts';
import {
  announcement,
  currentChain,
  idleUi,
  type Say,
  type SubscribeModel,
  type SubscribeUi,
  type SubscriptionView,
  stageName,
} from '../stage.ts';
import { explain } from './api.ts';

/** The state of the open page, and its drawing. */
export interface SubscribePage {
  readonly say: Say;
  readonly sayWallet: Words<'wallet'>;
  readonly model: SubscribeModel;
  readonly ui: SubscribeUi;
  /** Changes the state of the interface and draws the page. */
  draw(change?: Partial<SubscribeUi>): void;
  /** Shows and announces the current activity. */
  says(busy: string): void;
  /** Runs one action at a time, shows its activity, and shows its error. */
  doing(words: string, work: () => Promise<void>): Promise<void>;
  /** Sets the connected account and closes the list of wallets. The next `draw` shows it. */
  setAccount(account: string): void;
  /** Replaces the subscription. The next `draw` shows it. */
  setSubscription(subscription: SubscriptionView | null): void;
}

/** Creates the state of a page from the model that the server rendered. */
export function createPage(root: HTMLElement, initial: SubscribeModel): SubscribePage {
  const [say, sayWallet] = [pageWords('subscribe'), pageWords('wallet')];
  let model = initial;
  let ui: SubscribeUi = { ...idleUi, script: true };
  const clockSkewMs = model.now - Date.now();
  const qr = readQr();
  const show = createDrawer(root);

  const draw = (change: Partial<SubscribeUi> = {}) => {
    ui = { ...ui, ...change };
    model = { ...model, now: Date.now() + clockSkewMs };
    const stage = stageName(model, ui);
    show({ stage, markup: renderStage(say, model, ui, qr), announcement: announcement(say, model, stage) });
  };

  return {
    say,
    sayWallet,
    get model() {
      return model;
    },
    get ui() {
      return ui;
    },
    draw,
    says(busy) {
      draw({ busy });
      announce(busy);
    },
    async doing(words, work) {
      if (ui.busy) return;
      draw({ busy: words, problem: null });
      announce(words);
      try {
        await work();
        draw({ busy: null });
      } catch (error) {
        draw({ busy: null, problem: explain(say, sayWallet, error, currentChain(model, ui)?.name) });
      }
    },
    setAccount(account) {
      ui = { ...ui, account, picking: false };
    },
    setSubscription(subscription) {
      model = { ...model, subscription };
    },
  };
}

/** The QR code of the page's URL, rendered by the server. */
function readQr(): Html | null {
  const drawn = document.querySelector<HTMLTemplateElement>('#page-qr');
  return drawn && trusted(drawn.innerHTML);
}
