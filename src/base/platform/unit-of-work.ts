import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { refuse } from '../core/errors.ts';
import { watchLoop } from '../core/loop-time.ts';
import { traced } from '../core/traced.ts';
import { isDatabaseAway } from './log/outage.ts';
import type { Orm } from './orm.ts';
import { type Database, queryBuilderOf } from './postgres/database.ts';
import type { Query } from './postgres/query.ts';

/**
 * One transaction, and the actions that wait for its commit. Nothing leaves the process before the commit: jobs are
 * rows of the same transaction, and messages on the bus are deferred with `afterCommit`.
 */
export interface UnitOfWork {
  /** The typed query builder on this transaction's connection. */
  readonly db: Kysely<Database>;
  /** Runs a query that was defined with `query`, with its named parameters. */
  run<Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters): Promise<Row[]>;
  /** Runs `action` after the commit; never after a rollback. */
  afterCommit(action: () => void): void;
}

/**
 * Errors of the pool when no connection was opened or free in time. The limit is a plain timer, so it also expires
 * while this process is blocked.
 */
const NOT_CONNECTED = /timeout exceeded when trying to connect|connection timeout|timeout expired/i;

/** Serialization failure and deadlock: the transaction may be retried. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

/** Runs `work` in one transaction of a model's connection. See `Db.transaction`. */
export function transact<T>(orm: Orm, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
  return traced(TRANSACTION, () => tryTransaction(orm, work));
}

const TRANSACTION = {
  kind: 'statement',
  name: 'transaction',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

async function tryTransaction<T>(orm: Orm, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const actions: (() => void)[] = [];
    const loop = watchLoop();
    try {
      const result = await orm.em.fork().transactional((em) => work(openUnit(em as EntityManager, actions)));
      for (const action of actions) action();
      return result;
    } catch (error) {
      if (attempt < ATTEMPTS && (RETRYABLE.has(codeOf(error)) || (loop.wasBlocked() && isNotConnected(error))))
        continue;
      throw isDatabaseAway(error) ? refuse('datastore_unavailable') : error;
    } finally {
      loop.end();
    }
  }
}

const isNotConnected = (error: unknown): boolean => error instanceof Error && NOT_CONNECTED.test(error.message);

function openUnit(em: EntityManager, actions: (() => void)[]): UnitOfWork {
  const transaction = em.getTransactionContext() as Kysely<Database>;
  let db: Kysely<Database> | undefined;
  const builder = () => (db ??= queryBuilderOf(em));
  const execute = async <Row>(text: string, parameters: readonly unknown[] = []) =>
    (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
  return {
    get db() {
      return builder();
    },
    run<Parameters extends object, Row>(query: Query<Parameters, Row>, parameters: Parameters) {
      const { text, values } = query.compile(builder);
      return execute<Row>(text, values(parameters));
    },
    afterCommit: (action) => actions.push(action),
  };
}

/** PostgreSQL's error code, from the error or its causes; empty if there is none. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : '';
}
