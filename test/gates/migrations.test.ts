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

test('a column becomes not null after an earlier migration has validated the same check', () => {
  const check = `export class A extends OnlineMigration { async up() {
    await this.inBatches("update receipts set memo = '' where memo is null");
    await this.addCheck('receipts', 'memo_there', 'memo is not null'); } }`;
  const then = planted(['alter table receipts alter column memo set not null'], AFTER.replace('cups', 'memo_set'));
  expect(migrationFaults([{ path: AFTER, text: check }, then])).toEqual([]);
  expect(migrationFaults([then])).toHaveLength(1);
});

test('migrations that were written before the rules are not reported', () => {
  const old = 'migrations/Migration20261122213000_receipts_in_flight.ts';
  expect(migrationFaults([planted(['create index a on receipts (id)'], old)])).toEqual([]);
});
