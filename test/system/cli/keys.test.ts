import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir } from '../../support/program.ts';
import { commands } from './run.ts';

const HOUR_MS = 3_600_000;

test('a key is issued with limits and an end, and rotated with an overlap', async () => {
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: await testDatabase(), RPC_URL: 'http://127.0.0.1:1' };
  const { json: run } = commands(env);
  const wallet = ['--wallet', `0x${'ab'.repeat(20)}`];
  await run('merchant', 'create', ...wallet, '--name', 'Shop');
  const limits = ['--days', '30', '--origins', 'https://shop.example', '--addresses', '192.0.2.0/24,2001:db8::1'];
  const { id } = await run('key', 'issue', ...wallet, '--scopes', 'receipts:read', ...limits);
  const next = await run('key', 'rotate', id, '--overlap-hours', '2');
  const [newest, oldest] = await run('key', 'list', ...wallet);
  const same = { origins: ['https://shop.example'], addresses: ['192.0.2.0/24', '2001:db8::1'] };
  expect(newest).toMatchObject({ id: next.id, replacedBy: null, ...same });
  expect(oldest).toMatchObject({ id, replacedBy: next.id, revokedAt: null, ...same });
  const hours = ({ expiresAt }: { expiresAt: number }) => Math.round((expiresAt - newest.createdAt) / HOUR_MS);
  expect([hours(newest), hours(oldest)]).toEqual([30 * 24, 2]);
});
