import { expect, test } from 'vitest';
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

test('rows asked for at once are read in one statement, each answer going to who asked', async () => {
  const sql = await shelf();
  await put(sql, 'one');
  await put(sql, 'two');
  const [one, none, two, again] = await Promise.all(
    ['one', 'none', 'two', 'one'].map((name) => sql.row<Kept>(KEPT, ['a', name])),
  );
  expect([one?.name, none, two?.name, again?.name]).toEqual(['one', null, 'two', 'one']);
  expect(new Set([one, two, again].map((row) => row?.transaction)).size).toBe(1);
});

test('a row read after a commit shows it, whatever else is under way', async () => {
  const sql = await shelf();
  const early = sql.row<Kept>(KEPT, ['a', 'late']);
  await put(sql, 'late');
  expect((await sql.row<Kept>(KEPT, ['a', 'late']))?.name).toBe('late');
  await early;
});

test('a key that cannot be read fails alone', async () => {
  const sql = await shelf();
  await put(sql, 'good');
  const [good, bad] = await Promise.allSettled([
    sql.row<Kept>(KEPT, ['a', 'good']),
    sql.row<Kept>(KEPT, ['a', 'bad\0']),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled', value: { name: 'good' } });
  expect(bad.status).toBe('rejected');
});

test('more keys than one statement takes are all answered', async () => {
  const sql = await shelf();
  await sql.rows(statement('fill', `insert into kept select 'a', n::text from generate_series(1, 600) n`), []);
  const names = Array.from({ length: 600 }, (_, i) => String(i + 1));
  const rows = await Promise.all(names.map((name) => sql.row<Kept>(KEPT, ['a', name])));
  expect(rows.map((row) => row?.name)).toEqual(names);
});

test('statements sent together keep their own answers and their own errors', async () => {
  const sql = await shelf();
  const echo = statement('echo', 'select $1::int as n');
  const answers = await Promise.allSettled([1, 'x', 3].map((n) => sql.rows<{ n: number }>(echo, [n])));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.n : 'refused'))).toEqual([
    1,
    'refused',
    3,
  ]);
});
