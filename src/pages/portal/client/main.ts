import { announce, focusOn, localTimes } from '../../client/draw.ts';
import { pageToken, problemText } from '../../client/graphql.ts';
import { readPageAgain } from '../../client/page.ts';
import { discoverWallets } from '../../client/wallet.ts';
import { type Html, trusted } from '../../html.ts';
import { idleUi, isPaid, quoteExpired, type StageModel, type StageUi, tellsOfUnmatched } from '../stage.ts';
import { hostOf, successAddress } from '../success.ts';
import type { PortalStatus } from '../view.ts';
import { createApi, type ReceiptNews } from './api.ts';
import { copyText } from './copy.ts';
import { offerEmail } from './email.ts';
import { createLeaving } from './leave.ts';
import { followReceipt, type StatusEvent } from './live.ts';
import { createRenderer, readSvg, tickCountdown } from './render.ts';
import { openScriptFrame } from './script-frame.ts';
import { payWithWallet, reportableFailure, walletProblem } from './wallet.ts';

interface PortalSettings {
  model: StageModel;
  graphqlUrl: string;
  websocketUrl: string;
}

const finalStatuses: readonly PortalStatus[] = ['completed', 'refunded'];

function start(portal: HTMLElement, root: HTMLElement): void {
  const settings = JSON.parse(portal.dataset.portal ?? '{}') as PortalSettings;
  let { model } = settings;
  let ui: StageUi = { ...idleUi, script: true };
  let qr: Html | null = trustedQr(root);
  // The server's clock decides when a price expires; the buyer's may be wrong.
  const clockSkewMs = model.now - Date.now();
  const now = () => Date.now() + clockSkewMs;
  const api = createApi(settings.graphqlUrl, model.receipt.receiptId, model.readOnly);
  const render = createRenderer(root, document.title);

  const draw = (change: Partial<StageUi> = {}) => {
    ui = { ...ui, ...change };
    model = { ...model, now: now() };
    render(model, ui, qr);
  };

  const leaving = createLeaving({
    receiptId: model.receipt.receiptId,
    merchant: model.merchantWallet,
    address: () => successAddress(model.receipt),
    show: (leavingIn) => draw({ leavingIn }),
  });

  let scriptOpened = false;
  /** Runs the shop's script after the receipt is paid, never before. */
  const runScript = async (): Promise<void> => {
    const holder = document.getElementById('from-shop');
    if (!holder || !model.scriptPath || scriptOpened) return;
    scriptOpened = true;
    try {
      openScriptFrame(holder, model.scriptPath, await api.readPublicFields());
    } catch {
      // The server is unavailable; the next event tries again.
      scriptOpened = false;
    }
  };

  /** Reacts to the receipt's current status. */
  const followUp = () => {
    const { status } = model.receipt;
    if (isPaid(model)) {
      void runScript();
      const to = successAddress(model.receipt);
      if (leaving.paid() && to)
        announce(
          `Payment confirmed. You are taken to ${hostOf(to)} in ${leaving.seconds()} seconds, unless you choose to stay.`,
        );
    } else {
      leaving.stop();
      if (status !== 'refunded') leaving.waiting();
    }
    if (status === 'completed') void adoptSettlement();
  };

  const takeNews = (news: ReceiptNews) => {
    const { receipt } = model;
    // Responses may arrive out of order; ignore older ones.
    if (news.seq < receipt.seq) return;
    const missingChanged = news.missing?.amount !== receipt.missing?.amount;
    const history =
      news.status === receipt.status ? receipt.history : [...receipt.history, { status: news.status, at: now() }];
    model = {
      ...model,
      receipt: {
        ...receipt,
        status: news.status,
        seq: Math.max(receipt.seq, news.seq),
        transactionHash: news.transactionHash,
        confirmations: news.confirmations ?? 0,
        confirmationsNeeded: news.confirmationsNeeded ?? receipt.confirmationsNeeded,
        missing: news.missing,
        paid: news.paid,
        failure: news.failure,
        cardSession: news.cardSession,
        history,
      },
    };
    // The sent payment was found or has failed: from here the receipt's status applies.
    const settled = news.status !== receipt.status && news.status !== 'pending' && news.status !== 'generated';
    // A failure that this page already shows stays in its place.
    draw(settled ? { sentHash: null, problem: news.status === 'failed' ? ui.problem : null } : {});
    followUp();
    if (missingChanged && news.missing) void requote(news.missing.token);
  };

  const refresh = async () => takeNews(await api.readReceipt());

  const onEvent = (event: StatusEvent) => {
    if (event.seq <= model.receipt.seq && event.status === model.receipt.status) return;
    if (tellsOfUnmatched({ ...event, name: event.tracking }))
      model = { ...model, receipt: { ...model.receipt, unmatched: true } };
    // A second attempt that fails like the first does not change the status, but it has ended.
    const ended = event.tracking === null && (event.status === 'failed' || event.status === 'tx_mismatch');
    void refresh()
      .catch(() => undefined)
      .then(() => ended && draw({ sentHash: null }));
  };

  const requote = async (token: string): Promise<void> => {
    draw({ quoting: token, problem: null });
    try {
      const { qr: markup, ...quote } = await api.quotePayment(token);
      // Keep the address from the page: it has a checksum, the one from the API does not.
      const known = model.quote?.payTo;
      const payTo = known && known.toLowerCase() === quote.payTo.toLowerCase() ? known : quote.payTo;
      model = { ...model, quote: { ...quote, payTo } };
      qr = readSvg(markup);
      draw({ quoting: null });
      announce(`Pay ${quote.display} ${quote.token}.`);
    } catch (error) {
      draw({ quoting: null, problem: problemText(error) });
    }
  };

  const payByCard = async (): Promise<void> => {
    draw({ openingCard: true, problem: null });
    void api.reportTracking('checkout_initialized');
    // Open the tab before the request: browsers block a tab that is opened after the response as a popup.
    const tab = model.card?.opensInNewTab ? window.open('about:blank', '_blank') : null;
    try {
      const { url } = await api.startCardCheckout();
      if (url && tab) tab.location.href = url;
      else if (url) return location.assign(url);
      else tab?.close();
      await refresh().catch(() => undefined);
      draw({ openingCard: false });
    } catch (error) {
      tab?.close();
      draw({ openingCard: false, problem: problemText(error) });
    }
  };

  const sendWith = async (send: () => Promise<string>, explain: (error: unknown) => string): Promise<void> => {
    try {
      const sentHash = await send();
      draw({ busy: null, picking: false, sentHash });
      // Only a hint: the payment is found without it, too.
      if (!model.readOnly) await api.submitTransaction(sentHash).catch(() => undefined);
      await refresh().catch(() => undefined);
    } catch (error) {
      draw({ busy: null, problem: explain(error) });
    }
  };

  const payFrom = (walletId: string) => {
    const provider = wallets.provider(walletId);
    const { quote, chain } = model;
    const token = model.tokens.find((entry) => entry.symbol === quote?.token);
    if (!provider || !quote || !token || ui.busy) return;
    const words = {
      connect: 'Connecting to your wallet…',
      switch: 'Choosing the network…',
      confirm: 'Confirm in your wallet',
    };
    void sendWith(
      () =>
        payWithWallet({
          provider,
          quote,
          token,
          chain,
          onStep: (step) => {
            draw({ busy: words[step], problem: null });
            announce(words[step]);
            if (step === 'switch') void api.reportTracking('buyer_logged_in');
            if (step === 'confirm') void api.reportTracking('checkout_initialized');
          },
        }),
      (error) => {
        const code = reportableFailure(error);
        if (code) void api.reportFailure(code);
        return walletProblem(error, chain.name);
      },
    );
  };

  const actions: Record<string, (target: HTMLElement) => boolean> = {
    'pay-wallet': () => {
      const [first] = ui.wallets;
      if (ui.wallets.length === 1 && first) payFrom(first.id);
      else draw({ picking: !ui.picking });
      return true;
    },
    'pay-test': () => {
      const token = model.quote?.token;
      if (!token || ui.busy) return true;
      draw({ busy: 'Paying from the test wallet…', problem: null });
      void api.reportTracking('checkout_initialized');
      void sendWith(() => api.payWithTestWallet(token), problemText);
      return true;
    },
    'pay-card': () => {
      if (!ui.busy && !ui.openingCard) void payByCard();
      return true;
    },
    requote: () => {
      if (!ui.quoting) void requote(model.quote?.token ?? '');
      return true;
    },
    'try-again': () => {
      if (!model.quote || quoteExpired(model)) void requote(model.quote?.token ?? firstOffered(model));
      return false;
    },
    unsend: () => {
      draw({ sentHash: null });
      return true;
    },
    'open-wallet': () => {
      void api.reportTracking('checkout_initialized');
      return false;
    },
    leave: () => {
      leaving.decide();
      return false;
    },
    stay: () => {
      leaving.decide();
      focusOn(document.getElementById('stage-title'));
      announce('You stay on this page.');
      return true;
    },
  };

  portal.addEventListener('click', (event) => {
    const target =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-action],[data-wallet],[data-copy]')
        : null;
    if (!target || target.getAttribute('aria-disabled') === 'true') return;
    const { action, wallet, copy, what } = target.dataset;
    if (copy !== undefined) void copyText(target, copy, what ?? 'text');
    else if (wallet !== undefined) payFrom(wallet);
    else if (action && actions[action]?.(target)) event.preventDefault();
  });

  root.addEventListener('change', (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'token') return;
    void api.reportTracking('checkout_initialized');
    void requote(event.target.value);
  });

  const wallets = discoverWallets((found) => draw({ wallets: found }));
  setInterval(() => {
    const wasExpired = quoteExpired(model);
    model = { ...model, now: now() };
    if (quoteExpired(model) !== wasExpired) draw();
    else tickCountdown(root, model.now);
  }, 1000);

  // Restored from the browser's back/forward cache: read the current state.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    draw({ openingCard: false });
    refresh().catch(() => undefined);
  });

  const form = document.querySelector<HTMLFormElement>('form#email');
  if (form) offerEmail(form, api.setBuyerEmail);

  localTimes(portal);
  draw();
  followUp();
  void api.reportTracking('link_opened');
  followReceipt({
    url: settings.websocketUrl,
    receiptId: model.receipt.receiptId,
    token: pageToken,
    afterSeq: model.receipt.seq,
    onEvent,
    poll: async () => {
      if (!finalStatuses.includes(model.receipt.status)) await refresh();
    },
    needsPolling: () =>
      model.receipt.status === 'tx_mined' || ui.sentHash !== null || model.receipt.cardSession !== null,
  });
}

/** Only the server renders the shares: after settlement the page copies them from a fresh version of itself. */
async function adoptSettlement(): Promise<void> {
  const shown = document.getElementById('settlement');
  if (!shown?.hidden) return;
  const page = await readPageAgain().catch(() => null);
  const fresh = page?.getElementById('settlement');
  if (fresh && !fresh.hidden && shown.hidden) shown.replaceWith(document.adoptNode(fresh));
}

function firstOffered(model: StageModel): string {
  return model.tokens.find((token) => token.offered)?.symbol ?? '';
}

/** The QR code that the server rendered, used until another quote replaces it. */
function trustedQr(root: HTMLElement): Html | null {
  const drawn = root.querySelector('.qr svg');
  return drawn ? trusted(drawn.outerHTML) : null;
}

const portal = document.getElementById('portal');
const stage = document.getElementById('stage');
if (portal && stage) {
  document.documentElement.classList.add('js');
  start(portal, stage);
}
