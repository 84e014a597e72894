/** A browser wallet that has announced itself. `icon` is a `data:image/…` address or empty. */
export interface WalletChoice {
  id: string;
  name: string;
  icon: string;
}

/** The chain that a page is about. */
export interface WalletChain {
  id: number;
  name: string;
  /** Offered to a wallet that does not know the chain. */
  rpcUrl?: string | null;
  explorerUrl?: string | null;
}

/** EIP-1193. */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
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

const legacyId = 'injected';
/** How long wallets are given to announce themselves before the older `window.ethereum` is looked at. */
const announceMs = 250;

/**
 * Looks for browser wallets: EIP-6963 announcements, else the injected EIP-1193 provider. `onChange` is called with the whole list
 * whenever it grows.
 */
export function discoverWallets(onChange: (wallets: WalletChoice[]) => void): {
  provider(id: string): Provider | null;
} {
  const found = new Map<string, { choice: WalletChoice; provider: Provider }>();
  const tell = () => onChange([...found.values()].map((entry) => entry.choice));
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (!info?.uuid || !provider || found.has(info.uuid)) return;
    found.delete(legacyId);
    const icon = /^data:image\//.test(info.icon) ? info.icon : '';
    found.set(info.uuid, { choice: { id: info.uuid, name: info.name, icon }, provider });
    tell();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const lookForLegacy = () => {
    if (found.size > 0 || !window.ethereum) return;
    found.set(legacyId, { choice: { id: legacyId, name: 'browser wallet', icon: '' }, provider: window.ethereum });
    tell();
  };
  window.addEventListener('ethereum#initialized', lookForLegacy, { once: true });
  setTimeout(lookForLegacy, announceMs);
  return { provider: (id) => found.get(id)?.provider ?? null };
}

/** The number that a wallet gives its error, through the wrapper that some put around it; 0 where there is none. */
export function errorCode(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } };
  return data?.originalError?.code ?? code ?? 0;
}

async function useChain(provider: Provider, chain: WalletChain): Promise<void> {
  const chainId = `0x${chain.id.toString(16)}`;
  const current = await provider.request({ method: 'eth_chainId' });
  if (Number(current) === chain.id) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  } catch (error) {
    // 4902: the wallet does not know the chain. Anything else is for the buyer to read.
    if (errorCode(error) !== 4902 || !chain.rpcUrl) throw error;
    const known = {
      chainId,
      chainName: chain.name,
      rpcUrls: [chain.rpcUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      ...(chain.explorerUrl ? { blockExplorerUrls: [chain.explorerUrl] } : {}),
    };
    await provider.request({ method: 'wallet_addEthereumChain', params: [known] });
    // Some wallets add without switching; asking again where it did switch is a no-op.
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  }
}

/** Connects and changes to the right chain; the account that is to be used, as the wallet writes it. */
export async function connectWallet(
  provider: Provider,
  chain: WalletChain,
  onStep: (step: 'connect' | 'switch') => void,
): Promise<string> {
  onStep('connect');
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const from = accounts[0];
  if (!from) throw new Error('no account');
  onStep('switch');
  await useChain(provider, chain);
  return from;
}
