import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { encrypt } from '../../../base/platform/secrets.ts';
import { createSql, type Sql } from '../../../base/platform/sql.ts';
import { checkEncryptionKey, noteSessionSecret } from './check-secrets.ts';

async function openDatabase(): Promise<Sql> {
  const { databaseUrl, drop } = await createDatabase();
  const orm = await createOrm(databaseUrl, entities);
  const sql = createSql(databaseUrl, orm, createLog('silent'));
  onTestFinished(async () => {
    await Promise.all([sql.close(), orm.close()]);
    await drop();
  });
  return sql;
}

const check = (sql: Sql, keyEncryptionKey: string) =>
  checkEncryptionKey({ sql, settings: { keyEncryptionKey } as Settings });

const fault = expect.objectContaining({
  lines: [expect.stringMatching(/^KEY_ENCRYPTION_KEY: is not the key that this database was written with/)],
});

const ADD_KEY = query('test-add-key', (db, $: { sealed: string }) =>
  db.insertInto('ApiKey').values({
    id: 'key_1',
    merchant: sql`'0xa'`,
    scopes: sql`'{}'`,
    digest: 'd',
    sealed: $.sealed,
    createdAt: 0,
  }),
);
const FORGET = query('test-forget-check', (db, _: object) =>
  db.updateTable('SecretCheck').set({ value: '' }).where('name', '=', 'KEY_ENCRYPTION_KEY'),
);

const addKey = (database: Sql, sealedWith: string) =>
  database.run(ADD_KEY, { sealed: encrypt(sealedWith, 'key_1', 'qk_secret') });

test('an empty database accepts the key and then refuses any other', async () => {
  const sql = await openDatabase();
  await check(sql, 'right');
  await expect(check(sql, 'wrong')).rejects.toEqual(fault);
  await check(sql, 'right');
});

test('a database without a check value accepts only a key that decrypts its API keys', async () => {
  const sql = await openDatabase();
  await addKey(sql, 'right');
  await expect(check(sql, 'wrong')).rejects.toEqual(fault);
  await check(sql, 'right');
  await expect(check(sql, 'wrong')).rejects.toEqual(fault);
});

test('an operator who has lost the key can empty the check value, and the next key is accepted', async () => {
  const sql = await openDatabase();
  await addKey(sql, 'lost');
  await check(sql, 'lost');
  await sql.run(FORGET, {});
  await check(sql, 'new');
  await expect(check(sql, 'lost')).rejects.toEqual(fault);
  await check(sql, 'new');
});

test('if two processes with different keys start on an empty database at once, one is refused', async () => {
  const sql = await openDatabase();
  const results = await Promise.allSettled([check(sql, 'one'), check(sql, 'other')]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a changed JWT_SECRET is logged once and does not prevent the start', async () => {
  const sql = await openDatabase();
  const logged: string[] = [];
  const log = { warn: (line: string) => void logged.push(line) } as never;
  const start = (jwtSecret: string) =>
    noteSessionSecret({ sql, log, settings: { jwtSecret, previousJwtSecret: null } as Settings });
  await start('first');
  await start('first');
  expect(logged).toEqual([]);
  await start('second');
  await start('second');
  expect(logged).toEqual(['JWT_SECRET was changed: all sessions and page tokens end']);
});
