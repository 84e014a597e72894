import { sql } from 'kysely';
import { clockChanges } from '../../../base/core/time-zone.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { deriveStep, STEP_SIZE } from '../../sales/receipts/follow.ts';
import { noteCountedZone } from '../../shop/merchants/write-shop.ts';
import { countReceipts, countStep, STATISTICS } from './count.ts';

interface Waiting {
  readonly merchant: Wallet;
  /** The zone of the shop. */
  readonly zone: string;
  /** Where the recount of this zone is; null if it has not begun. */
  readonly afterId: string | null;
}

/**
 * A merchant whose receipts are not counted in the days of its zone yet. It is read every second: the indexes of both
 * conditions have only the merchants that wait. Without the order PostgreSQL expects most to wait, and reads all.
 */
const WAITING = query(
  'statistics-recount',
  (_db, _: object) => sql<Waiting>`
    select m.wallet as merchant, shop.zone, case when z.zone = shop.zone then z.after_id end as "afterId"
      from ((select wallet from merchants where coalesce(shop ->> 'timeZone', 'UTC') <> counted_zone
              order by wallet limit 1)
            union all
            (select merchant from counted_zones where after_id is not null order by merchant limit 1)) w
           join merchants m using (wallet) left join counted_zones z on z.merchant = m.wallet
           cross join lateral (select coalesce(m.shop ->> 'timeZone', 'UTC') as zone) shop
     limit 1`,
  { computed: { merchant: 'text', zone: 'text', afterId: 'text' } },
);

const NEXT = query('statistics-recount-next', (db, $: { merchant: Wallet; after: string }) =>
  db
    .selectFrom('Receipt')
    .select(['merchant', 'id as receiptId'])
    .where('merchant', '=', $.merchant)
    .where('id', '>', $.after)
    .orderBy('id')
    .limit(STEP_SIZE),
);

/**
 * Counts the next receipts of a shop that has changed its time zone, in the days of the new one. Returns whether any
 * shop waits. It advances the position of the statistics, so that readers see that months have changed.
 */
async function recountStep(db: Db): Promise<boolean> {
  const [waiting] = await db.run(WAITING, {});
  if (!waiting) return false;
  await deriveStep(db, STATISTICS, await STATISTICS.require(db), (uow) => recount(uow, waiting));
  return true;
}

async function recount(uow: UnitOfWork, { merchant, zone, afterId }: Waiting): Promise<void> {
  if (afterId === null) await holdZone(uow, merchant, zone);
  const keys = await uow.run(NEXT, { merchant, after: afterId ?? '' });
  await countReceipts(uow, keys);
  await uow.db
    .updateTable('CountedZone')
    .set({ afterId: keys.length === STEP_SIZE ? keys.at(-1)!.receiptId : null })
    .where('merchant', '=', merchant)
    .execute();
}

/** From now on each receipt of the merchant that is counted is counted in this zone. */
async function holdZone(uow: UnitOfWork, merchant: Wallet, zone: string): Promise<void> {
  const held = { zone, ...clockChanges(zone) };
  await uow.db
    .insertInto('CountedZone')
    .values({ merchant, afterId: null, ...held } as never)
    .onConflict((conflict) => conflict.column('merchant').doUpdateSet(held as never))
    .execute();
  await noteCountedZone(uow, merchant, zone);
}

/** Counts until nothing is left to do, or the signal is aborted. */
export async function countAll(db: Db, signal?: AbortSignal): Promise<void> {
  while (((await countStep(db)) || (await recountStep(db))) && !signal?.aborted);
}
