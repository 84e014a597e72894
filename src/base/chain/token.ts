import type { Wallet } from '../core/wallet.ts';

/** A token that is accepted on a chain. */
export interface Token {
  readonly symbol: string;
  /** The ERC-20 contract; null is the chain's native coin. */
  readonly address: Wallet | null;
  readonly decimals: number;
  /** The contract's own symbol, if it differs from `symbol`. */
  readonly onChainSymbol?: string;
}
