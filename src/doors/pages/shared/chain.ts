import { explorerUrl } from '../../../base/chain/explorers.ts';
import { chainName } from '../../../base/chain/names.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';

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

/** A chain of the server as pages show it: the first one, unless another is named. */
export function pageChain(
  deps: Pick<Deps, 'settings' | 'chain'> & Partial<Pick<Deps, 'chains'>>,
  chainId: number | null = null,
): PageChain {
  const { settings } = deps;
  const chain = (chainId === null ? null : chainOf(deps, chainId)) ?? deps.chain;
  const local = isLocalChain(chain.chainId);
  // Only the local chain's RPC URL is given to wallets, because an operator's RPC URL may contain a key.
  return {
    id: chain.chainId,
    name: chainName(chain.chainId),
    rpcUrl: local ? rpcUrlOf(settings, chain.chainId) : null,
    explorerUrl: explorerUrl(chain.chainId),
    local,
  };
}

const rpcUrlOf = ({ rpcUrl, furtherChains }: Deps['settings'], chainId: number): string =>
  furtherChains.find((chain) => chain.chainId === chainId)?.rpcUrl ?? rpcUrl;
