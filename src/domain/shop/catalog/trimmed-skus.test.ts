import pg from 'pg';
import { expect, test } from 'vitest';
import { Migration20261128100000_trimmed_skus } from '../../../../migrations/Migration20261128100000_trimmed_skus.ts';
import { testDatabase } from '../../../../test/support/database.ts';

test('the migration takes the spaces from SKUs, and two products never get the same one', async () => {
  const client = new pg.Client({ connectionString: await testDatabase() });
  await client.connect();
  try {
    const skus = ['PLAIN', ' ALONE\u00a0', 'TWICE ', '\ufeffTWICE', 'TAKEN', 'TAKEN\t'];
    for (const [i, sku] of skus.entries())
      await client.query(
        `insert into inventory_items (merchant, id, sku, name, price_usd_cents, images, tags, created_at, updated_at)
         values ('0x1', $1, $2, 'x', 1, '[]', '{}', 1, 1)`,
        [`item_${i}`, sku],
      );
    class Run extends Migration20261128100000_trimmed_skus {
      override async execute(text: string, values: unknown[] = []) {
        let n = 0;
        return (
          await client.query(
            text.replaceAll('?', () => `$${++n}`),
            values,
          )
        ).rows as never;
      }
    }
    const run = new Run({} as never, {} as never);
    const read = async () =>
      (await client.query<{ sku: string }>('select sku from inventory_items order by id')).rows.map(({ sku }) => sku);
    await run.up();
    const once = await read();
    expect(once).toEqual(['PLAIN', 'ALONE', 'TWICE-item_2', 'TWICE-item_3', 'TAKEN', 'TAKEN-item_5']);
    await run.up();
    expect(await read()).toEqual(once);
  } finally {
    await client.end();
  }
});
