import type { Chain } from '../../../base/chain/client.ts';
import { refuse } from '../../../base/core/errors.ts';

/** A token on a chain. */
export interface ChosenToken {
  /** EIP-155. */
  readonly chainId: number;
  /** Symbol, as in `USDC`. */
  readonly token: string;
}

/** The tokens that a merchant takes, most preferred first. Null: every token of every chain, in the server's order. */
export type Choice = readonly ChosenToken[] | null;

/** Why money does not pay by itself: the merchant did not choose its chain, or not its token there. */
export type NotChosen = 'other_network' | 'other_token';

/** Whether a merchant takes a token on a chain: null if so, else what it did not choose. */
export function whyNotChosen(choice: Choice, { chainId, token }: ChosenToken): NotChosen | null {
  if (choice === null || choice.some((one) => one.chainId === chainId && one.token === token)) return null;
  return choice.some((one) => one.chainId === chainId) ? 'other_token' : 'other_network';
}

/** The position of a token in a merchant's order of preference; 0 for all if there is none. */
export const rankIn = (choice: Choice, { chainId, token }: ChosenToken): number =>
  choice?.findIndex((one) => one.chainId === chainId && one.token === token) ?? 0;

/**
 * A choice with the symbols as the server writes them. Refuses a token that the server does not accept with
 * `invalid_input`.
 */
export function configuredChoice(chains: readonly Chain[], choice: readonly ChosenToken[]): readonly ChosenToken[] {
  return choice.map(({ chainId, token }, i) => {
    const field = `paymentTokens[${i}]`;
    const chain = chains.find((one) => one.chainId === chainId);
    if (!chain) throw refuse('invalid_input', `${field}: this server has no chain ${chainId}`, { field });
    const known = chain.tokens.find(({ symbol }) => symbol.toUpperCase() === token.toUpperCase());
    if (!known) throw refuse('invalid_input', `${field}: chain ${chainId} has no token ${token}`, { field });
    return { chainId, token: known.symbol };
  });
}
