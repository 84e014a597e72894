import type { Config } from '../../base/platform/config/config.ts';
import { schemaStateOf } from '../../base/platform/migrations/migrate.ts';
import { schemaFault } from '../../base/platform/migrations/prepare-tables.ts';
import { readOnce } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';

const NO_TABLE = '42P01';
const check = 'migrations';

/** Compares the tables with this version. Finds nothing if the database does not answer: that is another check. */
export async function checkMigrations(
  config: Pick<Config, 'databaseUrl' | 'migrates' | 'acceptsNewerSchema'>,
): Promise<Finding[]> {
  const { databaseUrl, migrates, acceptsNewerSchema } = config;
  if (databaseUrl === null) return [];
  const done = await readDone(databaseUrl);
  if (done === null) return [];
  const state = schemaStateOf(done);
  const { pending, unknown } = state;
  const fault = schemaFault(state, { migrates, newer: acceptsNewerSchema });
  if (fault !== null) return [{ check, state: 'wrong', found: fault, fix: 'The server does not start until then.' }];
  if (unknown.length > 0) {
    const found = `the database is newer than this version: it has ${unknown.join(', ')}`;
    return [{ check, state: 'note', found, fix: 'Run the version that migrated it again when you can.' }];
  }
  if (pending.length > 0) {
    const fix = 'The next start runs them. Run them now with: quittance migrate';
    return [{ check, state: 'note', found: `${pending.length} are pending, from ${pending[0]}`, fix }];
  }
  return [{ check, state: 'ok', found: `all ${done.length} are done`, fix: null }];
}

/** The names of the migrations that the database has; null if it does not answer. */
async function readDone(connectionString: string): Promise<string[] | null> {
  try {
    const rows = await readOnce<{ name: string }>(
      connectionString,
      'select name from mikro_orm_migrations order by name',
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    return (error as { readonly code?: string }).code === NO_TABLE ? [] : null;
  }
}
