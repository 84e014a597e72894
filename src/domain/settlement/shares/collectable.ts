import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';

/**
 * Whether the receipt `r` waits for no more money: it is paid, refunded or ended. A coin that is still owed is left
 * where it is, because a plain transfer of 21,000 gas fails once there is code.
 */
export const waitsForNoMore = <DB extends { r: Database['Receipt'] }>(eb: ExpressionBuilder<DB, 'r'>) => {
  const { status, closedAt } = { status: sql.ref<string>('r.status'), closedAt: sql.ref('r.closedAt') };
  return eb.or([sql<boolean>`${status} in ('paid', 'completed', 'refunded')`, sql<boolean>`${closedAt} is not null`]);
};

/**
 * The arrivals `t` on a chain whose money may be collected: at full depth, at the address `a` of a receipt `r` that
 * waits for no more, for the split `s`.
 */
export const selectCollectable = (db: Kysely<Database>, { chainId }: { readonly chainId: number }) =>
  db
    .selectFrom('Transfer as t')
    .innerJoin('ReceiptAddress as a', 'a.address', 't.payTo')
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.addressOf'))
    .innerJoin('Split as s', (join) => join.onRef('s.chainId', '=', 't.chainId').onRef('s.address', '=', 't.split'))
    .where('t.chainId', '=', chainId)
    .where('t.canonical', '=', true)
    .where('t.collected', '=', false)
    .where('t.confirmedAt', 'is not', null)
    .where(waitsForNoMore);

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
