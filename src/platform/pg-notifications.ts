import pg from 'pg';
import type { Logger } from './log.ts';
import { databaseAnswers, databaseRefused } from './outage.ts';
import { streamOf } from './pg-stream.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * Is told what another process committed. `null` means that the connection was lost for a while: anything may have been missed.
 */
export type ChangeHandler = (payload: string | null) => void;

/** The connection on which PostgreSQL tells this process what others changed. */
export interface Listener {
  /** False while nothing would be heard. */
  listening(): boolean;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 1_500;
const RETRY_MS = 500;
/** A connection cut without a word looks open: it is asked this often whether it is. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 2_000;

/**
 * Announces `payload` on a channel to whoever listens, in all processes, once the unit of work is committed; never where it is not. At most 8000 bytes.
 */
export async function notify(uow: UnitOfWork, channel: string, payload: string): Promise<void> {
  await uow.sql('select pg_notify($1, $2)', [channel, payload]);
}

/**
 * Listens on each channel of `handlers`, over one connection that comes back by itself. Resolves after the first attempt, also where the database is
 * away.
 *
 * @example
 * const listener = await startListener(settings.databaseUrl, { sessions: (id) => forgetSession(id) }, log);
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
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'quittance listener',
    });
    let gone = false;
    const lost = () => {
      if (gone) return;
      gone = true;
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
    // Only now is nothing missed any more, so only now may the handlers look again.
    if (everListened) for (const handler of Object.values(handlers)) handler(null);
    everListened = true;
  }

  const heartbeat = setInterval(() => {
    const asked = client;
    asked?.query('select 1').catch(() => cut(asked));
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

/** Ends a connection without waiting for a server that may not answer. */
function cut(client: pg.Client): void {
  streamOf(client).destroy();
}
