import type { Address } from 'viem';
import type { Wallet } from '../core/wallet.ts';

/** The address in viem's words; the letters stay lower-case. */
export const toAddress = (wallet: Wallet): Address => wallet as string as Address;

/** The address in the house's words: lower-case, whatever checksum viem wrote into it. */
export const toWallet = (address: Address): Wallet => address.toLowerCase() as Wallet;
