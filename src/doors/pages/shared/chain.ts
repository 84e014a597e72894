import { explorerUrl } from '../../../base/chain/explorers.ts';
import { chainName } from '../../../base/chain/names.ts';
import { isLocalChain, LOCAL_CHAIN_ID } from '../../../base/core/local-chains.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
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

/** The same with its name in a language: chains for tests have no name of their own. */
export function shownChain(
  deps: Parameters<typeof pageChain>[0],
  language: Language,
  chainId: number | null = null,
): PageChain {
  const chain = pageChain(deps, chainId);
  if (!chain.local) return chain;
  const say = wordsOf('pages', language);
  return { ...chain, name: say(chain.id === LOCAL_CHAIN_ID ? 'chain.local' : 'chain.second') };
}

const rpcUrlOf = ({ rpcUrl, furtherChains }: Deps['settings'], chainId: number): string =>
  furtherChains.find((chain) => chain.chainId === chainId)?.rpcUrl ?? rpcUrl;
