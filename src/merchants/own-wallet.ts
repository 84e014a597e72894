import { forbid } from '../core/forbidden.ts';
import type { Wallet } from '../core/wallet.ts';

/** Requires that a `wallet` in a body is the caller's own merchant. Refuses any other with `forbidden`. */
export function requireOwnWallet(merchant: Wallet, wallet: Wallet | null | undefined): void {
  if (wallet != null && wallet !== merchant) throw forbid('wallet_not_own', 'wallet must be your own merchant wallet');
}
