import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { Logger } from '../log/log.ts';
import { openConnection, type PipelinedConnection } from './pipelined-connection.ts';
import type { Pooler } from './pooler.ts';
import type { Statement } from './query.ts';
import type { TickBatch } from './tick-batch.ts';

/** A replica of the database, for statements that only read. */
export interface Replica {
  /**
   * Runs a statement on the replica once it has everything that was committed before the call. If it does not catch up
   * soon, or fails, the statement runs on the primary.
   */
  read<Row>(statement: Statement, parameters: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Around {
  readonly send: <Row>(
    connection: PipelinedConnection,
    statement: Statement,
    given: readonly unknown[],
  ) => Promise<Row[]>;
  readonly onPrimary: <Row>(statement: Statement, given: readonly unknown[]) => Promise<Row[]>;
  readonly tickBatch: TickBatch;
  readonly log: Logger;
}

/** How long a read waits for the replica to catch up. */
const CATCH_UP_MS = 50;
const CATCH_UP_PAUSE_MS = 5;
/** How long a read waits for an answer of the replica about its position. */
const ANSWER_MS = 250;
/** How long all reads go to the primary after the replica was behind or failed. */
const AVOID_MS = 1_000;

const WRITTEN: Statement = {
  name: 'replica-written',
  text: 'select pg_current_wal_insert_lsn()::text as position',
};
/** Null outside recovery: a server that takes writes is no replica. */
const HAS_REPLAYED: Statement = {
  name: 'replica-replayed',
  text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn and pg_is_in_recovery() as "hasAll"',
};
/** A query on a replica was cancelled because it was in the way of replay. */
const CONFLICT = '40001';

/** Opens two connections to a replica, one of them for slow statements. They reconnect. */
export function openReplica(
  { databaseUrl, pooler }: { readonly databaseUrl: string; readonly pooler: Pooler },
  { send, onPrimary, tickBatch, log }: Around,
): Replica {
  const lead = { databaseUrl, pooler, answers: () => {}, refused: () => {} };
  const connection = openConnection(lead, tickBatch);
  const slowConnection = openConnection(lead, tickBatch);
  let avoidedUntil = 0;
  let isUsed = true;
  /** The question that is not asked yet, and the last one of all. */
  let next: Promise<boolean> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function avoid(reason: string): void {
    avoidedUntil = performance.now() + AVOID_MS;
    if (isUsed) log.warn({ reason }, 'reads go to the primary, not to the replica');
    isUsed = false;
  }

  /** Whether the replica has everything that was committed before this call, perhaps after a short wait. */
  async function catchesUp(): Promise<boolean> {
    const [written] = await onPrimary<{ position: string }>(WRITTEN, []);
    const deadline = performance.now() + CATCH_UP_MS;
    try {
      for (;;) {
        const answer = send<{ hasAll: boolean | null }>(connection, HAS_REPLAYED, [written!.position]);
        // After a time-out, its failure is not awaited.
        answer.catch(() => {});
        const answers = await Promise.race([answer, pause(ANSWER_MS, null)]);
        if (answers?.[0]?.hasAll) break;
        if (answers === null || performance.now() > deadline) {
          avoid(
            answers === null ? 'it does not answer' : answers[0]?.hasAll === null ? 'it is no replica' : 'it is behind',
          );
          return false;
        }
        await pause(CATCH_UP_PAUSE_MS);
      }
    } catch (error) {
      avoid((error as Error).message);
      return false;
    }
    if (!isUsed) log.info('reads go to the replica again');
    isUsed = true;
    return true;
  }

  /** As `catchesUp`. Calls share an answer whose question was asked after them. */
  function hasAll(): Promise<boolean> {
    if (next === null) {
      next = last.then(() => {
        next = null;
        return catchesUp();
      });
      last = next.catch(() => {});
    }
    return next;
  }

  return {
    async read<Row>(statement: Statement, parameters: readonly unknown[]): Promise<Row[]> {
      if (performance.now() < avoidedUntil || !(await hasAll())) return onPrimary<Row>(statement, parameters);
      try {
        return await send<Row>(statement.slow ? slowConnection : connection, statement, parameters);
      } catch (error) {
        const isAway = error instanceof Refusal;
        if (!isAway && (error as { readonly code?: string }).code !== CONFLICT) throw error;
        if (isAway) avoid(error.message);
        return onPrimary<Row>(statement, parameters);
      }
    },
    async close() {
      await Promise.all([connection.close(), slowConnection.close()]);
    },
  };
}
