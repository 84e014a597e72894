import { isLocalChain } from '../core/local-chains.ts';
import type { Chain } from './client.ts';
import { type LocalRole, localAccount } from './local-accounts.ts';

/** A request of EIP-1193. */
export interface WalletRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer of a wallet: a result, or an error of EIP-1193. */
export type WalletAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Methods whose account is that of the role, whatever the request names; the others are refused. */
const SIGNING = ['eth_signTypedData_v4', 'eth_sendTransaction'] as const;

/**
 * Answers as the wallet of a role's account would. The local chain holds the keys of its accounts and signs. Refuses
 * any other chain.
 */
export async function askLocalWallet(chain: Chain, role: LocalRole, asked: WalletRequest): Promise<WalletAnswer> {
  if (!isLocalChain(chain.chainId)) throw new Error(`Test accounts are not allowed on chain ${chain.chainId}`);
  const { address } = localAccount(role);
  const { method, params } = asked;
  if (method === 'eth_requestAccounts' || method === 'eth_accounts') return { result: [address] };
  if (method === 'eth_chainId') return { result: `0x${chain.chainId.toString(16)}` };
  if (!(SIGNING as readonly string[]).includes(method))
    return { error: { code: 4200, message: `${method} is not supported` } };
  const own = method === 'eth_sendTransaction' ? [{ ...(params[0] as object), from: address }] : [address, params[1]];
  try {
    return { result: await chain.client.request({ method, params: own } as never) };
  } catch (error) {
    const {
      code = -32_603,
      shortMessage,
      message,
    } = error as { code?: number; shortMessage?: string; message: string };
    return { error: { code, message: shortMessage ?? message } };
  }
}
