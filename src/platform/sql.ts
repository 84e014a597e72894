import pg from 'pg';
import { refuse } from '../core/errors.ts';
import { statements } from '../core/observed.ts';
import { createBatchedRead, type Key } from './batched-read.ts';
import { createBatchedWrite, type Write } from './batched-write.ts';
import { queryBuilderOf } from './database.ts';
import { isDatabaseAway } from './database-away.ts';
import { limitsOf } from './database-limits.ts';
import type { Logger } from './log.ts';
import type { Orm } from './orm.ts';
import { databaseAnswers, databaseRefused } from './outage.ts';
import { cutAfter, streamOf } from './pg-stream.ts';
import { definedQueries, type KeyedQuery, type Query, type Statement } from './query.ts';
import { createTickBatch, type TickBatch } from './tick-batch.ts';

/**
 * The hot path to PostgreSQL: a few connections that send prepared statements without waiting for earlier answers. Each
 * statement is its own transaction; use the unit of work for several statements.
 */
export interface Sql {
  /**
   * Runs a defined query with its named parameters. Throws `datastore_unavailable` if the database cannot be reached.
   */
  run<Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters): Promise<Row[]>;
  /**
   * Reads one row by its key, or null. Reads of one tick share a statement and rows, so rows must not be changed.
   * Errors: as `run`.
   */
  one<Key extends object, Row>(query: KeyedQuery<Key, Row>, key: Key): Promise<Row | null>;
  /**
   * Writes one item. Items of one tick, and those that arrive while earlier ones are written, share a statement and its
   * commit. Resolves with the item's row after the commit; null if there is none. Errors: as `run`.
   */
  readonly write: Write;
  close(): Promise<void>;
}

const CONNECTIONS = 3;
const RETRY_MS = 250;

/** The type id of int8. Counts and cents are far below 2^53, so they are read as numbers. */
export const INT8 = 20;

/**
 * Opens the pipelined connections to `databaseUrl`. They reconnect. Compiles every defined query, so that no request
 * waits for it.
 */
export function createSql(databaseUrl: string, orm: Orm, log: Logger): Sql {
  const db = () => queryBuilderOf(orm.em);
  const { statementMs } = limitsOf(databaseUrl);
  for (const query of definedQueries()) query.compile(db);
  const tickBatch = createTickBatch();
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(databaseUrl, log, tickBatch));
  const slowConnection = openConnection(databaseUrl, log, tickBatch);
  let next = 0;

  function connectionFor(query: Statement): PipelinedConnection {
    if (query.slow) return slowConnection;
    next = (next + 1) % CONNECTIONS;
    return connections[next]!;
  }

  async function rows<Row>(query: Statement, parameters: readonly unknown[]): Promise<Row[]> {
    const startedMs = statements.hasSubscribers ? performance.now() : 0;
    let failed = true;
    let answered = () => {};
    try {
      const connection = connectionFor(query);
      const found = connection.client();
      const client = found instanceof Promise ? await found : found;
      answered = cutAfter(client, statementMs);
      connection.gather(client);
      const result = await client.query({ name: query.name, text: query.text, values: parameters as unknown[] });
      failed = false;
      return result.rows as Row[];
    } catch (error) {
      throw isDatabaseAway(error) ? refuse('datastore_unavailable') : error;
    } finally {
      answered();
      if (startedMs > 0) statements.publish({ name: query.name, startedMs, failed });
    }
  }

  function run<Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters) {
    const compiled = query.compile(db);
    return rows<Row>(compiled, compiled.values(parameters));
  }

  const row = createBatchedRead(rows, tickBatch) as <Row>(statement: Statement, key: Key) => Promise<Row | null>;
  return {
    run,
    write: createBatchedWrite(run, tickBatch),
    one: <Key extends object, Row>(query: KeyedQuery<Key, Row>, key: Key) =>
      row<Row>(
        query.compile(db),
        query.parts.map((part) => key[part] as string),
      ),
    async close() {
      await Promise.all([...connections, slowConnection].map((connection) => connection.close()));
    },
  };
}

interface PipelinedConnection {
  client(): Promise<pg.Client> | pg.Client;
  /** Defers the writes to a client, so that the statements of one tick are sent in one write. */
  gather(client: pg.Client): void;
  close(): Promise<void>;
}

/** A connection that is opened on first use and after a loss, at most every `RETRY_MS`. */
function openConnection(connectionString: string, log: Logger, tickBatch: TickBatch): PipelinedConnection {
  let open: pg.Client | null = null;
  let opening: Promise<pg.Client> | null = null;
  let refusedUntil = 0;
  let gathering = false;
  const { connectMs, statementMs } = limitsOf(connectionString);

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString,
      pipeline: true,
      // The server cancels as well: a statement whose caller has timed out must not block later ones.
      statement_timeout: statementMs,
      keepAlive: true,
      application_name: 'quittance',
    } as pg.ClientConfig);
    client.setTypeParser(INT8, Number);
    const lost = () => {
      if (open === client) open = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    const connected = cutAfter(client, connectMs);
    try {
      await client.connect();
      databaseAnswers(log);
      open = client;
      return client;
    } catch (error) {
      refusedUntil = performance.now() + RETRY_MS;
      databaseRefused(log, error);
      await client.end().catch(() => {});
      throw refuse('datastore_unavailable');
    } finally {
      connected();
      opening = null;
    }
  }

  return {
    client() {
      if (open) return open;
      if (performance.now() < refusedUntil) throw refuse('datastore_unavailable');
      opening ??= connect();
      return opening;
    },
    gather(client) {
      if (gathering) return;
      gathering = true;
      const stream = streamOf(client);
      stream.cork();
      tickBatch.atEnd(() => {
        gathering = false;
        stream.uncork();
      });
    },
    async close() {
      const client = open ?? (await opening?.catch(() => null));
      open = null;
      await client?.end();
    },
  };
}
