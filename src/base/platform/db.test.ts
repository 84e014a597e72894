import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase, testSql, withProductionLimits } from '../../../test/support/database.ts';
import { batchedStatement, keyedStatement, runStatement, statement } from '../../../test/support/statement.ts';
import type { Db } from './db.ts';

const KEPT = keyedStatement<Kept>(
  'kept',
  ['shelf', 'name'],
  `select n, name, txid_current()::text as transaction
     from unnest($1::text[], $2::text[]) with ordinality as k(shelf, name, n) join kept using (shelf, name)`,
);

interface Kept {
  readonly name: string;
  readonly transaction: string;
}

async function shelf(): Promise<Db> {
  const db = await testSql();
  await runStatement(db, statement('make', 'create table kept (shelf text, name text)'), []);
  return db;
}

const put = (db: Db, name: string) => runStatement(db, statement('put', `insert into kept values ('a', $1)`), [name]);

test('rows requested in one tick are read in one statement, and each caller gets its row', async () => {
  const db = await shelf();
  await put(db, 'one');
  await put(db, 'two');
  const [one, none, two, again] = await Promise.all(
    ['one', 'none', 'two', 'one'].map((name) => db.one(KEPT, { shelf: 'a', name: name })),
  );
  expect([one?.name, none, two?.name, again?.name]).toEqual(['one', null, 'two', 'one']);
  expect(new Set([one, two, again].map((row) => row?.transaction)).size).toBe(1);
});

test('a row read after a commit includes it, whatever reads are in flight', async () => {
  const db = await shelf();
  const early = db.one(KEPT, { shelf: 'a', name: 'late' });
  await put(db, 'late');
  expect((await db.one(KEPT, { shelf: 'a', name: 'late' }))?.name).toBe('late');
  await early;
});

test('a key that cannot be read does not fail other keys', async () => {
  const db = await shelf();
  await put(db, 'good');
  const [good, bad] = await Promise.allSettled([
    db.one(KEPT, { shelf: 'a', name: 'good' }),
    db.one(KEPT, { shelf: 'a', name: 'bad\0' }),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled', value: { name: 'good' } });
  expect(bad.status).toBe('rejected');
});

interface Item {
  readonly name: string;
  readonly shelf: string | null;
}

const FILL = batchedStatement<Item, Kept>(
  'fill-shelves',
  `insert into kept select shelf, name from json_to_recordset($1::json) as i(shelf text, name text)
     where shelf is not null returning name, txid_current()::text as transaction`,
);

test('items written in one tick share a statement, and each caller gets its row after the commit', async () => {
  const db = await shelf();
  const names = ['one', 'two', 'three'];
  const rows = await Promise.all(
    names.map(async (name) => {
      const row = await db.write(FILL, { shelf: 'a', name });
      expect((await db.one(KEPT, { shelf: 'a', name }))?.name).toBe(name);
      return row;
    }),
  );
  expect(rows.map((row) => row?.name)).toEqual(names);
  expect(new Set(rows.map((row) => row?.transaction)).size).toBe(1);
});

test('an item that a statement leaves out has no row, and one that it refuses fails no other', async () => {
  const db = await shelf();
  const [written, without, refused] = await Promise.allSettled([
    db.write(FILL, { shelf: 'a', name: 'good' }),
    db.write(FILL, { shelf: null, name: 'none' }),
    db.write(FILL, { shelf: 'a\0', name: 'bad' }),
  ]);
  expect(written).toMatchObject({ status: 'fulfilled', value: { name: 'good' } });
  expect(without).toEqual({ status: 'fulfilled', value: null });
  expect(refused.status).toBe('rejected');
});

test('two items with one key are written by two statements', async () => {
  const db = await shelf();
  const rows = await Promise.all(['same', 'same', 'other'].map((name) => db.write(FILL, { shelf: 'a', name })));
  const [first, second, other] = rows.map((row) => row?.transaction);
  expect(first).toBe(other);
  expect(second).not.toBe(first);
});

test('many items that arrive while others are written are all written', async () => {
  const db = await shelf();
  const names = Array.from({ length: 700 }, (_, i) => `item ${i}`);
  const rows = await Promise.all(names.map((name) => db.write(FILL, { shelf: 'a', name })));
  expect(rows.map((row) => row?.name)).toEqual(names);
  expect(new Set(rows.map((row) => row?.transaction)).size).toBeLessThan(20);
});

test('more keys than fit one statement are all answered', async () => {
  const db = await shelf();
  await runStatement(db, statement('fill', `insert into kept select 'a', n::text from generate_series(1, 600) n`), []);
  const names = Array.from({ length: 600 }, (_, i) => String(i + 1));
  const rows = await Promise.all(names.map((name) => db.one(KEPT, { shelf: 'a', name: name })));
  expect(rows.map((row) => row?.name)).toEqual(names);
});

test('statements sent together get their own answers and errors', async () => {
  const db = await shelf();
  const echo = statement('echo', 'select $1::int as n');
  const answers = await Promise.allSettled([1, 'x', 3].map((n) => runStatement<{ n: number }>(db, echo, [n])));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.n : 'refused'))).toEqual([
    1,
    'refused',
    3,
  ]);
});

