import type { Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { toWallet } from '../../chain/address.ts';
import type { Wallet } from '../../core/wallet.ts';

/** A wallet whose transactions this server signs. Each wallet has its own nonces. */
export interface SigningWallet {
  /** `spender` charges subscriptions; `settlement` deploys splits and releases shares. */
  readonly role: 'spender' | 'settlement';
  readonly account: PrivateKeyAccount;
  /** The account's address. */
  readonly sender: Wallet;
}

/** The wallet of a private key, in a role. */
export function openWallet(role: SigningWallet['role'], privateKey: Hex): SigningWallet {
  const account = privateKeyToAccount(privateKey);
  return { role, account, sender: toWallet(account.address) };
}
