import type { Pooler } from '../config/config.ts';

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
