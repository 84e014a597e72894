import { sql } from 'kysely';

/**
 * Whether a share is not computed yet because money that it is part of is still at the address that received it. For
 * SQL, by the name of the shares.
 */
export const isUncollected = (share: string) => {
  const of = (column: string) => sql.ref(`${share}.${column}`);
  return sql<boolean>`(${of('settled_at')} is null and ${of('owed')} is null and exists (
    select from transfers arrival
     where arrival.merchant = ${of('merchant')} and arrival.receipt_id = ${of('receipt_id')}
       and arrival.chain_id = ${of('chain_id')} and arrival.split = ${of('split')} and arrival.token = ${of('token')}
       and arrival.canonical and not arrival.collected))`;
};
