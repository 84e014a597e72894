import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { makeDataDir, startQuittance, until } from '../../support/program.ts';
import { commands } from './run.ts';

const WALLET = localAccount('buyer', 4).address;
const DAY_MS = 86_400_000;

test('a second merchant gets 200 payments over the last month, once, and they are paid out by the next server', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const quittance = commands(env);
  const before = Date.now();
  const made = await quittance.run('demo', 'history');
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toContain('200 payments');
  const again = await quittance.run('demo', 'history');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('is there already');

  const server = await startQuittance(env);
  const beside = await quittance.run('demo', 'history');
  expect(beside.code).toBe(1);
  expect(beside.stderr).toContain(`Stop the server at ${server.url} first`);
  const exported = async () => {
    const { stdout } = await quittance.run('receipts', 'export', '--wallet', WALLET);
    return parse(stdout, { columns: true }) as { paidAt: string; status: string; transactionHash: string }[];
  };
  const rows = await exported();
  expect(rows).toHaveLength(200);
  expect(new Set(rows.map(({ transactionHash }) => transactionHash)).size).toBe(200);
  const times = rows.map(({ paidAt }) => Date.parse(paidAt)).sort((a, b) => a - b);
  expect(times[0]).toBeGreaterThan(before - 31 * DAY_MS);
  expect(times[0]).toBeLessThan(before - 28 * DAY_MS);
  expect(times.at(-1)).toBeLessThan(Date.now());
  expect(new Set(times.map((time) => Math.floor(time / DAY_MS))).size).toBeGreaterThanOrEqual(30);
  await until(async () => (await exported()).every(({ status }) => status === 'completed'), {
    program: server.program,
  });
  // The chain is at the time of the machine again.
  const order = await server.call('POST', '/api/orders', {
    headers: server.auth,
    body: { items: [{ sku: 'MUG-STONE', qty: 1 }] },
  });
  expect(order.status).toBe(200);
  await server.end();
});

test('no history is made on another chain than a local one', async () => {
  const env = { DATA_DIR: makeDataDir(), CHAIN_ID: '8453', RPC_URL: 'http://127.0.0.1:9' };
  const { code, stdout, stderr } = await commands(env).run('demo', 'history');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('A history is made on the local chain only');
});
