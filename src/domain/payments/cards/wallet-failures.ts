import type { FailureCode } from '../../sales/receipts/failures.ts';

/** How a wallet reports a failed payment: an error number of EIP-1193 or JSON-RPC, or a text in the message. */
export interface WalletSources {
  readonly wallet?: readonly number[];
  readonly message?: RegExp;
}

/** The wallet part of the table in failure-sources.ts. It is a separate file because the payment page includes it. */
export const WALLET_SOURCES = {
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: {
    message: /insufficient (?:funds|balance)|exceeds (?:the )?balance|exceeds allowance|gas required exceeds/i,
  },
  PORTAL_CHAIN_USER_REJECTED: { wallet: [4001], message: /user (?:rejected|denied|cancell?ed)/i },
  PORTAL_CHAIN_SLIPPAGE_EXCEEDED: { message: /slippage|insufficient output amount|too little received/i },
  PORTAL_CHAIN_TX_REVERTED: { message: /execution reverted|transaction (?:was )?reverted/i },
  PORTAL_CHAIN_WALLET_MISMATCH: { wallet: [4100], message: /not been authorized|ownership/i },
} as const satisfies Partial<Record<FailureCode, WalletSources>>;

const entries = Object.entries(WALLET_SOURCES) as [FailureCode, WalletSources][];

/** The code for a wallet's error: matched by number first, then by message; null if neither matches. */
export function walletFailure(number: number, message: string): FailureCode | null {
  const found =
    entries.find(([, { wallet }]) => wallet?.includes(number)) ??
    entries.find(([, said]) => said.message?.test(message));
  return found?.[0] ?? null;
}
