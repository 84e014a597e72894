import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';

/** Whether the split `s` is current, or replaced with open shares. */
export const isInUse = (eb: ExpressionBuilder<Database & { s: Database['Split'] }, 's'>) =>
  eb.or([
    eb('s.replacedAt', 'is', null),
    eb.exists(
      eb
        .selectFrom('SettlementShare as o')
        .select('o.payee')
        .whereRef('o.chainId', '=', 's.chainId')
        .whereRef('o.split', '=', 's.address')
        .where('o.settledAt', 'is', null),
    ),
  ]);
