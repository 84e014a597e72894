import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/run/scaling.md'), 'utf8');

/** Every table, with whether its merchant is the first column of its primary key. */
const TABLES = `
  select c.relname as name,
         exists (select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                  where i.indrelid = c.oid and i.indisprimary and a.attname = 'merchant') as "byMerchant"
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by 1`;

test('the page about scaling places every table, and by merchant only where its key begins with the merchant', async () => {
  const [, table = ''] = page.split(/<!-- \/?distribution -->/);
  const listed = [...table.matchAll(/^\| (\S+) \| (`.+`) \|$/gm)].flatMap(([, place, names]) =>
    [...(names as string).matchAll(/`(\w+)`/g)].map(([, name]) => [name as string, place] as const),
  );
  const places = new Map(listed);
  expect(listed).toHaveLength(places.size);
  const client = new pg.Client({ connectionString: await testDatabase() });
  await client.connect();
  const { rows } = await client.query<{ name: string; byMerchant: boolean }>(TABLES);
  await client.end();
  expect([...places.keys()].sort()).toEqual(rows.map(({ name }) => name).sort());
  for (const { name, byMerchant } of rows) {
    const place = places.get(name) as string;
    expect(['`merchant`', 'reference', 'local'], name).toContain(place);
    if (place === '`merchant`') expect(byMerchant, `the key of ${name}`).toBe(true);
  }
});
