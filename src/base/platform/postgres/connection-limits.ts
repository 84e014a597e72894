import type { Pooler } from '../config/config.ts';

/** How long a request waits for the database, in milliseconds. */
export interface DatabaseLimits {
  /** For a connection, new or free in the pool. */
  readonly connectMs: number;
  /** For one statement, including its wait for locks. */
  readonly statementMs: number;
}

/** A request is answered within 2.5 s, whatever the database does, and also on a machine that has other work. */
const DEFAULTS: DatabaseLimits = { connectMs: 1_500, statementMs: 1_800 };

/**
 * The limits of a database URL, in libpq's terms: `connect_timeout` in seconds, and `options=-c statement_timeout=…` in
 * milliseconds.
 */
export function limitsOf(databaseUrl: string): DatabaseLimits {
  const { searchParams } = new URL(databaseUrl);
  const connectMs = Number(searchParams.get('connect_timeout')) * 1000;
  const statementMs = Number(/statement_timeout=(\d+)/.exec(searchParams.get('options') ?? '')?.[1] ?? 0);
  return { connectMs: connectMs || DEFAULTS.connectMs, statementMs: statementMs || DEFAULTS.statementMs };
}

/**
 * The parts of a connection's configuration that set up its session. A pooler in transaction mode refuses them, so its
 * own sessions must have a `statement_timeout`. Until then only this process limits the time of a statement.
 */
export function sessionOptions(databaseUrl: string, statementMs: number, pooler: Pooler) {
  if (pooler === null) return { connectionString: databaseUrl, statement_timeout: statementMs };
  const url = new URL(databaseUrl);
  url.searchParams.delete('options');
  return { connectionString: url.href };
}