test('the server cancels a statement whose caller has timed out', async () => {
  const db = await testSql(withProductionLimits(await testDatabase()));
  await expect(runStatement(db, statement('sleep', 'select pg_sleep(60)'), [])).rejects.toMatchObject({
    code: 'datastore_unavailable',
  });
  const running = statement(
    'running',
    `select count(*) as n from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`,
  );
  await vi.waitFor(async () => expect(await runStatement<{ n: number }>(db, running, [])).toEqual([{ n: 0 }]));
});

test('a slow statement does not block others', async () => {
  const db = await shelf();
  const order: string[] = [];
  const slow = runStatement(db, statement('slow', 'select pg_sleep(1)', { slow: true }), []).then(() =>
    order.push('slow'),
  );
  const quick = Promise.all(Array.from({ length: 9 }, () => runStatement(db, statement('quick', 'select 1'), []))).then(
    () => order.push('quick'),
  );
  await Promise.all([slow, quick]);
  expect(order).toEqual(['quick', 'slow']);
});

test('reads by key are planned once for all keys', async () => {
  const db = await testSql();
  const planned = `(select generic_plans || ' ' || custom_plans from pg_prepared_statements where name = 'planned')`;
  const read = keyedStatement<{ planned: string }>(
    'planned',
    ['key'],
    `select n, ${planned} as planned from unnest($1::text[]) with ordinality k(key, n)`,
  );
  const plans: string[] = [];
  for (let i = 0; i < 20; i++) plans.push((await db.one(read, { key: `${i}` }))!.planned);
  expect(plans.at(-1)).toBe('10 0');
});

test('a close waits for the statements that run, and no later one opens a connection again', async () => {
  const databaseUrl = await testDatabase();
  const db = await testSql(databaseUrl);
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(7)');
  const lock = `pg_advisory_xact_lock_shared(7)::text as lock`;
  const wait = statement('wait', `select ${lock}`);
  const waitOf = keyedStatement(
    'wait-of',
    ['key'],
    `select n, ${lock} from unnest($1::text[]) with ordinality k(key, n)`,
  );
  const first = Promise.allSettled([runStatement(db, wait), db.one(waitOf, { key: 'a' })]);
  const second = first.then(() => Promise.allSettled([runStatement(db, wait), db.one(waitOf, { key: 'a' })]));
  const connections = async (condition: string) => {
    const { rows } = await holder.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and application_name = 'quittance' and ${condition}`,
    );
    return rows[0].n;
  };
  await expect.poll(() => connections(`wait_event = 'advisory'`)).toBe(2);
  const closed = db.close();
  await holder.query('select pg_advisory_unlock(7)');
  await closed;
  expect(await first).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  const refused = { status: 'rejected', reason: { code: 'datastore_unavailable' } };
  expect(await second).toMatchObject([refused, refused]);
  await expect.poll(() => connections('true')).toBe(0);
});
