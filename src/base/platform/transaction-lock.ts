import { sql } from 'kysely';
import { query } from './postgres/query.ts';
import type { UnitOfWork } from './unit-of-work.ts';

const LOCK = query(
  'transaction-lock',
  (_db, $: { name: string }) =>
    sql<{ one: number }>`select 1 as one from
    (select pg_advisory_xact_lock(hashtextextended(${$.name}, 0))) taken`,
  { computed: { one: 'int4' } },
);

/** Takes the advisory lock of this name until the transaction ends. Waits until no other transaction holds it. */
export async function lockInTransaction(uow: Pick<UnitOfWork, 'run'>, name: string): Promise<void> {
  await uow.run(LOCK, { name });
}
