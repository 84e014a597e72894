/** The block explorer of each known chain, without a slash at its end. */
const EXPLORERS: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io',
  10: 'https://optimistic.etherscan.io',
  137: 'https://polygonscan.com',
  8453: 'https://basescan.org',
  42161: 'https://arbiscan.io',
  84532: 'https://sepolia.basescan.org',
  11155111: 'https://sepolia.etherscan.io',
};

/** The base address of a chain's block explorer; null where none is known, as for a local chain. */
export const explorerUrl = (chainId: number): string | null => EXPLORERS[chainId] ?? null;

/** Where anyone can look a transaction up; null where the chain has no known explorer, or there is no transaction. */
export function transactionUrl(chainId: number, hash: string | null): string | null {
  const base = explorerUrl(chainId);
  return base && hash ? `${base}/tx/${hash}` : null;
}
