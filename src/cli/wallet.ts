import { PLATFORM } from '../audit/audit-entry.entity.ts';
import { refuse } from '../core/errors.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';

/** Parses a wallet from the command line. */
export function walletOf(text: string): Wallet {
  const wallet = parseWallet(text);
  if (!wallet) throw refuse('invalid_wallet');
  return wallet;
}

/** The owner of an audit log: a merchant's wallet, or `platform`. */
export const ownerOf = (text: string): Wallet => (text === PLATFORM ? PLATFORM : walletOf(text));
