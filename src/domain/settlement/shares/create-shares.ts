import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { splitOf } from '../../payments/transfers/transfers.ts';
import { announceAfterCommit } from './compute-owed.ts';

const CREATE = query('settlement-create-shares', (db, $: { merchant: Wallet; id: string; now: number }) =>
  db
    .insertInto('SettlementShare')
    .columns(['merchant', 'receiptId', 'split', 'token', 'payee', 'chainId', 'sharesBps', 'createdAt'])
    .expression((select) =>
      select
        .selectFrom('Transfer as t')
        .innerJoin('Split as s', (join) =>
          join.onRef('s.chainId', '=', 't.chainId').on('s.address', '=', splitOf('t')).on('s.verified', '=', true),
        )
        .crossJoin(
          sql<{ address: Wallet; sharesBps: number }>`jsonb_to_recordset(s.recipients)`.as<'r'>(
            sql`r(address text, "sharesBps" int)`,
          ),
        )
        .select(['t.merchant', 't.receiptId', 's.address as split', 't.token', 'r.address', 't.chainId', 'r.sharesBps'])
        .select(sql<number>`${$.now}::int8`.as('createdAt'))
        .distinct()
        .where('t.merchant', '=', $.merchant)
        .where('t.receiptId', '=', $.id)
        .where('t.canonical', '=', true)
        .$narrowType<{ receiptId: string }>(),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Creates one share per payee of each verified split that received the money of a paid receipt, in the transaction that
 * makes it paid. The owed amounts are computed later from the chain.
 */
export async function createShares(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
): Promise<void> {
  await uow.run(CREATE, { merchant, id, now: deps.clock() });
  announceAfterCommit(deps.bus, uow, [{ merchant }]);
}
