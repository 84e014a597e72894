import { sql } from 'kysely';
import type { Token } from '../chain/token.ts';
import { isAtPar } from '../chain/tokens.ts';
import type { Wallet } from '../core/wallet.ts';
import { unitsFor } from '../quotes/amounts.ts';

/** A token that subscriptions can be paid in: an ERC-20 contract that counts as US dollars. */
export interface PayableToken extends Token {
  readonly address: Wallet;
}

/**
 * The tokens that subscriptions can be paid in, the default first. Only dollar tokens, so that each period costs the
 * same amount.
 */
export function payableTokens(tokens: readonly Token[]): readonly PayableToken[] {
  return tokens.filter((token): token is PayableToken => token.address !== null && isAtPar(token));
}

/** The end of a stored permission, epoch ms. `table` is the name of the subscription's table in the query. */
export const permissionEndMs = (table: string) =>
  sql<number>`(${sql.ref(`${table}.permission`)} ->> 'end')::bigint * 1000`;

/** A price in base units of a dollar token. */
export function priceUnits(priceCents: number, { decimals }: Pick<Token, 'decimals'>): bigint {
  return unitsFor((priceCents / 100).toFixed(2), { decimals, usdPerUnit: '1' });
}
