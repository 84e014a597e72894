import { privateKeyToAddress } from 'viem/accounts';
import { toWallet } from '../../chain/address.ts';
import { localAccount } from '../../chain/local-accounts.ts';
import { whyNoWallet } from '../../chain/public-accounts.ts';
import { isLocalChain } from '../../core/local-chains.ts';
import type { Wallet } from '../../core/wallet.ts';
import { faultLine } from './fault-line.ts';
import type { Given } from './given.ts';

/**
 * Adds a fault if one wallet has two roles, or the spender two wallets. Each role assigns the nonces of its wallet
 * separately: with one wallet, both would assign the same nonce.
 */
export function checkRoles(given: Given, chainId: number, faults: string[]): void {
  const local = isLocalChain(chainId);
  const settles = (
    given.SETTLEMENT_PRIVATE_KEY ?? (local ? localAccount('settlement').privateKey : null)
  )?.toLowerCase();
  const spends = (given.SPENDER_PRIVATE_KEY ?? (local ? localAccount('spender').privateKey : null))?.toLowerCase();
  if (settles !== undefined && settles === spends)
    faults.push(faultLine('SETTLEMENT_PRIVATE_KEY', 'must belong to a different wallet than SPENDER_PRIVATE_KEY'));
  if (given.SPENDER_ADDRESS !== undefined && given.SPENDER_PRIVATE_KEY !== undefined) {
    const address = toWallet(privateKeyToAddress(given.SPENDER_PRIVATE_KEY));
    if (given.SPENDER_ADDRESS !== address)
      faults.push(faultLine('SPENDER_ADDRESS', 'must be the wallet of SPENDER_PRIVATE_KEY', address));
  }
  const previous = (given.SPENDER_PREVIOUS_KEYS ?? []).map((key) => key.toLowerCase());
  if (previous.some((key) => key === settles || key === spends))
    faults.push(faultLine('SPENDER_PREVIOUS_KEYS', 'must not repeat SPENDER_PRIVATE_KEY or SETTLEMENT_PRIVATE_KEY'));
}

/** Adds a fault for each wallet or key that somebody else holds, or no one, where it is used on a public chain. */
export function checkWallets(given: Given, chainId: number, faults: string[]): void {
  if (isLocalChain(chainId)) return;
  const ofKeys = (...keys: readonly (`0x${string}` | undefined)[]): Wallet[] =>
    keys.filter((key) => key !== undefined).map((key) => toWallet(privateKeyToAddress(key)));
  const wallets = {
    PLATFORM_RECIPIENT: given.PLATFORM_RECIPIENT === undefined ? [] : [given.PLATFORM_RECIPIENT],
    PLATFORM_ADMINS: given.PLATFORM_ADMINS ?? [],
    SPENDER_PRIVATE_KEY: ofKeys(given.SPENDER_PRIVATE_KEY),
    SPENDER_ADDRESS: given.SPENDER_ADDRESS === undefined ? [] : [given.SPENDER_ADDRESS],
    SPENDER_PREVIOUS_KEYS: ofKeys(...(given.SPENDER_PREVIOUS_KEYS ?? [])),
    SETTLEMENT_PRIVATE_KEY: ofKeys(given.SETTLEMENT_PRIVATE_KEY),
  } as const;
  for (const [name, used] of Object.entries(wallets) as [keyof typeof wallets, readonly Wallet[]][]) {
    const why = used.map(whyNoWallet).find((problem) => problem !== null);
    if (why) faults.push(faultLine(name, why));
  }
}
