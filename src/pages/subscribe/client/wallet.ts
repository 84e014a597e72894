import type { Wallets } from '../../client/discover-wallets.ts';
import { connectWallet, type Provider, signTypedData } from '../../client/wallet.ts';
import { isRunning } from '../stage.ts';
import type { SubscribeApi } from './api.ts';
import { remembered } from './remember.ts';
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
  /** Asks the wallet to sign EIP-712 data. */
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

  const connectTo = (walletId: string) =>
    page.doing('Connecting to your wallet…', async () => {
      const provider = wallets.provider(walletId);
      if (!provider) return;
      const account = await connectWallet(provider, page.model.chain, (step) => {
        if (step === 'switch') page.says('Choosing the network…');
      });
      page.says('Checking your wallet…');
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
    sign(typedData) {
      page.says('Sign in your wallet…');
      const { provider, account } = connected!;
      return signTypedData(provider, account, typedData);
    },
  };
}
