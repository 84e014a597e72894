import english from '../../../base/core/messages/wallet/en.json' with { type: 'json' };

/** The chain that a page is about. */
export interface WalletChain {
  id: number;
  name: string;
  /** For wallets that must add the chain first. */
  rpcUrl?: string | null;
  explorerUrl?: string | null;
}

/** EIP-1193. */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** The code of a wallet's error, also if the wallet wraps the error; 0 if it has none. */
export function errorCode(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: number; data?: { originalError?: { code?: number } } };
  return data?.originalError?.code ?? code ?? 0;
}

/** The wallet has a pending request. */
const BUSY = -32002;
/** The wallet does not know the chain. */
const UNKNOWN_CHAIN = 4902;
/** Declined, or not answered yet. */
const ANSWERED: readonly number[] = [4001, BUSY];

/** The message for a connection error of a wallet; null for errors that the page must explain itself. */
export function connectFault(error: unknown): 'waiting' | 'elsewhere' | 'noAccount' | null {
  const code = errorCode(error);
  if (code === BUSY) return 'waiting';
  if (code === UNKNOWN_CHAIN) return 'elsewhere';
  return (error as { message?: string } | null)?.message === 'no account' ? 'noAccount' : null;
}

/** The same in English, for pages that are in English only. */
export function connectProblem(error: unknown, chainName: string): string | null {
  const fault = connectFault(error);
  return fault && english[fault].replace('{chain}', chainName);
}

const hex = (value: number): string => `0x${value.toString(16)}`;

const isOn = async (provider: Provider, chainId: number): Promise<boolean> =>
  Number(await provider.request({ method: 'eth_chainId' })) === chainId;

const onAnotherNetwork = (): Error => Object.assign(new Error('another network'), { code: UNKNOWN_CHAIN });

/** Some wallets change their chain a moment after they have answered. */
const CHANGE_LOOKS = 30;
const CHANGE_LOOK_MS = 100;

/** Waits a moment until a wallet is on a chain. Throws if it is not. */
async function arrivesOn(provider: Provider, chainId: number): Promise<void> {
  for (let looks = 0; !(await isOn(provider, chainId)); looks++) {
    if (looks >= CHANGE_LOOKS) throw onAnotherNetwork();
    await new Promise((resolve) => setTimeout(resolve, CHANGE_LOOK_MS));
  }
}

/**
 * Switches a wallet to a chain, and adds the chain to it if it is a local one that the wallet does not know. The
 * wallet's answer is not believed: its chain is read again.
 */
export async function switchChain(provider: Provider, chain: WalletChain): Promise<void> {
  const chainId = hex(chain.id);
  if (await isOn(provider, chain.id)) return;
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  try {
    await change().catch(async (error: unknown) => {
      if (errorCode(error) !== UNKNOWN_CHAIN || !chain.rpcUrl) throw error;
      const known = {
        chainId,
        chainName: chain.name,
        rpcUrls: [chain.rpcUrl],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        ...(chain.explorerUrl ? { blockExplorerUrls: [chain.explorerUrl] } : {}),
      };
      await provider.request({ method: 'wallet_addEthereumChain', params: [known] });
      // Some wallets add a chain without switching to it. Switching again is a no-op.
      await change();
    });
  } catch (error) {
    // Errors from the user's own answer are reported unchanged; any other error means that the wallet stays on another
    // network.
    if (ANSWERED.includes(errorCode(error))) throw error;
    throw onAnotherNetwork();
  }
  await arrivesOn(provider, chain.id);
}

/** A transaction as a page asks a wallet for it. */
export interface WalletTransaction {
  readonly from: string;
  readonly to: string;
  /** Hex, in wei. */
  readonly value: string;
  readonly data?: string;
}

/**
 * Asks a wallet to send a transaction on a chain that it was switched to, and returns the hash. The chain is read again
 * before, because the user may have changed it, and is part of the transaction. This is the only place that asks a
 * wallet to send one.
 */
export async function sendTransaction(
  provider: Provider,
  chainId: number,
  transaction: WalletTransaction,
): Promise<string> {
  await requireChain(provider, chainId);
  const params = [{ ...transaction, chainId: hex(chainId) }];
  return (await provider.request({ method: 'eth_sendTransaction', params })) as string;
}

/** Throws unless a wallet is on a chain now. */
export async function requireChain(provider: Provider, chainId: number): Promise<void> {
  if (!(await isOn(provider, chainId))) throw onAnotherNetwork();
}

/** Connects and switches to the right chain. Returns the account as the wallet writes it. */
export async function connectWallet(
  provider: Provider,
  chain: WalletChain,
  onStep: (step: 'connect' | 'switch') => void,
): Promise<string> {
  onStep('connect');
  const from = await connectAccount(provider);
  onStep('switch');
  await switchChain(provider, chain);
  return from;
}

/** Connects a wallet. Returns its account as the wallet writes it. */
export async function connectAccount(provider: Provider): Promise<string> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!account) throw new Error('no account');
  return account;
}

/** Asks the wallet to sign EIP-712 data with a connected account. Returns the signature. */
export const signTypedData = (provider: Provider, account: string, typedData: unknown): Promise<string> =>
  provider.request({
    method: 'eth_signTypedData_v4',
    params: [account, JSON.stringify(typedData)],
  }) as Promise<string>;
