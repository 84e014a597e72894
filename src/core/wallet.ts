/** A wallet address in the form it is kept and compared: `0x` and 40 lower-case hex digits. */
export type Wallet = string & { readonly __wallet: unique symbol };

/** How an address looks, in any letter case. */
export const WALLET_PATTERN = '^0[xX][0-9a-fA-F]{40}$';

const WALLET = new RegExp(WALLET_PATTERN);

/** Reads an address in any letter case (checksums are not demanded); null where it is not one. */
export function parseWallet(value: unknown): Wallet | null {
  return typeof value === 'string' && WALLET.test(value) ? (value.toLowerCase() as Wallet) : null;
}

/** The address nobody owns; never a recipient. */
export const ZERO_WALLET = `0x${'0'.repeat(40)}` as Wallet;
