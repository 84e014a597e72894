import type { Keeper } from '../core/kept.ts';
import type { Pooler } from './config/config.ts';
import type { Logger } from './log/log.ts';
import { databaseAnswers, databaseRefused } from './log/outage.ts';
import type { Orm } from './orm.ts';
import { createBatchedRead, type Key } from './postgres/batched-read.ts';
import { createBatchedWrite, type Write } from './postgres/batched-write.ts';
import { limitsOf } from './postgres/connection-limits.ts';
import { queryBuilderOf } from './postgres/database.ts';
import { type Lead, openConnection, type PipelinedConnection } from './postgres/pipelined-connection.ts';
import type { KeyedQuery, Query, Statement } from './postgres/query.ts';
import { openReplica } from './postgres/replica.ts';
import { sendStatement } from './postgres/send-statement.ts';
import { createTickBatch } from './postgres/tick-batch.ts';
import { transact, type UnitOfWork } from './unit-of-work.ts';

/**
 * The database. Statements are prepared and sent over a few connections without waiting for earlier answers; each is a
 * transaction of its own. `transaction` is for several statements.
 */
export interface Db extends Keeper {
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
  /**
   * Runs `work` in one transaction and commits it. It is retried after a serialization failure, a deadlock, or a
   * connection timeout while this process was blocked, so `work` must change nothing but the unit of work. Throws
   * `datastore_unavailable` if the database cannot be reached.
   */
  transaction<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
  /** The model of the tables, and the pool of transactions. */
  readonly orm: Orm;
  close(): Promise<void>;
}

/** The connections for reads by key. */
const LOOK_UP_CONNECTIONS = 2;
/** The connections for all other statements but slow ones, which have one of their own. */
const CONNECTIONS = 3;

type Run = <Row>(statement: Statement, parameters: readonly unknown[]) => Promise<Row[]>;

/** How statements reach the database. */
interface SqlOptions {
  /** In transaction mode, statements are sent without their names and are not prepared. */
  readonly pooler?: Pooler;
  /** A replica for statements that are defined with `replica`. */
  readonly readUrl?: string | null;
  /** What another handle of the same process keeps for this database. */
  readonly kept?: Keeper['kept'];
}

/**
 * Opens the pipelined connections to `databaseUrl`. They reconnect. A query is compiled when it first runs, which takes
 * less than a millisecond; all of them at once would take 0.2 s of each start and each command.
 */
export function createDb(
  databaseUrl: string,
  orm: Orm,
  log: Logger,
  { pooler = null, readUrl = null, kept = new Map() }: SqlOptions = {},
): Db {
  const db = () => queryBuilderOf(orm.em);
  const tickBatch = createTickBatch();
  const primary: Lead = {
    databaseUrl,
    pooler,
    answers: () => databaseAnswers(log),
    refused: (error) => databaseRefused(log, error),
  };
  const slowConnection = openConnection(primary, tickBatch);
  const connections = inTurn(CONNECTIONS, () => openConnection(primary, tickBatch));
  const lookUpConnections = inTurn(LOOK_UP_CONNECTIONS, () => openConnection({ ...primary, looksUp: true }, tickBatch));

  const sending = { named: pooler === null, limitMs: limitsOf(databaseUrl).statementMs };
  const send = <Row>(connection: PipelinedConnection, query: Statement, parameters: readonly unknown[]) =>
    sendStatement<Row>(connection, query, parameters, sending);
  const runOn =
    ({ next }: Connections) =>
    <Row>(query: Statement, parameters: readonly unknown[]) =>
      send<Row>(query.slow ? slowConnection : next(), query, parameters);
  const onPrimary = runOn(connections);
  const replica =
    readUrl === null ? null : openReplica({ databaseUrl: readUrl, pooler }, { send, onPrimary, tickBatch, log });
  const orOnReplica =
    (otherwise: Run) =>
    <Row>(query: Statement, parameters: readonly unknown[]) =>
      replica && query.replica ? replica.read<Row>(query, parameters) : otherwise<Row>(query, parameters);
  const rows = orOnReplica(onPrimary);
  const lookUp = orOnReplica(runOn(lookUpConnections));

  function run<Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters) {
    const compiled = query.compile(db);
    return rows<Row>(compiled, compiled.values(parameters));
  }

  const row = createBatchedRead(lookUp, tickBatch) as <Row>(statement: Statement, key: Key) => Promise<Row | null>;
  return {
    kept,
    run,
    write: createBatchedWrite(run, tickBatch),
    transaction: (work) => transact(orm, work),
    orm,
    one: <Key extends object, Row>(query: KeyedQuery<Key, Row>, key: Key) =>
      row<Row>(
        query.compile(db),
        query.parts.map((part) => key[part] as string),
      ),
    async close() {
      const all = [...connections.all, ...lookUpConnections.all, slowConnection, ...(replica ? [replica] : [])];
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

/** Connections that are used in turn. */
interface Connections {
  readonly all: readonly PipelinedConnection[];
  next(): PipelinedConnection;
}

function inTurn(count: number, open: () => PipelinedConnection): Connections {
  const all = Array.from({ length: count }, open);
  let at = 0;
  return {
    all,
    next() {
      at = (at + 1) % count;
      return all[at]!;
    },
  };
}
