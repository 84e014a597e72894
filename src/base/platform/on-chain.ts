import type { Chain } from '../chain/client.ts';
import type { Token } from '../chain/token.ts';
import { toDecimal } from '../chain/tokens.ts';
import { refuse } from '../core/errors.ts';
import type { Deps } from './deps.ts';

type ChainsDeps = Pick<Deps, 'chain'> & { readonly chains?: readonly Chain[] };

/** The chain with an id; null if it is not configured (any more). */
export function chainOf({ chain, chains = [] }: ChainsDeps, chainId: number): Chain | null {
  return chain.chainId === chainId ? chain : (chains.find((one) => one.chainId === chainId) ?? null);
}

/** A token of a chain; null if the server does not accept it there (any more). */
export function tokenOn(deps: ChainsDeps, chainId: number | null, symbol: string | null): Token | null {
  const chain = chainId === null ? deps.chain : chainOf(deps, chainId);
  return chain?.tokens.find((token) => token.symbol === symbol) ?? null;
}

/** An amount of a token of a chain. */
interface ChainAmount {
  readonly chainId: number;
  readonly token: string;
  /** Base units. */
  readonly amount: string;
}

/** A row with its amount in whole tokens; null for a token that the server does not accept there (any more). */
export function withDisplay<Row extends ChainAmount>(deps: ChainsDeps, row: Row): Row & { display: string | null } {
  const token = tokenOn(deps, row.chainId, row.token);
  return { ...row, display: token && toDecimal(BigInt(row.amount), token.decimals) };
}

/**
 * The same dependencies for work on another chain; the first chain without an id. Refuses with `invalid_input` if the
 * server has no such chain.
 */
export function onChain<D extends ChainsDeps>(deps: D, chainId: number | null | undefined): D {
  if (chainId == null || chainId === deps.chain.chainId) return deps;
  const chain = chainOf(deps, chainId);
  if (chain) return { ...deps, chain };
  const ids = (deps.chains ?? [deps.chain]).map((one) => one.chainId).join(', ');
  throw refuse('invalid_input', `chainId must be one of ${ids}`, { field: 'chainId' });
}
