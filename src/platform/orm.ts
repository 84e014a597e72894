import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';

export type Orm = MikroORM;

const INT8 = 20;
const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The entity manager's connection pool and model. Connections and queries give up rather than hang on a stopped server. */
export function ormOptions(databaseUrl: string, entities: NonNullable<Options['entities']>): Options {
  return {
    clientUrl: databaseUrl,
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: { path: migrations, emit: 'ts', snapshot: false, disableForeignKeys: false, allOrNothing: true },
    schemaGenerator: { ignoreSchema: ['pgboss'] },
    pool: { min: 0, max: 12 },
    driverOptions: {
      connectionTimeoutMillis: 1_500,
      query_timeout: 10_000,
      application_name: 'quittance',
      onPoolCreated: (pool: pg.Pool) => pool.on('connect', (client) => client.setTypeParser(INT8, Number)),
    },
    ensureDatabase: false,
    debug: false,
    // Progress of migrations would stand in the way on stdout, where commands answer.
    logger: () => {},
  };
}

/** Opens the entity manager for the given entities. */
export function createOrm(databaseUrl: string, entities: NonNullable<Options['entities']>): Promise<Orm> {
  return MikroORM.init(ormOptions(databaseUrl, entities));
}
