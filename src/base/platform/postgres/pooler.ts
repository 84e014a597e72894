/**
 * The mode of the pooler between this process and the database. In transaction mode, two transactions of one connection
 * may run in two sessions of the database, so nothing may depend on a session: no named statement, no session setting,
 * no notification and no lock that outlives its transaction. Null: there is none.
 */
export type Pooler = 'transaction' | null;

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
