import type { Deps } from './deps.ts';
import type { Query } from './query.ts';

/** The number of rows that one statement deletes, so that no statement holds locks for long. */
export const SWEEP_BATCH = 5_000;

/**
 * Runs a statement that deletes at most `SWEEP_BATCH` rows and returns their number as `count`, until no rows are left.
 * Returns the number of deleted rows.
 */
export async function sweep<Parameters extends object>(
  { sql }: Pick<Deps, 'sql'>,
  batch: Query<Parameters, { readonly count: number }>,
  parameters: Parameters,
): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await sql.run(batch, parameters);
    total += row!.count;
    if (row!.count < SWEEP_BATCH) return total;
  }
}
