import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from './log/log.ts';
import { databaseAnswers, databaseRefused } from './log/outage.ts';
import { limitsOf } from './postgres/connection-limits.ts';
import { streamOf } from './postgres/pg-stream.ts';
import { query } from './postgres/query.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * Handles a notification of a committed change. `null`: the connection was lost, and notifications may have been
 * missed.
 */
export type ChangeHandler = (payload: string | null) => void;

/** The connection that receives PostgreSQL notifications from other processes. */
export interface Listener {
  /** False while notifications would be lost. */
  listening(): boolean;
  close(): Promise<void>;
}

const RETRY_MS = 500;
/** The interval of a query that detects a connection that was cut silently. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 2_000;

// The function returns void, so no column is selected.
const NOTIFY = query(
  'notify',
  (_db, $: { channel: string; payload: string }) => sql<object>`select from pg_notify(${$.channel}, ${$.payload})`,
);

/**
 * Notifies the listeners of a channel in all processes, once the unit of work is committed. `payload` has at most 8000
 * bytes.
 */
export async function notify(uow: UnitOfWork, channel: string, payload: string): Promise<void> {
  await uow.run(NOTIFY, { channel, payload });
}

/**
 * Listens on each channel of `handlers`, over one connection that reconnects. Resolves after the first attempt, even if
 * the database is away.
 *
 * @example
 * const listener = await startListener(settings.databaseSessionUrl, { sessions: (id) => forgetSession(id) }, log);
 */
export async function startListener(
  databaseUrl: string,
  handlers: Readonly<Record<string, ChangeHandler>>,
  log: Logger,
): Promise<Listener> {
  const channels = Object.keys(handlers);
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let everListened = false;
  let closed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: limitsOf(databaseUrl).connectMs,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'quittance listener',
    });
    let isLost = false;
    const lost = () => {
      if (isLost) return;
      isLost = true;
      if (client === next) client = null;
      if (!closed) retry = setTimeout(() => void connect(), RETRY_MS);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ channel, payload }) => handlers[channel]?.(payload ?? ''));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      databaseRefused(log, error);
      cut(next);
      return lost();
    }
    if (closed) return void next.end();
    databaseAnswers(log);
    client = next;
    // From here on no notification is missed, so the handlers may now read the current state.
    if (everListened) for (const handler of Object.values(handlers)) handler(null);
    everListened = true;
  }

  const heartbeat = setInterval(() => {
    const probed = client;
    probed?.query('select 1').catch(() => cut(probed));
  }, HEARTBEAT_MS);
  heartbeat.unref();

  await connect();
  return {
    listening: () => client !== null,
    async close() {
      closed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/** Closes a connection without waiting for the server, which may not answer. */
function cut(client: pg.Client): void {
  streamOf(client).destroy();
}
