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
