import type { Wallets } from '../../client/discover-wallets.ts';
import { connectAccount, type Provider, signTypedData, switchChain } from '../../client/wallet.ts';
import { currentChain, isRunning } from '../stage.ts';
import type { SubscribeApi } from './api.ts';
import type { SubscribePage } from './view.ts';

/** A connected wallet, with the account as the wallet writes it. */
export interface Connected {
  readonly provider: Provider;
  readonly account: string;
}

/** The customer's wallet. */
export interface CustomerWallet {
  /** The connected wallet; null before. */
  connected(): Connected | null;
  /** Connects a wallet of the list, then continues with the action that needed it. */
  connectTo(walletId: string): Promise<void>;
  /** Connects the only wallet, or opens the list. */
  connect(): void;
  /** Continues the requested action, after connecting a wallet if necessary. */
  withWallet(words: string, work: () => Promise<void>): void;
  /** Switches the wallet to the network of the subscription or of the chosen token. */
  useNetwork(): Promise<void>;
  /** Asks the wallet to sign EIP-712 data, on that network. */
  sign(typedData: unknown): Promise<string>;
}

/** Creates the customer's wallet. `preflight` runs once an account is known. */
export function createWallet(
  page: SubscribePage,
  api: SubscribeApi,
  wallets: Wallets,
  preflight: () => Promise<void>,
): CustomerWallet {
  let connected: Connected | null = null;
  /** The action to continue once a wallet is connected. */
  let after: (() => Promise<void>) | null = null;

  /** Shows the running subscription that this browser has made with the account. */
  const recall = async (account: string) => {
    const { subscription, plan } = page.model;
    const known = subscription ? null : remembered(plan.planId, account);
    const found = known === null ? null : await api.read(known).catch(() => null);
    // An ended subscription does not prevent a new one.
    if (found && isRunning(found)) page.setSubscription(found);
  };

  /** Chooses a token on the network that the wallet is on, unless the customer has chosen one. */
  const preferOwnNetwork = async (provider: Provider) => {
    if (page.model.subscription || page.ui.token !== null) return;
    const current = Number(await provider.request({ method: 'eth_chainId' }));
    const there = page.model.tokens.find(({ chainId }) => chainId === current);
    if (there) page.draw({ token: there.id });
  };

  /** Switches the wallet to the network of the subscription or of the chosen token. */
  const useNetworkOf = async (provider: Provider) => {
    const chain = currentChain(page.model, page.ui);
    if (!chain) return;
    page.says(page.sayWallet('choosing'));
    await switchChain(provider, chain);
  };

  const connectTo = (walletId: string) =>
    page.doing(page.sayWallet('connecting'), async () => {
      const provider = wallets.provider(walletId);
      if (!provider) return;
      const account = await connectAccount(provider);
      await preferOwnNetwork(provider);
      await useNetworkOf(provider);
      page.says(page.say('doing.check'));
      await recall(account);
      connected = { provider, account };
      // Drawn after the preflight: until then the page is busy, and a click would be ignored.
      page.setAccount(account);
      await preflight();
      const next = after;
      after = null;
      if (next) await next();
    });

  const connect = () => {
    const [first, ...others] = page.ui.wallets;
    if (first && others.length === 0) void connectTo(first.id);
    else page.draw({ picking: !page.ui.picking });
  };

  return {
    connected: () => connected,
    connectTo,
    connect,
    withWallet(words, work) {
      if (connected) return void page.doing(words, work);
      after = work;
      connect();
    },
    useNetwork: () => useNetworkOf(connected!.provider),
    async sign(typedData) {
      const { provider, account } = connected!;
      await useNetworkOf(provider);
      page.says(page.sayWallet('confirm'));
      return signTypedData(provider, account, typedData);
    },
  };
}

const keyOf = (planId: string, wallet: string): string => `subscription:${planId}:${wallet.toLowerCase()}`;

/** The subscription that this browser created for the wallet; null if there is none or no storage. */
function remembered(planId: string, wallet: string): string | null {
  try {
    return localStorage.getItem(keyOf(planId, wallet));
  } catch {
    return null;
  }
}

/** Stores a subscription's id in this browser and in the page's URL, so that the customer finds it again. */
export function remember(planId: string, wallet: string, subscriptionId: string): void {
  const query = new URLSearchParams(location.search);
  query.set('subscription', subscriptionId);
  history.replaceState(null, '', `?${query}`);
  try {
    localStorage.setItem(keyOf(planId, wallet), subscriptionId);
  } catch {
    // Without storage, the URL is enough.
  }
}
