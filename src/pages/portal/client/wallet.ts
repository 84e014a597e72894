import { walletFailure } from '../../../onramp/failure-sources.ts';
import type { FailureCode } from '../../../receipts/failures.ts';
import type { WalletChoice } from '../stage.ts';
import type { PortalChain, PortalQuote, PortalToken } from '../view.ts';

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

function word(hexDigits: string): string {
  return hexDigits.toLowerCase().padStart(64, '0');
}

/** Calldata of ERC-20 `transfer(address,uint256)`; `amount` in base units. */
export function transferData(to: string, amount: string): string {
  return `0xa9059cbb${word(to.slice(2))}${word(BigInt(amount).toString(16))}`;
}

/** The transaction that pays the quote: a token transfer, or the chain's own coin where the token has no contract. */
export function paymentTransaction(from: string, quote: PortalQuote, token: PortalToken): Record<string, string> {
  if (token.address) return { from, to: token.address, value: '0x0', data: transferData(quote.payTo, quote.amount) };
  return { from, to: quote.payTo, value: `0x${BigInt(quote.amount).toString(16)}` };
}

function errorCode(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } };
  return data?.originalError?.code ?? code ?? 0;
}

async function useChain(provider: Provider, chain: PortalChain): Promise<void> {
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

export interface WalletPayment {
  provider: Provider;
  quote: PortalQuote;
  token: PortalToken;
  chain: PortalChain;
  onStep(step: 'connect' | 'switch' | 'confirm'): void;
}

/** Connects, changes to the right chain and asks the wallet to send exactly what is quoted. Answers the transaction's hash. */
export async function payWithWallet({ provider, quote, token, chain, onStep }: WalletPayment): Promise<string> {
  onStep('connect');
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const from = accounts[0];
  if (!from) throw new Error('no account');
  onStep('switch');
  await useChain(provider, chain);
  onStep('confirm');
  const params = [paymentTransaction(from, quote, token)];
  return (await provider.request({ method: 'eth_sendTransaction', params })) as string;
}

/** What a wallet's failure means for the buyer, in a sentence or two. */
const PROBLEMS: Readonly<Partial<Record<FailureCode, string>>> = {
  PORTAL_CHAIN_USER_REJECTED:
    'You declined the request in your wallet. Nothing was sent; you can try again whenever you like.',
  PORTAL_CHAIN_INSUFFICIENT_BALANCE:
    'There is not enough in this wallet for the amount and the network fee. Nothing was sent.',
  PORTAL_CHAIN_SLIPPAGE_EXCEEDED:
    'The price has moved too far meanwhile. Nothing was sent; try again with a new price.',
  PORTAL_CHAIN_TX_REVERTED: 'The network would refuse this payment, so your wallet did not send it. Nothing was taken.',
  PORTAL_CHAIN_WALLET_MISMATCH:
    'Your wallet has not allowed this page to use that account. Connect it again, and choose the account to pay from.',
};

/** What a browser may say of a wallet's failure by itself; the rest is for the chain to say. */
const REPORTABLE: readonly FailureCode[] = [
  'PORTAL_CHAIN_USER_REJECTED',
  'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  'PORTAL_CHAIN_WALLET_MISMATCH',
];

const failureOf = (error: unknown): FailureCode | null =>
  walletFailure(errorCode(error), String((error as { message?: string } | null)?.message ?? ''));

/** The failure code that the merchant hears for a wallet's error; null where it is none of the payment's. */
export function reportableFailure(error: unknown): FailureCode | null {
  const code = failureOf(error);
  return code && REPORTABLE.includes(code) ? code : null;
}

/** What a wallet's error means for the buyer, in a sentence or two. */
export function walletProblem(error: unknown, chainName: string): string {
  const number = errorCode(error);
  if (number === -32002) return 'Your wallet is already asking you something. Open it and answer there first.';
  if (number === 4902)
    return `Your wallet does not know the network ${chainName}. Add it there, or use the address below.`;
  if ((error as { message?: string } | null)?.message === 'no account') {
    return 'Your wallet shared no account. Unlock it and try again.';
  }
  const told = PROBLEMS[failureOf(error) ?? 'PORTAL_SYS_GENERIC_FAILURE'];
  return told ?? 'Your wallet could not send the payment. Nothing was taken; try again, or use the address below.';
}
