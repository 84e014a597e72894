import { refuse } from '../../base/core/errors.ts';
import { parseWallet, type Wallet } from '../../base/core/wallet.ts';
import { PLATFORM } from '../../base/records/audit/audit-entry.entity.ts';

/** Parses a wallet from the command line. */
export function walletOf(text: string): Wallet {
  const wallet = parseWallet(text);
  if (!wallet) throw refuse('invalid_wallet');
  return wallet;
}

/** The owner of an audit log: a merchant's wallet, or `platform`. */
export const ownerOf = (text: string): Wallet => (text === PLATFORM ? PLATFORM : walletOf(text));
