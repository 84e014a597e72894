import { toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { toWallet } from '../../../src/base/chain/address.ts';
import type { LocalAccount } from '../../../src/base/chain/local-accounts.ts';
import { TEST_MNEMONIC } from '../../../src/base/core/local-chains.ts';

/** Wallets beside those of the local chain, the same ones in every picture. They have no coins. */
export function walletOf(nth: number): LocalAccount {
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 5 + nth });
  return { address: toWallet(account.address), privateKey: toHex(account.getHdKey().privateKey!) };
}

/** The wallet of the operator, who has no shop. */
export const OPERATOR = walletOf(60);
