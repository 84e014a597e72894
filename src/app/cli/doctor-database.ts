import pg from 'pg';
import type { Finding } from './doctor-finding.ts';

/** How long a check waits for a connection, and for a statement. */
export const CONNECT_MS = 5_000;

/** The rows of one statement, over a connection of its own. */
export async function readOnce<Row extends object>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Older versions are not known to work. */
const VERSION_MIN = 150_000;

const RIGHTS = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as named,
         has_database_privilege(current_database(), 'create') as "mayCreateSchema",
         has_schema_privilege('public', 'create') as "mayCreateTable",
         current_setting('transaction_read_only')::bool as "readOnly",
         pg_has_role('pg_monitor', 'usage') as "mayMonitor", current_user as name,
         exists (select from pg_collation where collname = 'und-x-icu') as "hasLetters"`;

interface Rights {
  readonly version: number;
  readonly named: string;
  readonly mayCreateSchema: boolean;
  readonly mayCreateTable: boolean;
  readonly readOnly: boolean;
  readonly mayMonitor: boolean;
  readonly name: string;
  readonly hasLetters: boolean;
}

/** Checks the database: whether it answers, its version, and what the user may do. It needs no extension. */
export async function checkDatabase(connectionString: string | null): Promise<Finding[]> {
  if (connectionString === null)
    return [{ check: 'database', state: 'ok', found: 'the embedded PostgreSQL, which the server starts', fix: null }];
  try {
    const [rights] = await readOnce<Rights>(connectionString, RIGHTS);
    return rightsFindings(rights!);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const fix = 'Start PostgreSQL, or correct DATABASE_URL: host, port, user, password and database.';
    return [{ check: 'database', state: 'wrong', found: `it does not answer: ${message || code}`, fix }];
  }
}

function rightsFindings(rights: Rights): Finding[] {
  const { version, named, mayCreateSchema, mayCreateTable, readOnly, mayMonitor, name, hasLetters } = rights;
  const old = version < VERSION_MIN;
  const missing = [
    ...(mayCreateSchema ? [] : ['create a schema in the database']),
    ...(mayCreateTable ? [] : ['create tables in the schema public']),
  ];
  return [
    {
      check: 'database version',
      state: old ? 'wrong' : 'ok',
      found: `PostgreSQL ${named}`,
      fix: old ? 'Use PostgreSQL 15 or newer.' : null,
    },
    ...(hasLetters
      ? []
      : [
          {
            check: 'database collations',
            state: 'wrong' as const,
            found: 'the server has no order of letters ("und-x-icu"): it was built without ICU',
            fix: 'Use a PostgreSQL that was built with ICU, as all packages of the distributions are.',
          },
        ]),
    {
      check: 'database rights',
      state: missing.length > 0 || readOnly ? 'wrong' : 'ok',
      found: readOnly
        ? 'the database is read-only'
        : missing.length > 0
          ? `${name} may not ${missing.join(', nor ')}`
          : `${name} may create what the migrations need`,
      fix: readOnly
        ? 'Point DATABASE_URL to the primary, and check default_transaction_read_only.'
        : missing.length > 0
          ? `grant create on database … to "${name}"; grant create on schema public to "${name}";`
          : null,
    },
    {
      check: 'replica lag',
      state: mayMonitor ? 'ok' : 'note',
      found: mayMonitor ? `${name} may read it for the metrics` : `${name} may not read it: the metrics lack it`,
      fix: mayMonitor ? null : `grant pg_monitor to "${name}";`,
    },
  ];
}
