import type { Chain } from '../../../base/chain/client.ts';
import { chainName } from '../../../base/chain/names.ts';
import type { Token } from '../../../base/chain/token.ts';
import { isAtPar } from '../../../base/chain/tokens.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { findSpender } from '../../../base/onchain/spender/spender.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type ChosenToken, configuredChoice } from '../../shop/merchants/chosen-tokens.ts';
import type { PlanRecord } from './read-plans.ts';

type PlanTokensDeps = Pick<Deps, 'chains' | 'settings'>;

/** A token that subscriptions can be paid in: an ERC-20 contract that counts as US dollars. */
export interface PayableToken extends Token {
  readonly address: Wallet;
}

/** A token of one of the server's chains that a plan takes. */
export interface PlanToken {
  readonly chain: Chain;
  readonly token: PayableToken;
}

/**
 * The tokens that subscriptions can be paid in, the default first. Only dollar tokens, so that each period costs the
 * same amount.
 */
export function payableTokens(tokens: readonly Token[]): readonly PayableToken[] {
  return tokens.filter((token): token is PayableToken => token.address !== null && isAtPar(token));
}

/**
 * What a plan takes, its default first: its choice, else the dollar tokens of the first chain. Tokens and chains that
 * the server does not have any more are left out.
 */
export function planTokens(
  chains: readonly Chain[],
  { paymentTokens }: Pick<PlanRecord, 'paymentTokens'>,
): readonly PlanToken[] {
  if (paymentTokens == null) return chains.slice(0, 1).flatMap(offered);
  const all = chains.flatMap(offered);
  return paymentTokens.flatMap(({ chainId, token: symbol }) =>
    all.filter(({ chain, token }) => chain.chainId === chainId && token.symbol === symbol),
  );
}

/** A token that plans can be charged in on this server. */
export interface PlanTokenOption {
  /** EIP-155. */
  readonly chainId: number;
  /** The chain's name, for people. */
  readonly network: string;
  /** Symbol. */
  readonly token: string;
  /** Whether a plan without a choice takes it. */
  readonly usual: boolean;
}

/** Every token that plans can be charged in, those of the first chain first. */
export const planTokenOptions = (deps: PlanTokensDeps): PlanTokenOption[] =>
  deps.chains
    .filter((chain) => findSpender({ ...deps, chain }) !== null)
    .flatMap(offered)
    .map(({ chain, token }) => ({
      ...{ chainId: chain.chainId, network: chainName(chain.chainId), token: token.symbol },
      usual: chain === deps.chains[0],
    }));

const offered = (chain: Chain): readonly PlanToken[] => payableTokens(chain.tokens).map((token) => ({ chain, token }));

/**
 * The token of a plan with this symbol on this chain; without them, the plan's first one. Refuses with `invalid_input`,
 * naming the field.
 */
export function choosePlanToken(
  chains: readonly Chain[],
  plan: Pick<PlanRecord, 'paymentTokens'>,
  { chainId, token: symbol }: { readonly chainId?: number | null; readonly token?: string | null },
): PlanToken {
  const there = planTokensOn(chains, plan, chainId);
  const found = symbol == null ? there[0] : there.find(({ token }) => token.symbol === symbol.toUpperCase());
  if (found) return found;
  const names = there.map(({ token }) => token.symbol).join(', ');
  throw refuse('invalid_input', `token must be one of ${names}`, { field: 'token' });
}

/** What a plan takes on a chain; on all of them without one. Refuses a chain that it does not take. */
export function planTokensOn(
  chains: readonly Chain[],
  plan: Pick<PlanRecord, 'paymentTokens'>,
  chainId: number | null | undefined,
): readonly PlanToken[] {
  const all = planTokens(chains, plan);
  const there = chainId == null ? all : all.filter(({ chain }) => chain.chainId === chainId);
  if (there.length > 0) return there;
  const ids = [...new Set(all.map(({ chain }) => chain.chainId))].join(', ');
  throw refuse('invalid_input', `chainId must be one of ${ids}, the chains of this plan`, { field: 'chainId' });
}

/**
 * A merchant's choice with the symbols as the server writes them. Refuses with `invalid_input` a chain or a token that
 * the server does not have, a token that is no dollar token, and a chain that the server cannot charge on.
 */
export function chargeableChoice(deps: PlanTokensDeps, choice: readonly ChosenToken[]): readonly ChosenToken[] {
  const configured = configuredChoice(deps.chains, choice);
  for (const [i, { chainId, token }] of configured.entries()) {
    const field = `paymentTokens[${i}]`;
    const chain = deps.chains.find((one) => one.chainId === chainId)!;
    if (!findSpender({ ...deps, chain }))
      throw refuse('invalid_input', `${field}: plans cannot be charged on ${chainName(chainId)}`, { field });
    if (!payableTokens(chain.tokens).some(({ symbol }) => symbol === token))
      throw refuse('invalid_input', `${field}: plans are charged in dollar tokens, which ${token} is not`, { field });
  }
  return configured;
}
