import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import type { Deps } from '../platform/deps.ts';

/** The chain that a page is about. */
export interface PageChain {
  readonly id: number;
  readonly name: string;
  /** Offered to a wallet that does not know the chain. */
  readonly rpcUrl: string | null;
  /** Base address of a block explorer; `/tx/<hash>` is added. */
  readonly explorerUrl: string | null;
  /** A local test chain: the page says that no real money moves. */
  readonly local: boolean;
}

const CHAINS: Readonly<Record<number, { name: string; explorerUrl: string | null }>> = {
  1: { name: 'Ethereum', explorerUrl: 'https://etherscan.io' },
  10: { name: 'OP Mainnet', explorerUrl: 'https://optimistic.etherscan.io' },
  137: { name: 'Polygon', explorerUrl: 'https://polygonscan.com' },
  8453: { name: 'Base', explorerUrl: 'https://basescan.org' },
  42161: { name: 'Arbitrum One', explorerUrl: 'https://arbiscan.io' },
  84532: { name: 'Base Sepolia', explorerUrl: 'https://sepolia.basescan.org' },
  11155111: { name: 'Sepolia', explorerUrl: 'https://sepolia.etherscan.io' },
};

/** The chain of the server as pages name it. */
export function pageChain({ settings, chain }: Pick<Deps, 'settings' | 'chain'>): PageChain {
  const local = chain.chainId === LOCAL_CHAIN_ID;
  const known = CHAINS[chain.chainId] ?? {
    name: local ? 'the local test chain' : `chain ${chain.chainId}`,
    explorerUrl: null,
  };
  // Only the local chain's node is told to wallets: an operator's RPC address may carry a key.
  return { id: chain.chainId, ...known, rpcUrl: local ? settings.rpcUrl : null, local };
}
