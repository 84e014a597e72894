import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import { createDb, type Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { encrypt } from '../../../base/platform/secrets.ts';
import { checkEncryptionKey, noteSessionSecret } from './check-secrets.ts';

async function openDatabase(): Promise<Db> {
  const { databaseUrl, drop } = await createDatabase();
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, createLog('silent'));
  onTestFinished(async () => {
    await Promise.all([db.close(), orm.close()]);
    await drop();
  });
  return db;
}

const check = (db: Db, keyEncryptionKey: string) => checkEncryptionKey(db, { keyEncryptionKey } as Settings);

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

const addKey = (database: Db, sealedWith: string) =>
  database.run(ADD_KEY, { sealed: encrypt(sealedWith, 'key_1', 'qk_secret') });

test('an empty database accepts the key and then refuses any other', async () => {
  const db = await openDatabase();
  await check(db, 'right');
  await expect(check(db, 'wrong')).rejects.toEqual(fault);
  await check(db, 'right');
});

test('a database without a check value accepts only a key that decrypts its API keys', async () => {
  const db = await openDatabase();
  await addKey(db, 'right');
  await expect(check(db, 'wrong')).rejects.toEqual(fault);
  await check(db, 'right');
  await expect(check(db, 'wrong')).rejects.toEqual(fault);
});

test('an operator who has lost the key can empty the check value, and the next key is accepted', async () => {
  const db = await openDatabase();
  await addKey(db, 'lost');
  await check(db, 'lost');
  await db.run(FORGET, {});
  await check(db, 'new');
  await expect(check(db, 'lost')).rejects.toEqual(fault);
  await check(db, 'new');
});

test('if two processes with different keys start on an empty database at once, one is refused', async () => {
  const db = await openDatabase();
  const results = await Promise.allSettled([check(db, 'one'), check(db, 'other')]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a changed JWT_SECRET is logged once and does not prevent the start', async () => {
  const db = await openDatabase();
  const logged: string[] = [];
  const log = { warn: (line: string) => void logged.push(line) } as never;
  const start = (jwtSecret: string) =>
    noteSessionSecret({ db, log, settings: { jwtSecret, previousJwtSecret: null } as Settings });
  await start('first');
  await start('first');
  expect(logged).toEqual([]);
  await start('second');
  await start('second');
  expect(logged).toEqual(['JWT_SECRET was changed: all sessions and page tokens end']);
});
