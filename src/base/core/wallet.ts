/** A wallet address in the form in which it is stored and compared: `0x` and 40 lower-case hex digits. */
export type Wallet = string & { readonly __wallet: unique symbol };

/** The pattern of an address in any letter case. */
export const WALLET_PATTERN = '^0[xX][0-9a-fA-F]{40}$';

const WALLET = new RegExp(WALLET_PATTERN);

/** Parses an address in any letter case, without checking a checksum. Null if it is not an address. */
export function parseWallet(value: unknown): Wallet | null {
  return typeof value === 'string' && WALLET.test(value) ? (value.toLowerCase() as Wallet) : null;
}

/** The zero address, which has no owner. It is never a recipient. */
export const ZERO_WALLET = `0x${'0'.repeat(40)}` as Wallet;
