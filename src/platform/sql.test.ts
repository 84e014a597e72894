import { expect, test, vi } from 'vitest';
import { testSql } from '../../test/support/database.ts';
import { type Sql, statement } from './sql.ts';

const KEPT = statement(
  'kept',
  `select n, name, txid_current()::text as transaction
     from unnest($1::text[], $2::text[]) with ordinality as k(shelf, name, n) join kept using (shelf, name)`,
);

interface Kept {
  readonly name: string;
  readonly transaction: string;
}

async function shelf(): Promise<Sql> {
  const sql = await testSql();
  await sql.rows(statement('make', 'create table kept (shelf text, name text)'), []);
  return sql;
}

const put = (sql: Sql, name: string) => sql.rows(statement('put', `insert into kept values ('a', $1)`), [name]);

test('rows requested in one tick are read in one statement, and each caller gets its row', async () => {
  const sql = await shelf();
  await put(sql, 'one');
  await put(sql, 'two');
  const [one, none, two, again] = await Promise.all(
    ['one', 'none', 'two', 'one'].map((name) => sql.row<Kept>(KEPT, ['a', name])),
  );
  expect([one?.name, none, two?.name, again?.name]).toEqual(['one', null, 'two', 'one']);
  expect(new Set([one, two, again].map((row) => row?.transaction)).size).toBe(1);
});

test('a row read after a commit includes it, whatever reads are in flight', async () => {
  const sql = await shelf();
  const early = sql.row<Kept>(KEPT, ['a', 'late']);
  await put(sql, 'late');
  expect((await sql.row<Kept>(KEPT, ['a', 'late']))?.name).toBe('late');
  await early;
});

test('a key that cannot be read does not fail other keys', async () => {
  const sql = await shelf();
  await put(sql, 'good');
  const [good, bad] = await Promise.allSettled([
    sql.row<Kept>(KEPT, ['a', 'good']),
    sql.row<Kept>(KEPT, ['a', 'bad\0']),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled', value: { name: 'good' } });
  expect(bad.status).toBe('rejected');
});

test('more keys than fit one statement are all answered', async () => {
  const sql = await shelf();
  await sql.rows(statement('fill', `insert into kept select 'a', n::text from generate_series(1, 600) n`), []);
  const names = Array.from({ length: 600 }, (_, i) => String(i + 1));
  const rows = await Promise.all(names.map((name) => sql.row<Kept>(KEPT, ['a', name])));
  expect(rows.map((row) => row?.name)).toEqual(names);
});

test('statements sent together get their own answers and errors', async () => {
  const sql = await shelf();
  const echo = statement('echo', 'select $1::int as n');
  const answers = await Promise.allSettled([1, 'x', 3].map((n) => sql.rows<{ n: number }>(echo, [n])));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.n : 'refused'))).toEqual([
    1,
    'refused',
    3,
  ]);
});

test('the name of a statement never exceeds PostgreSQL’s limit, and differs if name or text differ', () => {
  const long = 'items updatedAt desc merchant q category taxable stock min max tags-all';
  const names = [
    statement(long, 'select 1'),
    statement(long, 'select 2'),
    statement(`${long} more`, 'select 1'),
    statement(`${'é'.repeat(40)}`, 'select 1'),
    statement('short', 'select 1'),
  ].map(({ name }) => name);
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  expect(new Set(names).size).toBe(names.length);
  expect(statement(long, 'select 1').name).toBe(names[0]);
  expect(names[4]).toBe('short');
});

test('the server cancels a statement whose caller has timed out', async () => {
  const sql = await shelf();
  await expect(sql.rows(statement('sleep', 'select pg_sleep(60)'), [])).rejects.toMatchObject({
    code: 'datastore_unavailable',
  });
  const running = statement(
    'running',
    `select count(*) as n from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`,
  );
  await vi.waitFor(async () => expect(await sql.rows<{ n: number }>(running, [])).toEqual([{ n: 0 }]), {
    timeout: 20_000,
  });
});

test('a slow statement does not block others', async () => {
  const sql = await shelf();
  const order: string[] = [];
  const slow = sql.rows(statement('slow', 'select pg_sleep(1)', { slow: true }), []).then(() => order.push('slow'));
  const quick = Promise.all(Array.from({ length: 9 }, () => sql.rows(statement('quick', 'select 1'), []))).then(() =>
    order.push('quick'),
  );
  await Promise.all([slow, quick]);
  expect(order).toEqual(['quick', 'slow']);
});
