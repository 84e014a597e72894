import type pg from 'pg';

/** One line for each column, constraint, index and sequence of the tables. The order of columns is a part of it. */
const DEFINITIONS = `
  select format('%s.%s %s: %s%s%s%s', table_name, column_name, ordinal, data_type, ' ' || collation_name,
           case when is_nullable = 'NO' then ' not null' end, ' ' || coalesce(column_default, identity)) as line
    from (select table_name, column_name, udt_name as data_type, collation_name, is_nullable, column_default,
                 identity_generation as identity,
                 row_number() over (partition by table_name order by ordinal_position) as ordinal
            from information_schema.columns where table_schema = 'public') c
  union all
  select format('%s: constraint %s %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
           case when not convalidated then ' not validated' end)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select format('%s%s', pg_get_indexdef(i.indexrelid), case when not (indisvalid and indisready) then ' invalid' end)
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
  union all
  select format('sequence %s of %s', s.oid::regclass, d.refobjid::regclass)
    from pg_class s left join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
   where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
   order by line`;

/** What the tables of a database are: their columns in order, constraints, indexes and sequences, one a line. */
export async function readTableDefinitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(DEFINITIONS);
  return rows.map(({ line }) => line);
}
