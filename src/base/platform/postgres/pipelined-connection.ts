import pg from 'pg';
import { refuse } from '../../core/errors.ts';
import type { Pooler } from '../config/config.ts';
import { limitsOf, sessionOptions } from './connection-limits.ts';
import { INT8 } from './int8.ts';
import { cutAfter, streamOf } from './pg-stream.ts';
import type { TickBatch } from './tick-batch.ts';

const RETRY_MS = 250;

/**
 * PostgreSQL would plan each look-up by key, because it takes a list of one key for cheaper than a list of unknown
 * length, and planning takes longer than the look-up. A plan that is kept must be right for tables of any size, so it
 * looks up each key in an index.
 */
export const LOOK_UP_SETTINGS = `
  select set_config(name, value, false)
    from (values ('plan_cache_mode', 'force_generic_plan'), ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'),
                 ('enable_mergejoin', 'off')) s(name, value)`;

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
  /** Whether it serves look-ups by key only. With a pooler in transaction mode this makes no difference. */
  readonly looksUp?: boolean;
  readonly answers: () => void;
  readonly refused: (error: unknown) => void;
}

/**
 * A connection that is opened on first use and after a loss, at most every `RETRY_MS`. Once it is closed it stays
 * closed: a statement that came later would open it again, and keep the process alive.
 */
export function openConnection(
  { databaseUrl, pooler, looksUp = false, answers, refused }: Lead,
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
      // A pooler takes connections without its database, so only an answer to a statement shows that it is there.
      await client.query(looksUp && pooler === null ? LOOK_UP_SETTINGS : 'select 1');
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
