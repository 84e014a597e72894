import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { makeDataDir } from '../../support/program.ts';
import { commands } from './run.ts';

test('only a server or migrate makes the tables: other commands, and a server with MIGRATE=off, name what to run', async () => {
  const { databaseUrl, drop } = await createDatabase({ empty: true });
  onTestFinished(drop);
  // Nothing gets as far as the chain.
  const chain = { CHAIN_ID: '8453', RPC_URL: 'http://127.0.0.1:1' };
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: databaseUrl, ...chain, MIGRATE: 'off' };
  const quittance = commands(env);
  const older = /^The database is older than this version: \d+ migrations are pending, .*Run: quittance migrate$/;
  expect(await commands({ ...env, MIGRATE: 'on' }).refused('merchant', 'list')).toMatch(older);
  const server = await quittance.run('serve');
  expect(server).toMatchObject({ code: 1, stdout: '' });
  expect(server.stderr.trimEnd().split('\n').at(-1)).toMatch(older);
  expect(await quittance.run('migrate')).toMatchObject({ code: 0, stderr: '' });
  expect(await quittance.json('merchant', 'list')).toEqual([]);
}, 240_000);
