import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { componentLog } from '../../../src/base/platform/log/log.ts';
import { makeDataDir } from '../../support/program.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../../support/server.ts';
import { commands } from './run.ts';

let server: TestServer;
let merchant: TestMerchant;
let quittance: ReturnType<typeof commands>;
let env: Record<string, string>;

// One server for all: its database, Redis and chain are those of the commands.
beforeAll(async () => {
  server = await startTestServer({ redis: true });
  merchant = await server.merchant();
  await makeReceipt('one');
  const { databaseUrl, keyEncryptionKey } = server.deps.settings;
  env = {
    DATA_DIR: makeDataDir(afterAll),
    DATABASE_URL: databaseUrl,
    RPC_URL: inject('rpcUrl'),
    CHAIN_ID: String(inject('chainId')),
    KEY_ENCRYPTION_KEY: keyEncryptionKey as string,
    REDIS_URL: inject('redisUrl'),
  };
  quittance = commands(env);
});
afterAll(() => server?.stop());

async function makeReceipt(id: string, more: object = {}): Promise<void> {
  const body = { id, lineItems: [{ label: 'Tea', priceUsd: 10 }], totalUsd: 10, ...more };
  const { status } = await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  expect(status).toBe(201);
}

test('pause lists what is paused, and resume what is left', async () => {
  const { chainId } = server.deps.chain;
  const paused = await quittance.json('pause', '--token', 'usdc', '--reason', 'depeg');
  expect(paused).toEqual([{ chainId, token: 'USDC', reason: 'depeg', pausedAt: expect.any(Number) }]);
  expect(await quittance.refused('pause', '--token', 'doge', '--reason', 'x')).toMatch(/^invalid_input: token/);
  const left = await quittance.run('resume', '--chain', String(chainId), '--token', 'USDC');
  expect([left.code, left.stdout]).toEqual([0, 'Nothing is paused.\n']);
}, 240_000);

test('log-level sets the level of the running server, and needs Redis to reach it', async () => {
  expect(await quittance.json('log-level', 'fatal', '--component', 'watcher')).toEqual({ processes: 1 });
  expect(componentLog(server.deps.log, 'watcher').level).toBe('fatal');
  const { REDIS_URL: _, ...alone } = env;
  expect(await commands(alone).refused('log-level', 'debug')).toMatch(/^invalid_input: Without REDIS_URL/);
}, 240_000);

test('rescan, reevaluate and replay say what they found', async () => {
  const rescanned = await quittance.json('rescan', '--from', '0', '--to', '1');
  expect(rescanned).toEqual({ ok: true, fromBlock: 0, toBlock: 1, found: 0, added: 0 });
  const ofReceipt = await quittance.json('rescan', '--receipt', 'one');
  expect(ofReceipt).toMatchObject({ ok: true, chains: [{ chainId: server.deps.chain.chainId, added: 0 }] });
  expect(await quittance.refused('rescan', '--receipt', 'one', '--wallet', newAccount().address)).toMatch(
    /^not_found: /,
  );
  const reevaluate = ['receipts', 'reevaluate', '--wallet', merchant.wallet, '--receipt'];
  const { before, after, lookedUp, added, rematched } = await quittance.json(...reevaluate, 'one');
  expect([before, after, lookedUp, added, rematched]).toEqual(['pending', 'pending', 0, 0, 0]);
  expect(await quittance.refused(...reevaluate, 'none')).toMatch(/^not_found: /);
  const replay = ['webhook', 'replay', '--since', '2026-01-01T00:00Z', '--wallet', merchant.wallet];
  expect(await quittance.json(...replay, '--kind', 'receipt.paid')).toEqual({ queued: 0 });
}, 240_000);

test('journal lists what could not be booked, and books or discards it', async () => {
  const folder = join(env.DATA_DIR!, 'journal/orders');
  mkdirSync(folder, { recursive: true });
  const receipt = { merchant: `0x${'9'.repeat(40)}`, id: 'R-lost', at: Date.now() };
  const lines = [{ at: 1, reason: 'merchant_missing', entry: { receipt } }].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, 'quarantine.jsonl'), `${lines.join('\n')}\n`);
  const listed = await quittance.json('journal', 'list');
  expect(listed).toEqual([
    { id: expect.any(String), at: 1, reason: 'merchant_missing', receiptId: 'R-lost', merchant: receipt.merchant },
  ]);
  const retried = await quittance.run('journal', 'retry', '--json');
  expect(retried.code).toBe(1);
  expect(JSON.parse(retried.stdout)).toMatchObject({ ok: false, booked: 0, setAside: [expect.any(String)] });
  expect(await quittance.refused('journal', 'discard', 'unknown', '--reason', 'x')).toMatch(/^not_found: /);
  await quittance.json('journal', 'discard', listed[0].id, '--reason', 'a test');
  expect(await quittance.json('journal', 'list')).toEqual([]);
  expect(await quittance.json('journal', 'retry')).toEqual({ ok: true, booked: 0, setAside: [] });
}, 240_000);

test('wallet rotate --plan names the wallets and what would be lost, and changes nothing', async () => {
  const plan = await quittance.json('wallet', 'rotate', '--plan');
  expect(plan).toMatchObject({ lost: 0, permissions: [], waiting: [] });
  expect(plan.wallets.map(({ role }: { role: string }) => role)).toEqual(['settlement', 'spender']);
  expect((await quittance.run('wallet', 'rotate')).stderr).toContain('--plan');
}, 240_000);

test('buyer erase erases one buyer, once', async () => {
  const [id, buyerEmail] = [crypto.randomUUID(), `${crypto.randomUUID()}@buyer.example`];
  await makeReceipt(id, { buyerEmail });
  const erase = ['buyer', 'erase', '--merchant', merchant.wallet, '--email', buyerEmail];
  expect(await quittance.json(...erase)).toMatchObject({ receipts: 1 });
  expect(await quittance.json(...erase)).toMatchObject({ receipts: 0 });
  const { body } = await server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth });
  expect(JSON.stringify(body)).not.toContain(buyerEmail);
}, 240_000);
