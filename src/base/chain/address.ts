import type { Address } from 'viem';
import type { Wallet } from '../core/wallet.ts';

/** The wallet as viem's address type, in lower case. */
export const toAddress = (wallet: Wallet): Address => wallet as string as Address;

/** The address as `Wallet`: lower case, without viem's checksum. */
export const toWallet = (address: Address): Wallet => address.toLowerCase() as Wallet;
