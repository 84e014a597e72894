import pg from 'pg';
import { expect, test } from 'vitest';
import { Migration20261128100000_trimmed_skus } from '../../../../migrations/Migration20261128100000_trimmed_skus.ts';
import { Migration20261130191000_plain_skus } from '../../../../migrations/Migration20261130191000_plain_skus.ts';
import { testDatabase } from '../../../../test/support/database.ts';

/** The SKUs after a migration has run once, and twice. */
async function migrated(Migration: typeof Migration20261128100000_trimmed_skus, skus: readonly string[]) {
  const client = new pg.Client({ connectionString: await testDatabase() });
  await client.connect();
  try {
    for (const [i, sku] of skus.entries())
      await client.query(
        `insert into inventory_items (merchant, id, sku, name, price_usd_cents, images, tags, created_at, updated_at)
         values ('0x1', $1, $2, 'x', 1, '[]', '{}', 1, 1)`,
        [`item_${i}`, sku],
      );
    class Run extends Migration {
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
    await run.up();
    expect(await read()).toEqual(once);
    return once;
  } finally {
    await client.end();
  }
}

test('the migration takes the spaces from SKUs, and two products never get the same one', async () => {
  const skus = ['PLAIN', ' ALONE\u00a0', 'TWICE ', '\ufeffTWICE', 'TAKEN', 'TAKEN\t'];
  const expected = ['PLAIN', 'ALONE', 'TWICE-item_2', 'TWICE-item_3', 'TAKEN', 'TAKEN-item_5'];
  expect(await migrated(Migration20261128100000_trimmed_skus, skus)).toEqual(expected);
});

test('the migration takes from SKUs what cannot be seen, as each save does, and two products never get the same one', async () => {
  const unseen = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => /\p{Default_Ignorable_Code_Point}/u.test(letter));
  expect(unseen.length).toBeGreaterThan(4_000);
  const many = Array.from({ length: Math.ceil(unseen.length / 200) }, (_, n) =>
    unseen.slice(n * 200, n * 200 + 200).join(''),
  );
  const skus = ['PLAIN', 'MU\u200bG', 'MUG', 'Cafe\u0301', '\u200e \u2060', ...many.map((each, n) => `A${each}B${n}`)];
  const expected = ['PLAIN', 'MUG-item_1', 'MUG', 'Caf\u00e9', '-item_4', ...many.map((_, n) => `AB${n}`)];
  expect((await migrated(Migration20261130191000_plain_skus, skus)).sort()).toEqual(expected.sort());
});
