import { useEffect, useRef, useState } from 'preact/hooks';
import { discoverWallets, LEGACY_WALLET, type WalletChoice, type Wallets } from '../../client/discover-wallets.ts';
import type { Provider } from '../../client/wallet.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';

/** The id of the demo merchant's wallet. */
export const TEST_WALLET = 'test';

const REMEMBERED = 'console.wallet';

/** Remembers the wallet of the last sign-in, which sends refunds too. */
export const rememberWallet = (id: string): void => localStorage.setItem(REMEMBERED, id);

/** The id of that wallet; null before the first sign-in. */
export const rememberedWallet = (): string | null => localStorage.getItem(REMEMBERED);

/** The demo merchant's wallet of a local chain, which the server stands in for. */
function testWallet(url: string): Provider {
  return {
    async request(call) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      const { result, error } = (await answer.json()) as { result: unknown; error?: { message: string } };
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
  };
}

/** The wallets of this browser. On a local chain the demo merchant's wallet is one of them. */
export interface FoundWallets extends Wallets {
  readonly choices: readonly WalletChoice[];
}

/** A wallet that does not announce itself has no name of its own. */
const withOwnName = (choice: WalletChoice): WalletChoice =>
  choice.id === LEGACY_WALLET ? { ...choice, name: words.signIn.browserWallet } : choice;

/** The wallets of this browser, as they announce themselves. */
export function useWallets({ testWalletUrl }: ConsoleSettings): FoundWallets {
  const [choices, setChoices] = useState<readonly WalletChoice[]>([]);
  const found = useRef<Wallets | null>(null);
  useEffect(() => {
    found.current = discoverWallets((all) => setChoices(all.map(withOwnName)));
  }, []);
  return {
    choices: testWalletUrl ? [{ id: TEST_WALLET, name: words.signIn.testWallet, icon: '' }, ...choices] : choices,
    provider: (id) =>
      id === TEST_WALLET && testWalletUrl ? testWallet(testWalletUrl) : (found.current?.provider(id) ?? null),
  };
}

/** The wallet of the last sign-in if it is here, else the only one there is; null if the choice is open. */
export function usualWallet({ choices, provider }: FoundWallets): Provider | null {
  const last = rememberedWallet();
  const [only, second] = choices;
  return (last !== null ? provider(last) : null) ?? (only && !second ? provider(only.id) : null);
}
