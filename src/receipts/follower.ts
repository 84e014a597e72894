import { sql } from 'kysely';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';

/** Something that is derived from the receipts. */
export interface Follower {
  readonly name: string;
  /** The format of what is derived. Another version reads all receipts again. */
  readonly version: number;
}

const POSITION = query('receipt-follower', (db, $: Follower) =>
  db
    .selectFrom('ReceiptFollower as f')
    .innerJoin('StreamEpoch as e', 'e.epoch', 'f.epoch')
    .select(['f.step', 'f.snapshot', 'f.rebuildMerchant', 'f.rebuildId'])
    .where('f.name', '=', $.name)
    .where('f.version', '=', $.version),
);

/** How far a follower has read. */
export type Position = RowOf<typeof POSITION>;

/** The history is followed from now on, so what is written before is found by the reading of all receipts. */
const BEGIN = query('receipt-follower-begin', (db, $: Follower) =>
  db
    .insertInto('ReceiptFollower')
    .columns(['name', 'version', 'step', 'epoch', 'snapshot', 'rebuildMerchant', 'rebuildId'])
    .expression(({ selectFrom }) =>
      selectFrom('StreamEpoch').select([
        sql<string>`${$.name}::text`.as('name'),
        sql<number>`${$.version}::int4`.as('version'),
        sql.lit(0).as('step'),
        'epoch',
        sql<string>`pg_current_snapshot()::text`.as('snapshot'),
        sql.lit('').as('rebuildMerchant'),
        sql.lit('').as('rebuildId'),
      ]),
    )
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet(({ ref }) => ({
        version: ref('excluded.version'),
        step: sql<number>`${ref('ReceiptFollower.step')} + 1`,
        epoch: ref('excluded.epoch'),
        snapshot: ref('excluded.snapshot'),
        rebuildMerchant: ref('excluded.rebuildMerchant'),
        rebuildId: ref('excluded.rebuildId'),
      })),
    ),
);

/** Begins the reading of all receipts, from the first. What is derived stays until it is derived again. */
export async function beginReading(deps: Pick<Deps, 'sql'>, { name, version }: Follower): Promise<void> {
  await deps.sql.run(BEGIN, { name, version });
}

/** The position; begins to read at the first start, after a restore, and after a change of the format. */
export async function requirePosition(deps: Pick<Deps, 'sql'>, { name, version }: Follower): Promise<Position> {
  const read = async () => (await deps.sql.run(POSITION, { name, version }))[0];
  const known = await read();
  if (known) return known;
  await beginReading(deps, { name, version });
  const begun = await read();
  if (!begun) throw new Error(`The follower ${name} has no position`);
  return begun;
}
