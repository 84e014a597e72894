import pg from 'pg';
import { refuse } from '../../core/errors.ts';
import type { TickBatch } from '../tick-batch.ts';
import { limitsOf } from './database-limits.ts';
import { INT8 } from './int8.ts';
import { cutAfter, streamOf } from './pg-stream.ts';
import { type Pooler, sessionOptions } from './pooler.ts';

const RETRY_MS = 250;

/**
 * PostgreSQL plans a prepared statement for each execution where it takes the given values for cheaper than unknown
 * ones, as it does with a list of one key. Planning takes longer than a look-up by key.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan';

/** A connection that sends statements without waiting for earlier answers. */
export interface PipelinedConnection {
  client(): Promise<pg.Client> | pg.Client;
  /** Defers the writes to a client, so that the statements of one tick are sent in one write. */
  gather(client: pg.Client): void;
  close(): Promise<void>;
}

/** Where a connection leads, and what records whether it was opened. */
export interface Lead {
  readonly databaseUrl: string;
  readonly pooler: Pooler;
  /** Whether the plan of each statement is the same for all values. A pooler in transaction mode does not allow it. */
  readonly plannedOnce?: boolean;
  readonly answers: () => void;
  readonly refused: (error: unknown) => void;
}

/**
 * A connection that is opened on first use and after a loss, at most every `RETRY_MS`. Once it is closed it stays
 * closed: a statement that came later would open it again, and keep the process alive.
 */
export function openConnection(
  { databaseUrl, pooler, plannedOnce = false, answers, refused }: Lead,
  tickBatch: TickBatch,
): PipelinedConnection {
  let isClosed = false;
  let open: pg.Client | null = null;
  let opening: Promise<pg.Client> | null = null;
  let refusedUntil = 0;
  let gathering = false;
  const { connectMs, statementMs } = limitsOf(databaseUrl);

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      // The server cancels as well: a statement whose caller has timed out must not block later ones.
      ...sessionOptions(databaseUrl, statementMs, pooler),
      pipeline: true,
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
      if (plannedOnce && pooler === null) await client.query(PLAN_ONCE);
      answers();
      open = client;
      return client;
    } catch (error) {
      refusedUntil = performance.now() + RETRY_MS;
      refused(error);
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
      if (isClosed || performance.now() < refusedUntil) throw refuse('datastore_unavailable');
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
      isClosed = true;
      const client = open ?? (await opening?.catch(() => null));
      open = null;
      await client?.end();
    },
  };
}
