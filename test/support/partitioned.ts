import pg from 'pg';

/** The number of hash partitions of each table. */
const PARTITIONS = 8;

/** The partition of a table that holds a merchant. All tables place a merchant in the partition of the same number. */
const partitionName = (table: string, number: number): string => `${table}_of_${number}`;

const WITH_MERCHANT =
  "select from pg_attribute m where m.attrelid = i.indrelid and m.attname = 'merchant' and m.attnum = any (i.indkey)";

/**
 * What a copy of a table does not take over: its statements, in the order in which they run. The merchant is added to a
 * unique index that lacks it, so that it holds within a merchant only.
 */
const DEFINITIONS = `
  select 1 as step, format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relname = $1 and k.contype = 'p'
  union all
  select 2, case when i.indisunique and not exists (${WITH_MERCHANT})
              then regexp_replace(pg_get_indexdef(i.indexrelid), '\\)( WHERE|$)', ', merchant)\\1')
              else pg_get_indexdef(i.indexrelid) end
    from pg_index i join pg_class c on c.oid = i.indrelid
   where c.relname = $1 and not i.indisprimary
  union all
  select 3, pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relname = $1 and not t.tgisinternal
   order by 1, 2`;

const ACROSS = `
  select c.relname as "table", array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
   where i.indisunique and c.relname = any ($1) and not exists (${WITH_MERCHANT})
   group by i.indexrelid, c.relname order by 1, 2`;

const FOREIGN_KEYS = `
  select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
   where k.contype = 'f' and k.connamespace = 'public'::regnamespace`;

const SEQUENCES = `
  select s.relname as name, a.attname as "column" from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
   where d.deptype = 'a' and c.relname = $1`;

/** The unique indexes that hold across merchants, as `table (column, column)`: partitions cannot enforce them. */
export async function uniqueAcrossMerchants(databaseUrl: string, tables: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ table: string; columns: string[] }>(ACROSS, [tables]);
  await client.end();
  return rows.map(({ table, columns }) => `${table} (${columns.join(', ')})`);
}

/**
 * Splits tables by the hash of their column `merchant` into eight partitions, with all of their rows, keys, indexes and
 * triggers.
 */
export async function partitionByMerchant(databaseUrl: string, tables: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const table of tables) await partition(client, table);
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function partition(client: pg.Client, table: string): Promise<void> {
  const { rows: definitions } = await client.query<{ text: string }>(DEFINITIONS, [table]);
  const { rows: sequences } = await client.query<{ name: string; column: string }>(SEQUENCES, [table]);
  await client.query(`alter table ${table} rename to whole`);
  await client.query(`create table ${table} (like whole including all excluding indexes) partition by hash (merchant)`);
  for (const { name, column } of sequences) await client.query(`alter sequence ${name} owned by ${table}.${column}`);
  for (let number = 0; number < PARTITIONS; number++)
    await client.query(
      `create table ${partitionName(table, number)} partition of ${table}
         for values with (modulus ${PARTITIONS}, remainder ${number})`,
    );
  await client.query(`insert into ${table} overriding system value select * from whole`);
  await client.query('drop table whole');
  for (const { text } of definitions) await client.query(text);
}
