import { type Wallet, ZERO_WALLET } from './wallet.ts';

/*
 * Coins may reach an address from within a contract's transaction, which leaves no transfer of its own. Such an arrival
 * has a place in the records in the form of a transaction hash, made of its block and address, and no hash elsewhere.
 */

/** No hash of a transaction begins with so many zeros. */
const PREFIX = `0x${'0'.repeat(14)}` as const;

/** The place in the records of coins that reached an address in a block from within a contract's transaction. */
export const coinPlace = (block: number, address: Wallet): `0x${string}` =>
  `0x${block.toString(16).padStart(24, '0')}${address.slice(2)}`;

/** The wallet that sent money; null for coins that came from within a contract's transaction. */
export const realSender = (sender: Wallet): Wallet | null => (sender === ZERO_WALLET ? null : sender);

/** The hash of a transaction; null for coins that came from within a contract's transaction. */
export const realHash = <Hash extends string>(hash: Hash): Hash | null => (hash.startsWith(PREFIX) ? null : hash);
