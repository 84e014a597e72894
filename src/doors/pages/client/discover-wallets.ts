import type { Provider } from './wallet.ts';

/** A browser wallet that has announced itself. `icon` is a `data:image/…` address or empty. */
export interface WalletChoice {
  id: string;
  name: string;
  icon: string;
}

interface Announcement {
  info: { uuid: string; name: string; icon: string; rdns: string };
  provider: Provider;
}

declare global {
  interface Window {
    ethereum?: Provider;
  }
}

/** The browser's wallets. */
export interface Wallets {
  provider(id: string): Provider | null;
}

/** The id of a wallet that has not named itself. */
export const LEGACY_WALLET = 'injected';
/** When to look again for the older `window.ethereum`: a wallet may be injected late. An announcement replaces it. */
const announceMs = 250;

/**
 * Looks for browser wallets: EIP-6963 announcements, else the injected EIP-1193 provider. `onChange` is called with the
 * whole list whenever it grows.
 */
export function discoverWallets(onChange: (wallets: WalletChoice[]) => void): Wallets {
  const found = new Map<string, { choice: WalletChoice; provider: Provider }>();
  const tell = () => onChange([...found.values()].map((entry) => entry.choice));
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (!info?.uuid || !provider || found.has(info.uuid)) return;
    found.delete(LEGACY_WALLET);
    const icon = /^data:image\//.test(info.icon) ? info.icon : '';
    found.set(info.uuid, { choice: { id: info.uuid, name: info.name, icon }, provider });
    tell();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const lookForLegacy = () => {
    if (found.size > 0 || !window.ethereum) return;
    found.set(LEGACY_WALLET, {
      choice: { id: LEGACY_WALLET, name: 'browser wallet', icon: '' },
      provider: window.ethereum,
    });
    tell();
  };
  window.addEventListener('ethereum#initialized', lookForLegacy, { once: true });
  lookForLegacy();
  setTimeout(lookForLegacy, announceMs);
  return { provider: (id) => found.get(id)?.provider ?? null };
}
