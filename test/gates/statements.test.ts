import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type KeyColumns, keyedQuery, query } from '../../src/base/platform/postgres/query.ts';
import { testDatabase } from '../support/database.ts';
import { everyQuery, statementFaults } from './statements.ts';

test('the migrated database accepts every statement, and answers with the stated columns', async () => {
  const queries = await everyQuery();
  expect(await statementFaults(await testDatabase(), queries)).toEqual([]);
});

test('a statement that the database refuses, and a computed column without or with a wrong type, are faults', async () => {
  const missing = query('gate-missing-table', () => sql<object>`select from nowhere`);
  const unstated = query('gate-unstated', () => sql<{ total: number }>`select count(*) as total from receipts`);
  const wrong = query('gate-wrong', () => sql<{ total: number }>`select count(*) as total from receipts`, {
    computed: { total: 'int4' },
  });
  const spelled = query('gate-spelling', (db, _: object) => db.selectFrom('Merchant').selectAll());
  const right = query(
    'gate-right',
    (db, _: object) =>
      db
        .selectFrom('Merchant')
        .select(['brandKey', (eb) => eb.fn.countAll<number>().as('total')])
        .groupBy('brandKey'),
    {
      computed: { total: 'int8' },
    },
  );
  const keyed = keyedQuery('gate-keyed', ['wallet'], (db, key: KeyColumns<{ wallet: string }>) =>
    db.selectFrom('User as u').select('u.xp').where(sql<boolean>`u.wallet = ${key.wallet}`),
  );
  const faults = await statementFaults(await testDatabase(), [missing, unstated, wrong, spelled, right, keyed]);
  expect(faults).toContain('gate-missing-table: relation "nowhere" does not exist');
  expect(faults).toContain("gate-unstated: total is int8; state its type in 'computed'");
  expect(faults).toContain('gate-wrong: total is int8, not int4');
  expect(faults).toContain('gate-spelling: the column brand_key has no property name');
  expect(faults.filter((fault) => /^gate-(right|keyed)/.test(fault))).toEqual([]);
});
