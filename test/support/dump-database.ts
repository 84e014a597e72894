import pg from 'pg';

/** Every row of every table, as text. */
export async function dumpDatabase(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const dumps = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      dumps.push(name, ...rows.map(({ row }) => row));
    }
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}
