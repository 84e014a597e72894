import { discoverWallets } from '../../client/discover-wallets.ts';
import { focusOn } from '../../client/draw.ts';
import { isCharging, isRunning, type SubscribeModel } from '../stage.ts';
import { createApi, type SubscribeApi } from './api.ts';
import { cancel, createPreflight, find, fix, subscribe } from './subscription.ts';
import { createPage, type SubscribePage } from './view.ts';
import { type Connected, type CustomerWallet, createWallet } from './wallet.ts';

const lookMs = 4000;
/** While the first charge is on its way. */
const chargingLookMs = 1000;

interface SubscribeSettings {
  model: SubscribeModel;
  graphqlUrl: string;
}

function start(element: HTMLElement, root: HTMLElement): void {
  const { model, graphqlUrl } = JSON.parse(element.dataset.subscribe ?? '{}') as SubscribeSettings;
  const api = createApi(graphqlUrl, model.plan.planId);
  const page = createPage(root, model);
  const preflight = createPreflight(page, api, () => wallet.connected());
  const wallets = discoverWallets((found) => page.draw({ wallets: found }));
  const wallet: CustomerWallet = createWallet(page, api, wallets, preflight);
  listen(root, page, wallet, { api, graphqlUrl, preflight });
  page.draw();
  if (model.subscription?.status === 'past_due') void preflight().catch(() => undefined);
  void follow(page, api, preflight);
}

interface Parts {
  readonly api: SubscribeApi;
  readonly graphqlUrl: string;
  readonly preflight: () => Promise<void>;
}

/** The actions by the name in `data-action`. */
function actionsOf(
  page: SubscribePage,
  wallet: CustomerWallet,
  { api, graphqlUrl, preflight }: Parts,
): Record<string, () => void> {
  const { withWallet } = wallet;
  /** An action of the connected wallet. */
  const connected = (work: (found: Connected) => Promise<void>) => async () => {
    const found = wallet.connected();
    if (found) await work(found);
  };
  const findOwn = connected(async (found) => {
    if (page.model.subscription) return;
    await find(page, api, found, graphqlUrl);
    await preflight();
  });
  return {
    connect: wallet.connect,
    subscribe: () => withWallet('Preparing…', () => subscribe(page, api, wallet)),
    find: () => withWallet('Looking for your subscription…', findOwn),
    fix: () =>
      withWallet(
        'Confirm in your wallet…',
        connected((found) => fix(page, wallet, found, preflight)),
      ),
    recheck: () => withWallet('Checking your wallet…', preflight),
    'ask-cancel': () => {
      page.draw({ cancelling: true });
      focusOn(document.getElementById('cancel-title'));
    },
    keep: () => {
      page.draw({ cancelling: false, picking: false, problem: null });
      focusOn(document.getElementById('ask-cancel'));
    },
    cancel: () => withWallet('Preparing…', () => cancel(page, api, wallet)),
    again: () => {
      history.replaceState(null, '', location.pathname);
      page.setSubscription(null);
      page.draw({ problem: null });
      void page.doing('Checking your wallet…', preflight);
    },
  };
}

/** Connects the buttons, the wallets and the choice of token to their actions. */
function listen(root: HTMLElement, page: SubscribePage, wallet: CustomerWallet, parts: Parts): void {
  const actions = actionsOf(page, wallet, parts);
  root.addEventListener('click', (event) => {
    const target = (event.target as Element).closest<HTMLElement>('[data-action], [data-wallet]');
    if (!target) return;
    if (target instanceof HTMLAnchorElement) event.preventDefault();
    if (target.dataset.wallet) void wallet.connectTo(target.dataset.wallet);
    else actions[target.dataset.action ?? '']?.();
  });
  root.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'email') page.ui.email = target.value;
  });
  root.addEventListener('change', (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.name !== 'token') return;
    page.draw({ token: event.target.value });
    void page.doing('Checking your wallet…', parts.preflight);
  });
}

/**
 * Reads a running subscription again and again, and shows it. If the server is unreachable, the next look tries again.
 */
async function follow(page: SubscribePage, api: SubscribeApi, preflight: () => Promise<void>): Promise<never> {
  let lookedAt = Date.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, chargingLookMs));
    const { subscription } = page.model;
    const everyMs = subscription && isCharging(subscription) ? chargingLookMs : lookMs;
    if (Date.now() - lookedAt < everyMs) continue;
    lookedAt = Date.now();
    await look(page, api, preflight).catch(() => undefined);
  }
}

async function look(page: SubscribePage, api: SubscribeApi, preflight: () => Promise<void>): Promise<void> {
  const { subscription } = page.model;
  if (document.hidden || page.ui.busy || !subscription || !isRunning(subscription)) return;
  const fresh = await api.read(subscription.subscriptionId);
  if (!fresh || page.ui.busy || page.model.subscription?.subscriptionId !== fresh.subscriptionId) return;
  page.setSubscription(fresh);
  page.draw();
  if (fresh.status === 'past_due' && subscription.status !== 'past_due') await preflight();
}

const page = document.getElementById('plan');
const stage = document.getElementById('stage');
if (page && stage) {
  document.documentElement.classList.add('js');
  start(page, stage);
}
