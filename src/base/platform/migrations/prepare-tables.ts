import type { Options } from '@mikro-orm/postgresql';
import { ConfigFaults } from '../config/faults.ts';
import type { Settings } from '../deps.ts';
import type { Logger } from '../log/log.ts';
import type { Orm } from '../orm.ts';
import { ensureEpoch, migrate, readSchemaState, type SchemaState } from './migrate.ts';

/** A contract step takes away what the version before still uses, and says so in its name. */
const CONTRACT = /^Migration\d+_contract_/;

/** Why this version cannot run on these tables, as one line; null if it can. */
export function schemaFault(
  { pending, unknown }: SchemaState,
  allows: { readonly migrates: boolean; readonly newer: boolean },
): string | null {
  const contracts = unknown.filter((name) => CONTRACT.test(name));
  if (contracts.length > 0)
    return `The database is newer than this version, and lacks what this version needs since ${contracts.join(', ')}. Run the version that migrated it, or a newer one`;
  if (unknown.length > 0 && !allows.newer)
    return `The database is newer than this version: it has ${unknown.join(', ')}. Run the version that migrated it, or set NEWER_SCHEMA=accept to go back to this one`;
  if (pending.length > 0 && !allows.migrates)
    return `The database is older than this version: ${pending.length} migrations are pending, from ${pending[0]} to ${pending.at(-1)}. Run: quittance migrate`;
  return null;
}

/**
 * Makes sure that the tables fit this version, and runs pending migrations if it may. Throws `ConfigFaults` with what
 * to do.
 */
export async function prepareTables(
  orm: Orm,
  entities: NonNullable<Options['entities']>,
  { databaseSessionUrl, acceptsNewerSchema }: Pick<Settings, 'databaseSessionUrl' | 'acceptsNewerSchema'>,
  { migrates, log }: { readonly migrates: boolean; readonly log: Logger },
): Promise<void> {
  const state = await readSchemaState(orm);
  const fault = schemaFault(state, { migrates, newer: acceptsNewerSchema });
  if (fault !== null) throw new ConfigFaults([fault]);
  if (state.unknown.length > 0) log.warn({ migrations: state.unknown }, 'database is newer than this version');
  if (state.pending.length > 0) await migrate(databaseSessionUrl, entities, log);
  else await ensureEpoch(databaseSessionUrl, orm);
}
