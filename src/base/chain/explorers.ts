import { realHash } from '../core/coin-place.ts';

/** The block explorer of each known chain, without a trailing slash. */
const EXPLORERS: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io',
  10: 'https://optimistic.etherscan.io',
  100: 'https://gnosisscan.io',
  137: 'https://polygonscan.com',
  8453: 'https://basescan.org',
  10200: 'https://gnosis-chiado.blockscout.com',
  42161: 'https://arbiscan.io',
  43113: 'https://testnet.snowtrace.io',
  43114: 'https://snowtrace.io',
  80002: 'https://amoy.polygonscan.com',
  84532: 'https://sepolia.basescan.org',
  421614: 'https://sepolia.arbiscan.io',
  560048: 'https://hoodi.etherscan.io',
  11155111: 'https://sepolia.etherscan.io',
  11155420: 'https://sepolia-optimism.etherscan.io',
};

/** The base URL of a chain's block explorer; null for chains without a known one, such as the local chain. */
export const explorerUrl = (chainId: number): string | null => EXPLORERS[chainId] ?? null;

/** The explorer URL of a transaction; null if the chain has no known explorer or `hash` is null. */
export function transactionUrl(chainId: number, hash: string | null): string | null {
  const base = explorerUrl(chainId);
  return base && hash && realHash(hash) ? `${base}/tx/${hash}` : null;
}

/** The explorer URL of an address; null if the chain has no known explorer. */
export function addressUrl(chainId: number, address: string): string | null {
  const base = explorerUrl(chainId);
  return base && `${base}/address/${address}`;
}
