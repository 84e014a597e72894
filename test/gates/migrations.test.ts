import { expect, test } from 'vitest';
import { migrationFaults } from './migrations.ts';

const AFTER = 'migrations/Migration20991231000000_cups.ts';

/** A migration with these statements. */
const planted = (statements: string[], path = AFTER, base = 'Migration') => ({
  path,
  text: `export class Cups extends ${base} { up() { ${statements.map((sql) => `this.addSql(\`${sql}\`);`).join('\n')} } }`,
});
const faultsOf = (...statements: string[]) => migrationFaults([planted(statements)]);

test.each([
  'create index cups_size on receipts (size)',
  'create unique index if not exists cups_size on receipts (size)',
  'create index concurrently cups_size on receipts (size)',
  'drop index receipts_in_flight',
  'alter table receipts add column memo text not null default gen_random_uuid()::text',
  "alter table receipts add column a text null default 'x', add column b text default random()",
  'alter table receipts add column position bigint generated always as identity not null',
  'alter table receipts alter column memo type bigint',
  'alter table receipts alter column memo set not null',
  'alter table receipts add constraint cups_check check (size > 0)',
  'alter table receipts add constraint cups_size unique (size)',
  'alter table receipts rename column memo to note',
  'alter table receipts rename to bills',
  'alter table receipts drop column memo',
  'alter table receipts drop memo',
  'drop table quotes',
  "update receipts set memo = ''",
  'delete from quotes where state = 1',
  'lock table receipts',
])('a migration that locks a table in use is reported: %s', (statement) => {
  expect(faultsOf(statement)).toHaveLength(1);
});

test('what holds its lock only for a moment passes', () => {
  const statements = [
    'create table cups (size bigint not null)',
    'create index cups_size on cups (size)',
    'alter table cups add constraint cups_check check (size > 0)',
    "alter table receipts add column memo text null, add column at bigint not null default '0', add column on_at bool default false",
    'alter table receipts alter column memo drop not null, alter column at drop default',
    'alter table receipts add constraint memo_check check (memo is not null) not valid',
    'alter table receipts add constraint receipts_memo unique using index receipts_memo',
    'insert into cups (size) values (1) on conflict (size) do update set size = 2',
  ];
  expect(faultsOf(...statements)).toEqual([]);
});

test('a column is dropped and renamed only in a step that says that it is a contract', () => {
  const drop = ['alter table receipts drop column memo', 'drop table cups'];
  expect(migrationFaults([planted(drop, 'migrations/Migration20991231000000_contract_memo.ts')])).toEqual([]);
});

test('an online migration passes whose statements each hold their lock only for a moment', () => {
  const text = `export class Cups extends OnlineMigration { async up() {
    await this.execute('alter table receipts add column if not exists memo text null');
    await this.execute('alter table quotes add column if not exists memo text null');
    await this.inBatches("update receipts set memo = '' where memo is null");
    await this.setNotNull('receipts', 'memo');
    await this.execute("do $$ begin for r in select 1 loop update users set bio = ''; commit; end loop; end $$"); } }`;
  expect(migrationFaults([{ path: AFTER, text }])).toEqual([]);
});

test.each([
  'create table cups (size int)',
  'create index cups_size on cups (size)',
  'create sequence cups_numbers',
  'alter table "receipts" add column "memo" text null',
])('an online migration whose statement cannot run again is reported: %s', (statement) => {
  const other = statement.startsWith('create index') ? ['create table if not exists cups (size int)'] : [];
  expect(migrationFaults([planted([...other, statement], AFTER, 'OnlineMigration')])).toHaveLength(1);
});

test('a transaction that locks two tables in use is reported', () => {
  const both = ['alter table transfers add column memo text null', 'alter table receipts add column memo text null'];
  expect(faultsOf(...both)).toEqual([expect.stringContaining('"transfers", "receipts"')]);
  expect(faultsOf('create table transfers (id int)', ...both)).toEqual([]);
});

test('names in quotes are names of tables, too', () => {
  expect(faultsOf('create index "cups_size" on "receipts" ("size")')).toHaveLength(1);
});
