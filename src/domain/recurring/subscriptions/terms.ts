import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import { unitsFor } from '../../payments/quotes/amounts.ts';

/** The end of a stored permission, epoch ms. `table` is the name of the subscription's table in the query. */
export const permissionEndMs = (table: string) =>
  sql<number>`(${sql.ref(`${table}.permission`)} ->> 'end')::bigint * 1000`;

/** A price in base units of a dollar token. */
export function priceUnits(priceCents: number, { decimals }: Pick<Token, 'decimals'>): bigint {
  return unitsFor((priceCents / 100).toFixed(2), { decimals, usdPerUnit: '1' });
}
