import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Config } from '../../base/platform/config/config.ts';
import { tryLock } from '../../base/platform/postgres/advisory-lock.ts';
import { CONNECT_MS } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';

/** A replica that is further behind serves few lists. */
const LAG_MAX_S = 60;

/** Opens a connection; null if the database does not answer. */
async function open(connectionString: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return null;
  }
}

const close = (clients: readonly (pg.Client | null)[]) =>
  Promise.all(clients.map((client) => client?.end().catch(() => {})));

/**
 * Checks that `DATABASE_URL` leads to sessions of their own, unless `DATABASE_POOLER` says otherwise: two connections
 * ask for one lock. Finds nothing if it does not answer: that is another check.
 */
export async function checkPooler({
  databaseUrl,
  databasePooler,
}: Pick<Config, 'databaseUrl' | 'databasePooler'>): Promise<Finding[]> {
  if (databaseUrl === null || databasePooler !== null) return [];
  const clients = await Promise.all([databaseUrl, databaseUrl].map(open));
  const [holder, other] = clients;
  const name = `doctor ${randomUUID()}`;
  try {
    if (!holder || !other) return [];
    await tryLock(holder, name);
    if (!(await tryLock(other, name))) return [];
    const found = 'it leads to a pooler that gives one session to several connections';
    const fix = 'Set DATABASE_POOLER=transaction and DATABASE_SESSION_URL, or name the database itself.';
    return [{ check: 'DATABASE_URL', state: 'wrong', found, fix }];
  } finally {
    await unlock(clients);
  }
}

/** A pooler would keep a lock with its session. */
async function unlock(clients: readonly (pg.Client | null)[]): Promise<void> {
  for (const client of clients) await client?.query('select pg_advisory_unlock_all()').catch(() => {});
  await close(clients);
}

/**
 * Checks `DATABASE_SESSION_URL`. A session holds a lock that two others ask for: one of the same URL gets it only if a
 * pooler gives both the same session, and one of `DATABASE_URL` only if that is another database.
 */
export async function checkSessionUrl({
  databaseUrl,
  databaseSessionUrl,
}: Pick<Config, 'databaseUrl' | 'databaseSessionUrl'>): Promise<Finding[]> {
  if (databaseUrl === null || databaseSessionUrl === null) return [];
  const check = 'DATABASE_SESSION_URL';
  const clients = await Promise.all([databaseSessionUrl, databaseSessionUrl, databaseUrl].map(open));
  const [holder, other, main] = clients;
  const name = `doctor ${randomUUID()}`;
  try {
    if (!holder || !other) {
      const fix = 'Correct DATABASE_SESSION_URL: host, port, user, password and database.';
      return [{ check, state: 'wrong', found: 'it does not answer', fix }];
    }
    if (!main) return [];
    await tryLock(holder, name);
    if (await tryLock(other, name)) {
      const fix = 'Name the database itself, or a pooler in session mode: leaders hold their locks there.';
      return [{ check, state: 'wrong', found: 'a pooler gives one session to several connections', fix }];
    }
    if (await tryLock(main, name)) {
      const fix = 'Let both URLs lead to the same database.';
      return [{ check, state: 'wrong', found: 'it is another database than DATABASE_URL', fix }];
    }
    return [{ check, state: 'ok', found: 'it is the database of DATABASE_URL, with sessions of its own', fix: null }];
  } finally {
    await unlock(clients);
  }
}

const STATE = `
  select pg_is_in_recovery() as "isReplica", (select epoch from stream_epoch) as epoch,
         extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as "sinceS",
         pg_last_wal_receive_lsn() is not distinct from pg_last_wal_replay_lsn() as "isLevel"`;

interface State {
  readonly isReplica: boolean;
  /** Differs between installations. */
  readonly epoch: string | null;
  /** Since the last transaction that was replayed; null if there was none. */
  readonly sinceS: number | null;
  /** Whether it has replayed all that it has received. */
  readonly isLevel: boolean;
}

const readState = async (client: pg.Client): Promise<State | null> =>
  (await client.query<State>(STATE).catch(() => null))?.rows[0] ?? null;

/** Checks `DATABASE_READ_URL`: that it is a replica of this installation, and how far it is behind. */
export async function checkReadUrl({
  databaseUrl,
  databaseReadUrl,
}: Pick<Config, 'databaseUrl' | 'databaseReadUrl'>): Promise<Finding[]> {
  if (databaseUrl === null || databaseReadUrl === null) return [];
  const check = 'DATABASE_READ_URL';
  const clients = await Promise.all([databaseReadUrl, databaseUrl].map(open));
  const [reader, main] = clients;
  try {
    if (!reader) {
      const fix = 'Start the replica, or correct DATABASE_READ_URL. Lists are read from DATABASE_URL meanwhile.';
      return [{ check, state: 'wrong', found: 'it does not answer', fix }];
    }
    const [state, expected] = [await readState(reader), main && (await readState(main))];
    if (!expected) return [];
    if (state === null || state.epoch !== expected.epoch) {
      const fix = 'Name a replica of the database of DATABASE_URL.';
      return [{ check, state: 'wrong', found: 'it is the database of another installation', fix }];
    }
    if (!state.isReplica) {
      const fix = 'Name a replica, or leave DATABASE_READ_URL out: it takes no load off the primary.';
      return [{ check, state: 'note', found: 'it is no replica', fix }];
    }
    const lagS = state.isLevel ? 0 : Math.round(state.sinceS ?? 0);
    const found = `a replica, ${lagS} s behind`;
    if (lagS <= LAG_MAX_S) return [{ check, state: 'ok', found, fix: null }];
    return [{ check, state: 'wrong', found, fix: 'Check the load of the replica, and long queries there.' }];
  } finally {
    await close(clients);
  }
}
