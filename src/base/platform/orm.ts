import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { keptBy } from '../core/kept.ts';
import type { Pooler } from './config/config.ts';
import { projectDir } from './files/project-dir.ts';
import { isDatabaseAway } from './log/outage.ts';
import { limitsOf, sessionOptions } from './postgres/connection-limits.ts';
import { INT8 } from './postgres/int8.ts';
import { cutAfter, streamOf } from './postgres/pg-stream.ts';

export type Orm = MikroORM;

/** The connections of a pool. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

const poolOf = keptBy('pool of transactions', (_orm: Orm) => ({ read: (): pg.Pool | null => null }));

/** The state of the pool; null before its first connection. */
export function poolState(orm: Orm): PoolState | null {
  const pool = poolOf(orm).read();
  return pool ? { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount } : null;
}

/** How the connections of the ORM are opened. */
interface OrmOptions {
  /** For migrations: one connection, without a time limit, that waits only briefly for locks. */
  readonly migrates?: boolean;
  readonly pooler?: Pooler;
}

/** The folder of the migrations. */
export const MIGRATIONS = join(projectDir, 'migrations');

/**
 * How long a migration waits for the lock of a table. Requests that need the table meanwhile wait behind it, so this is
 * a part of what they may wait.
 */
const MIGRATION_LOCK_MS = 400;

/**
 * The options of the entity manager and its pool. Connections and queries time out instead of hanging on a stopped
 * server.
 */
function ormOptions(
  databaseUrl: string,
  entities: NonNullable<Options['entities']>,
  { migrates = false, pooler = null }: OrmOptions,
  opened: (pool: pg.Pool) => void,
): Options {
  const queryTimeoutMs = migrates ? 0 : limitsOf(databaseUrl).statementMs;
  // 0 sets no limit, for migrations.
  const { connectionString, ...session } = sessionOptions(databaseUrl, queryTimeoutMs, pooler);
  return {
    clientUrl: connectionString,
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: { path: MIGRATIONS, emit: 'ts', snapshot: false, disableForeignKeys: false, allOrNothing: false },
    schemaGenerator: { ignoreSchema: ['pgboss'] },
    // `OnlineMigration` changes settings of its connection, so there must be only one.
    pool: { min: 0, max: migrates ? 1 : 12 },
    driverOptions: {
      connectionTimeoutMillis: limitsOf(databaseUrl).connectMs,
      ...session,
      ...(migrates ? { lock_timeout: MIGRATION_LOCK_MS } : {}),
      application_name: 'quittance',
      onPoolCreated(pool: pg.Pool) {
        opened(pool);
        pool.on('connect', (client) => prepareClient(client, queryTimeoutMs));
      },
    },
    ensureDatabase: false,
    debug: false,
    // Commands write their results to stdout, so migrations must not log their progress there.
    logger: () => {},
  };
}

/**
 * Reads int8 as numbers, and returns a lost connection to its pool. Kysely does not release the client of a transaction
 * whose `begin`, `commit` or `rollback` failed; after a few of them the pool would be exhausted. So a client whose
 * query times out is closed, and a closed client is released here, once.
 */
function prepareClient(client: pg.PoolClient, queryTimeoutMs: number): void {
  // The pool listens only while the client is idle.
  client.on('error', () => {});
  client.setTypeParser(INT8, Number);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  Object.assign(client, {
    query(...given: unknown[]) {
      const answer = query(...given);
      if (!(answer instanceof Promise)) return answer;
      const answered = queryTimeoutMs > 0 ? cutAfter(client, queryTimeoutMs) : () => {};
      answer.then(answered, (error: unknown) => {
        answered();
        if (isDatabaseAway(error)) streamOf(client).destroy();
      });
      return answer;
    },
  });
  client.on('end', () => {
    const { release } = client;
    Object.assign(client, { release() {} });
    try {
      release?.call(client, new Error('The connection was lost'));
    } catch {
      // It was idle, so the pool has removed it already.
    }
  });
}

/** Creates the ORM for the given entities. */
export async function createOrm(
  databaseUrl: string,
  entities: NonNullable<Options['entities']>,
  options: OrmOptions = {},
): Promise<Orm> {
  let opened: pg.Pool | null = null;
  const orm = await MikroORM.init(
    ormOptions(databaseUrl, entities, options, (pool) => {
      opened = pool;
    }),
  );
  // It is opened by the first query.
  poolOf(orm).read = () => opened;
  return orm;
}
