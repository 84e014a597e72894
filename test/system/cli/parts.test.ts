import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { payOnChain, placeOrder, readRequest, readStatus } from '../../support/checkout.ts';
import { testDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, processesNaming, until } from '../../support/program.ts';
import { newAccount } from '../../support/server.ts';
import { commands } from './run.ts';

// Contract: service.checkout
test('the parts run by themselves on services given by address: migrate, a web process, a worker, and a payment through all', async () => {
  const dataDir = makeDataDir();
  const database = { DATABASE_URL: await testDatabase() };
  const services = await commands({ DATA_DIR: dataDir, ...database }).json('services', 'start');
  expect(services).toEqual({ databaseUrl: database.DATABASE_URL, rpcUrl: expect.stringMatching(/^http:/) });
  const port = await findFreePort();
  const env = { DATA_DIR: dataDir, ...database, RPC_URL: services.rpcUrl, PORT: String(port), LOG_LEVEL: 'info' };
  const quittance = commands(env);
  expect(await quittance.run('migrate')).toMatchObject({ code: 0, stderr: '' });

  const web = quittance.start('serve', '--no-worker');
  const worker = quittance.start('worker');
  await until(() => /"msg":"listening"/.test(web.stderr()), { program: web });
  await until(() => /"msg":"working"/.test(worker.stderr()), { program: worker });
  const wallet = newAccount().address.toLowerCase();
  expect(await quittance.json('merchant', 'list')).toEqual([]);
  const merchant = await quittance.json('merchant', 'create', '--wallet', wallet, '--name', 'Parts');
  expect(await quittance.json('merchant', 'list')).toEqual([merchant]);
  await quittance.json('split', 'set', '--wallet', wallet);
  const scopes = 'orders:create,inventory:write,receipts:read';
  const { key } = await quittance.json('key', 'issue', '--wallet', wallet, '--scopes', scopes);
  const shop = { call: caller(`http://localhost:${port}`), auth: { 'x-api-key': key } };
  const item = { sku: 'MUG-STONE', name: 'Mug', priceUsd: 5, stockQty: -1 };
  expect((await shop.call('POST', '/api/inventory', { headers: shop.auth, body: item })).status).toBe(200);
  const { receiptId } = await placeOrder(shop, { jurisdictionCode: undefined });
  await payOnChain(services.rpcUrl, await readRequest(shop, receiptId));
  await until(async () => (await readStatus(shop, receiptId)) === 'completed');

  for (const part of [web, worker]) {
    part.child.kill('SIGTERM');
    expect(await part.exit).toEqual({ code: 0, signal: null });
  }
  // The two local chains were started for their own sake: only their own command ends them.
  expect(processesNaming(dataDir)).toHaveLength(2);
  expect(await quittance.json('services', 'stop')).toEqual({ postgres: false, chain: true });
  expect(await quittance.json('services', 'stop')).toEqual({ postgres: false, chain: false });
  expect(processesNaming(dataDir)).toEqual([]);
}, 240_000);

test('services remove deletes nothing without --yes or beside a running server, and all data of the services with it', async () => {
  const dataDir = makeDataDir();
  const quittance = commands({ DATA_DIR: dataDir, PORT: String(await findFreePort()), LOG_LEVEL: 'info' });
  const server = quittance.start('serve');
  await until(() => /"msg":"listening"/.test(server.stderr()), { program: server, timeoutMs: 180_000 });
  const { databaseUrl, rpcUrl } = await quittance.json('info');
  expect(await quittance.refused('services', 'stop')).toMatch(/stop the server first/);
  expect(await quittance.refused('services', 'remove', '--yes')).toMatch(/stop the server first/);
  server.child.kill('SIGTERM');
  await server.exit;

  const listed = await quittance.run('services', 'remove');
  expect(listed).toMatchObject({
    code: 1,
    stderr: '',
    stdout: expect.stringMatching(/^This deletes for good:\n {2}\//),
  });
  expect(await quittance.json('services', 'start')).toEqual({ databaseUrl, rpcUrl });
  const { deleted } = await quittance.json('services', 'remove', '--yes');
  expect(deleted).toContain(join(dataDir, 'ports.json'));
  expect(deleted.filter(existsSync)).toEqual([]);
  expect(processesNaming(dataDir)).toEqual([]);
  expect(await quittance.json('services', 'remove')).toEqual({ deleted: [], paths: [] });
}, 240_000);

test('info starts nothing: without services it names none', async () => {
  const dataDir = makeDataDir();
  const info = await commands({ DATA_DIR: dataDir, PORT: '4321' }).json('info');
  expect(info).toMatchObject({ baseUrl: 'http://localhost:4321', databaseUrl: null, rpcUrl: null, dataDir });
  expect(processesNaming(dataDir)).toEqual([]);
});

test('info hides the passwords of DATABASE_URL and REDIS_URL', async () => {
  const quittance = commands({
    DATA_DIR: makeDataDir(),
    DATABASE_URL: 'postgres://shop:moonlight@db.test:5432/shop?sslmode=require',
    REDIS_URL: 'redis://:sunlight@redis.test:6379/2',
  });
  expect(await quittance.json('info')).toMatchObject({
    databaseUrl: 'postgres://shop:***@db.test:5432/shop?sslmode=require',
    redisUrl: 'redis://:***@redis.test:6379/2',
  });
  expect((await quittance.run('info')).stdout).not.toMatch(/moonlight|sunlight/);
});
