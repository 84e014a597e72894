import { withDeps } from './open-deps.ts';

/** `quittance migrate`: opening the dependencies applies pending migrations. */
export async function migrateTables(): Promise<void> {
  await withDeps(async () => {}, { migrates: true });
  process.stdout.write('The tables are up to date.\n');
}
