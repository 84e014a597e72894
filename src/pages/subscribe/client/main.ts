import { announce, createDrawer, focusOn } from '../../client/draw.ts';
import { mayBeSignedIn, readSession, signInAs, signOut } from '../../client/session.ts';
import { connectWallet, discoverWallets, type Provider } from '../../client/wallet.ts';
import { type Html, trusted } from '../../html.ts';
import { renderStage } from '../panels.ts';
import { announcement, idleUi, type SubscribeModel, type SubscribeUi, stageName } from '../stage.ts';
import { createApi } from './api.ts';
import { explain, PageProblem } from './problem.ts';
import { remember, remembered } from './remember.ts';

const lookMs = 4000;
const approvalLookMs = 1000;
const approvalLooks = 90;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The QR code of the page's URL, rendered by the server. */
function readQr(): Html | null {
  const drawn = document.querySelector<HTMLTemplateElement>('#page-qr');
  return drawn && trusted(drawn.innerHTML);
}

function start(page: HTMLElement, root: HTMLElement): void {
  const settings = JSON.parse(page.dataset.subscribe ?? '{}') as { model: SubscribeModel; graphqlUrl: string };
  let { model } = settings;
  const { planId, priceCents } = model.plan;
  let ui: SubscribeUi = { ...idleUi, script: true, token: model.tokens[0]?.symbol ?? null };
  let provider: Provider | null = null;
  /** The action to continue once a wallet is connected. */
  let after: (() => Promise<void>) | null = null;
  const clockSkewMs = model.now - Date.now();
  const api = createApi(settings.graphqlUrl, planId);
  const qr = readQr();
  const show = createDrawer(root);

  const draw = (change: Partial<SubscribeUi> = {}) => {
    ui = { ...ui, ...change };
    model = { ...model, now: Date.now() + clockSkewMs };
    const stage = stageName(model, ui);
    show({ stage, markup: renderStage(model, ui, qr), announcement: announcement(model, stage) });
  };

  /** Runs one action at a time, shows its activity, and shows its error. */
  const doing = async (words: string, work: () => Promise<void>): Promise<void> => {
    if (ui.busy) return;
    draw({ busy: words, problem: null });
    announce(words);
    try {
      await work();
      draw({ busy: null });
    } catch (error) {
      draw({ busy: null, problem: explain(error, model.chain.name) });
    }
  };

  const says = (busy: string) => {
    draw({ busy });
    announce(busy);
  };

  const preflight = async () => {
    const { subscription, plan } = model;
    if (!ui.account || !ui.token || !(subscription || plan.active)) return;
    const wallet = subscription?.customerWallet ?? ui.account;
    draw({ preflight: await api.preflight(wallet, ui.token, subscription?.subscriptionId ?? null) });
  };

  const connectTo = (walletId: string) =>
    doing('Connecting to your wallet…', async () => {
      provider = wallets.provider(walletId);
      if (!provider) return;
      const account = await connectWallet(provider, model.chain, (step) => {
        if (step === 'switch') says('Choosing the network…');
      });
      says('Checking your wallet…');
      const known = model.subscription ? null : remembered(planId, account);
      const found = known === null ? null : await api.read(known).catch(() => null);
      // An ended subscription does not prevent a new one.
      if (found?.status === 'active' || found?.status === 'past_due') model = { ...model, subscription: found };
      ui = { ...ui, account, picking: false };
      await preflight();
      const next = after;
      after = null;
      if (next) await next();
    });

  /** Continues the requested action, after connecting a wallet if necessary. */
  const withWallet = (words: string, work: () => Promise<void>): void => {
    const [first] = ui.wallets;
    if (provider && ui.account) void doing(words, work);
    else if (ui.wallets.length === 1 && first) {
      after = work;
      void connectTo(first.id);
    } else {
      after = work;
      draw({ picking: !ui.picking });
    }
  };

  const sign = (typedData: object): Promise<string> => {
    says('Sign in your wallet…');
    return provider!.request({
      method: 'eth_signTypedData_v4',
      params: [ui.account, JSON.stringify(typedData)],
    }) as Promise<string>;
  };

  const subscribe = async () => {
    const { account, token } = ui;
    if (!account || !token) return;
    const { permission, typedData } = await api.draft(account, token);
    const { decimals } = model.tokens.find(({ symbol }) => symbol === token)!;
    // The customer must sign exactly the price that the page shows.
    if (BigInt(permission.allowance) !== BigInt(priceCents) * 10n ** BigInt(decimals - 2))
      throw new PageProblem('The price of this plan has changed. Load the page again to see it.');
    const signature = await sign(typedData);
    says('Subscribing…');
    const subscription = await api.create(account, signature, permission);
    remember(planId, account, subscription.subscriptionId);
    model = { ...model, subscription };
  };

  /**
   * Finds the wallet's subscription, made in any browser. Only the wallet itself may read it, so it signs in for this
   * request.
   */
  const find = async () => {
    const { account } = ui;
    if (!account || !provider || model.subscription) return;
    const url = settings.graphqlUrl;
    const known = mayBeSignedIn() ? await readSession(url) : null;
    const isOwn = known?.wallet === account.toLowerCase();
    const session = isOwn ? null : await signInAs(url, { provider, account }, says);
    says('Looking for your subscription…');
    const found = await api.find(account).finally(() => session && signOut(url, session).catch(() => undefined));
    if (!found) throw new PageProblem('This wallet has no subscription to this plan.');
    remember(planId, account, found.subscriptionId);
    model = { ...model, subscription: found };
    await preflight();
  };

  /** Sends the transactions that remove the obstacle, and waits until they are on the chain. */
  const fix = async () => {
    const obstacle = ui.preflight?.obstacles.find(({ fix: { transactions } }) => transactions.length > 0);
    if (!obstacle || !provider || !ui.account) return;
    for (const { to, data } of obstacle.fix.transactions) {
      says('Confirm in your wallet…');
      await provider.request({ method: 'eth_sendTransaction', params: [{ from: ui.account, to, data, value: '0x0' }] });
    }
    says('Waiting for the network…');
    for (let look = 0; look < approvalLooks; look++) {
      await preflight();
      if (!ui.preflight?.obstacles.some(({ code }) => code === obstacle.code)) return;
      await pause(approvalLookMs);
    }
    throw new PageProblem('The network has not confirmed it yet. Check again in a minute.');
  };

  const cancel = async () => {
    const { subscription } = model;
    if (!subscription || !ui.account) return;
    const { subscriptionId, customerWallet } = subscription;
    if (ui.account.toLowerCase() !== customerWallet)
      throw new PageProblem(`Choose the wallet that has subscribed: ${customerWallet}.`);
    const { expiresAt, typedData } = await api.requestCancellation(subscriptionId);
    const signature = await sign(typedData);
    says('Cancelling…');
    const ended = await api.cancel({ subscriptionId, wallet: customerWallet, signature, expiresAt });
    model = { ...model, subscription: ended };
    draw({ cancelling: false });
  };

  const actions: Record<string, () => void> = {
    connect: () => {
      const [first] = ui.wallets;
      if (ui.wallets.length === 1 && first) void connectTo(first.id);
      else draw({ picking: !ui.picking });
    },
    subscribe: () => withWallet('Preparing…', subscribe),
    find: () => withWallet('Looking for your subscription…', find),
    fix: () => withWallet('Confirm in your wallet…', fix),
    recheck: () => withWallet('Checking your wallet…', preflight),
    'ask-cancel': () => {
      draw({ cancelling: true });
      focusOn(document.getElementById('cancel-title'));
    },
    keep: () => {
      draw({ cancelling: false, picking: false, problem: null });
      focusOn(document.getElementById('ask-cancel'));
    },
    cancel: () => withWallet('Preparing…', cancel),
    again: () => {
      history.replaceState(null, '', location.pathname);
      model = { ...model, subscription: null };
      draw({ problem: null });
      void doing('Checking your wallet…', preflight);
    },
  };

  root.addEventListener('click', (event) => {
    const target = (event.target as Element).closest<HTMLElement>('[data-action], [data-wallet]');
    if (!target) return;
    if (target instanceof HTMLAnchorElement) event.preventDefault();
    if (target.dataset.wallet) void connectTo(target.dataset.wallet);
    else actions[target.dataset.action ?? '']?.();
  });
  root.addEventListener('change', (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'token') return;
    draw({ token: event.target.value });
    void doing('Checking your wallet…', preflight);
  });

  const wallets = discoverWallets((found) => draw({ wallets: found }));
  setInterval(() => {
    const { subscription } = model;
    if (document.hidden || ui.busy || !subscription || !['active', 'past_due'].includes(subscription.status)) return;
    // If the server is unreachable, the next poll tries again.
    api.read(subscription.subscriptionId).then(
      (fresh) => {
        if (ui.busy || model.subscription?.subscriptionId !== fresh.subscriptionId) return;
        model = { ...model, subscription: fresh };
        draw();
      },
      () => undefined,
    );
  }, lookMs);
  draw();
}

const page = document.getElementById('plan');
const stage = document.getElementById('stage');
if (page && stage) {
  document.documentElement.classList.add('js');
  start(page, stage);
}
