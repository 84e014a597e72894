import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { explorerUrl } from '../chain/explorers.ts';
import type { Deps } from '../platform/deps.ts';

/** The chain that a page is about. */
export interface PageChain {
  readonly id: number;
  readonly name: string;
  /** For wallets that must add the chain first. */
  readonly rpcUrl: string | null;
  /** Base address of a block explorer; `/tx/<hash>` is added. */
  readonly explorerUrl: string | null;
  /** True for a local test chain; the page then states that no real money moves. */
  readonly local: boolean;
}

const NAMES: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  84532: 'Base Sepolia',
  11155111: 'Sepolia',
};

/** The server's chain, as pages show it. */
export function pageChain({ settings, chain }: Pick<Deps, 'settings' | 'chain'>): PageChain {
  const local = chain.chainId === LOCAL_CHAIN_ID;
  const name = NAMES[chain.chainId] ?? (local ? 'the local test chain' : `chain ${chain.chainId}`);
  // Only the local chain's RPC URL is given to wallets, because an operator's RPC URL may contain a key.
  return {
    id: chain.chainId,
    name,
    rpcUrl: local ? settings.rpcUrl : null,
    explorerUrl: explorerUrl(chain.chainId),
    local,
  };
}
