import { sql } from 'kysely';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

/** The format of rows and terms. A server with another version builds the search again. */
const INDEX_VERSION = 1;

/** A place in the receipts, in key order. */
export interface RebuildPlace {
  readonly merchant: string;
  readonly id: string;
}

/** How far the search has read. */
export interface IndexState {
  readonly step: number;
  /** A snapshot of PostgreSQL as text: all rows of the history that it sees are indexed. */
  readonly snapshot: string;
  /** The last receipt of a rebuild; null when there is none to do. */
  readonly rebuild: RebuildPlace | null;
}

const STATE = query('receipt-index', (db, _: object) =>
  db
    .selectFrom('ReceiptIndex as i')
    .innerJoin('StreamEpoch as e', 'e.epoch', 'i.epoch')
    .select(['i.step', 'i.snapshot', 'i.rebuildMerchant', 'i.rebuildId'])
    .where('i.name', '=', 'receipts')
    .where('i.version', '=', INDEX_VERSION),
);

/**
 * A rebuild from the first receipt. The history is followed from now on, so what is written before is found by the
 * rebuild.
 */
const BEGIN = query('receipt-index-begin', (db, _: object) =>
  db
    .insertInto('ReceiptIndex')
    .columns(['name', 'version', 'step', 'epoch', 'snapshot', 'rebuildMerchant', 'rebuildId'])
    .expression(({ selectFrom }) =>
      selectFrom('StreamEpoch').select([
        sql.lit('receipts').as('name'),
        sql.lit(INDEX_VERSION).as('version'),
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
        step: sql<number>`${ref('ReceiptIndex.step')} + 1`,
        epoch: ref('excluded.epoch'),
        snapshot: ref('excluded.snapshot'),
        rebuildMerchant: '',
        rebuildId: '',
      })),
    ),
);

type StateDeps = Pick<Deps, 'sql'>;

/** How far the search has read; null before the first start, after a restore, and after an upgrade of its format. */
export async function readIndexState({ sql: statements }: StateDeps): Promise<IndexState | null> {
  const [row] = await statements.run(STATE, {});
  if (!row) return null;
  const { step, snapshot, rebuildMerchant, rebuildId } = row;
  return {
    step,
    snapshot,
    rebuild: rebuildMerchant === null || rebuildId === null ? null : { merchant: rebuildMerchant, id: rebuildId },
  };
}

/** Begins a rebuild. Searches keep the rows that they have until the rebuild replaces them. */
export async function beginRebuild(deps: StateDeps): Promise<void> {
  await deps.sql.run(BEGIN, {});
}

/** As `readIndexState`, but begins a rebuild where there is no state. */
export async function requireIndexState(deps: StateDeps): Promise<IndexState> {
  const known = await readIndexState(deps);
  if (known) return known;
  await beginRebuild(deps);
  const begun = await readIndexState(deps);
  if (!begun) throw new Error('The search of receipts has no state');
  return begun;
}
