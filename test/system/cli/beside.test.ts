import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { planCharger } from '../../../src/base/chain/charger.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { localManager } from '../../../src/base/chain/spend-permissions.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { placeOrder } from '../../support/checkout.ts';
import { type AtEnd, makeDataDir, type Started, startQuittance, until } from '../../support/program.ts';
import { newAccount } from '../../support/server.ts';
import { commands } from './run.ts';

let server: Started;
let quittance: ReturnType<typeof commands>;
const cleaning: (() => void | Promise<void>)[] = [];
beforeAll(async () => {
  const atEnd: AtEnd = (clean) => void cleaning.push(clean);
  server = await startQuittance({ DATA_DIR: makeDataDir(atEnd) }, { atEnd });
  quittance = commands(server.env);
});
afterAll(async () => {
  await server?.end();
  for (const clean of cleaning.reverse()) await clean();
});

const withKey = (key: string) => ({ headers: { 'x-api-key': key } });

test('the commands alone create a merchant that can sell, while the server runs', async () => {
  const { address } = newAccount();
  const wallet = address.toLowerCase();
  expect(
    await quittance.json('merchant', 'create', '--wallet', address, '--name', 'Bean There', '--brand', 'beans'),
  ).toEqual({ wallet, name: 'Bean There', brandKey: 'beans', createdAt: expect.any(Number) });
  expect(await quittance.refused('merchant', 'create', '--wallet', address, '--name', 'Again')).toMatch(
    /^invalid_input: /,
  );
  expect(await quittance.refused('merchant', 'create', '--wallet', '0x12', '--name', 'X')).toMatch(/^invalid_wallet: /);

  const scopes = 'orders:create,inventory:read,inventory:write';
  const key = await quittance.json('key', 'issue', '--wallet', wallet, '--scopes', scopes, '--label', 'till');
  expect(key).toMatchObject({
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^qk_/),
    scopes: scopes.split(','),
  });
  const item = { sku: 'CUP', name: 'A cup', priceUsd: 3, stockQty: -1 };
  expect((await server.call('POST', '/api/inventory', { ...withKey(key.key), body: item })).status).toBe(200);
  const order = () =>
    server.call('POST', '/api/orders', { ...withKey(key.key), body: { items: [{ sku: 'CUP', qty: 1 }] } });
  expect(await order()).toMatchObject({ status: 403, body: { error: 'split_required' } });

  const other = newAccount().address;
  const set = ['split', 'set', '--wallet', wallet];
  expect(await quittance.refused(...set, '--recipient', `${other}:10000`)).toMatch(/^invalid_input: /);
  expect(await quittance.refused(...set, '--recipient', `${other}`)).toMatch(/recipient/i);
  const split = await quittance.json(...set, '--recipient', `${wallet}:9000`, '--recipient', `${other}:950`);
  expect(split).toEqual({
    ok: true,
    split: {
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      recipients: expect.arrayContaining([
        { address: wallet, sharesBps: 9000 },
        { address: other.toLowerCase(), sharesBps: 950 },
        { address: localAccount('platform').address, sharesBps: 50 },
      ]),
    },
  });
  expect(await quittance.json(...set)).toEqual({ ...split, idempotent: true });
  const same = ['--recipient', `${other}:950`, '--recipient', `${wallet}:9000`, '--address', split.split.address];
  expect(await quittance.json(...set, ...same)).toEqual({ ...split, idempotent: true });
  // What is not done does not end as if it were.
  for (const others of [
    ['--recipient', `${wallet}:9950`],
    ['--address', other],
  ])
    expect(await quittance.refused(...set, ...others)).toContain(`${split.split.address} pays ${wallet}:9000, `);
  expect(await order()).toMatchObject({ status: 200, body: { ok: true } });
}, 240_000);

// Contract: auth.key-revoked
test('a key is valid from the moment it is issued until it is rotated or revoked', async () => {
  const inventory = async (key: string) => (await server.call('GET', '/api/inventory', withKey(key))).status;
  const issue = ['key', 'issue', '--wallet', server.merchant];
  const first = await quittance.json(...issue, '--scopes', 'inventory:read', '--unlimited');
  expect(await inventory(first.key)).toBe(200);
  const second = await quittance.json('key', 'rotate', first.id);
  expect(second).toMatchObject({ scopes: ['inventory:read'] });
  expect([await inventory(first.key), await inventory(second.key)]).toEqual([401, 200]);
  expect(await quittance.json('key', 'revoke', second.id)).toEqual({ id: second.id, revokedAt: expect.any(Number) });
  expect(await inventory(second.key)).toBe(401);

  const listed: { id: string; revokedAt: number | null }[] = await quittance.json(
    'key',
    'list',
    '--wallet',
    server.merchant,
  );
  expect(listed.filter(({ id }) => id === first.id || id === second.id).map(({ revokedAt }) => revokedAt)).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(JSON.stringify(listed)).not.toContain('qk_');
  expect(await quittance.refused('key', 'revoke', 'key_nobody')).toMatch(/^not_found: /);
  expect(await quittance.refused(...issue, '--scopes', 'everything')).toMatch(/^invalid_input: /);
}, 240_000);

test('info reports what runs and its addresses, in the documented form', async () => {
  const info = await quittance.json('info');
  expect(info).toEqual({
    baseUrl: server.url,
    databaseUrl: expect.stringMatching(/^postgres:\/\/.+@127\.0\.0\.1:\d+\/quittance$/),
    redisUrl: null,
    chainId: 31337,
    rpcUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    tokens: {
      USDC: { address: expect.stringMatching(/^0x[0-9a-f]{40}$/), decimals: 6 },
      USDT: { address: expect.stringMatching(/^0x[0-9a-f]{40}$/), decimals: 6 },
      ETH: { address: null, decimals: 18 },
    },
    chains: [
      { chainId: 31337, rpcUrl: info.rpcUrl, tokens: info.tokens },
      {
        chainId: 31338,
        rpcUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        tokens: expect.objectContaining({ USDC: { address: expect.any(String), decimals: 6 } }),
      },
    ],
    platformRecipient: localAccount('platform').address,
    spendPermissionManager: localManager.address,
    spender: planCharger(localManager.address, localAccount('spender').address).address,
    dataDir: server.env.DATA_DIR,
  });
  const people = await quittance.run('info');
  expect(people.stdout).toContain(`rpcUrl                  ${info.rpcUrl}`);
});

test('a webhook is listened to, verified, and sent again by its id with the same bytes', async () => {
  const port = await findFreePort();
  const listener = quittance.start('webhook', 'listen', '--port', String(port), '--secret', server.key);
  await until(() => listener.stdout().includes(`Listening at http://127.0.0.1:${port}`), { program: listener });
  const { receiptId } = await placeOrder(server, { webhookUrl: `http://127.0.0.1:${port}/` });
  const reported = await server.call('POST', '/api/receipts/status', {
    headers: server.auth,
    body: { receiptId, wallet: server.merchant, status: 'link_opened' },
  });
  expect(reported.status).toBe(200);
  const [, id, payload] = await until(
    () => /^receipt\.status_updated {2}(\S+) {2}verified\n(.*)\n/m.exec(listener.stdout()),
    {
      program: listener,
    },
  );
  expect(payload).toMatch(/^ {2}generated -> link_opened {2}\{/);
  expect(await quittance.json('webhook', 'replay', id!)).toMatchObject({ id });
  const [, again] = await until(
    () =>
      new RegExp(`^receipt\\.status_updated {2}${id} {2}verified, sent again\\n(.*)\\n`, 'm').exec(listener.stdout()),
    { program: listener },
  );
  expect(again).toBe(payload);
  expect(await quittance.refused('webhook', 'replay', 'whd_nobody')).toMatch(/^not_found: /);
  listener.child.kill('SIGINT');
  expect(await listener.exit).toEqual({ code: 0, signal: null });
}, 240_000);

test('users are imported from a file while the server runs; wrong lines are reported by number, the others are imported, and a terminal shows a progress bar', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-users-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'users.jsonl');
  const [ada, bob] = [newAccount().address.toLowerCase(), newAccount().address];
  const lines = [
    { wallet: ada, displayName: 'Ada of the file', xp: 7_000_001 },
    'not json',
    { wallet: '0x12', displayName: 'invalid' },
    '',
    { wallet: bob, displayName: 'Bob of the file', xp: 7_000_000, languages: ['en'] },
    { wallet: bob, xp: -1 },
  ];
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  const report = await quittance.json('user', 'import', file);
  expect(report).toEqual({
    lines: 5,
    imported: 2,
    refused: 3,
    faults: [
      { line: 2, reason: 'is not JSON' },
      { line: 3, reason: expect.stringContaining('wallet') },
      { line: 6, reason: 'xp must be a number of at least 0' },
    ],
  });
  const { body } = await server.call('GET', '/api/users/search?q=of%20the%20file', withKey(server.key));
  expect(body.users).toMatchObject([
    { wallet: ada, xp: 7_000_001 },
    { wallet: bob.toLowerCase(), languages: ['en'] },
  ]);

  // Without --json the report is text. Without a terminal there is no progress bar.
  const { code, stdout, stderr } = await quittance.run('user', 'import', file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'Imported 2 of 5 users.',
    ...report.faults.map((fault: { line: number; reason: string }) => `Line ${fault.line}: ${fault.reason}`),
    '',
  ]);
  // At a terminal (util-linux's script makes one) a bar runs from nothing to all.
  const command = `${process.execPath} ${join(import.meta.dirname, '../../../src/app/cli/quittance.js')} user import ${file}`;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', ...server.env };
  const terminal = spawnSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
  expect({ status: terminal.status, error: terminal.error }).toEqual({ status: 0, error: undefined });
  expect(terminal.stdout).toMatch(/Importing \[-+\] 0% {2}0 lines[\s\S]+Importing \[=+\] 100% {2}5 lines/);
  writeFileSync(file, 'wrong\n'.repeat(150));
  const many = await quittance.run('user', 'import', file);
  expect([many.code, many.stdout.split('\n').length]).toEqual([0, 103]);
  expect(many.stdout).toContain('… and 50 more invalid lines; the first 100 are shown.');
  expect(await quittance.refused('user', 'import', join(folder, 'nothing.jsonl'))).toContain('nothing.jsonl');
}, 240_000);

test('unknown commands and options are refused with exit code 1 and nothing on stdout', async () => {
  for (const args of [['merchant', 'create'], ['key', 'issue', '--wallet', server.merchant], ['nonsense']]) {
    const { code, stdout, stderr } = await quittance.run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: /);
  }
});

test('blocks are read again beside the running server', async () => {
  const range = ['--from', '0', '--to', '0'];
  expect(await quittance.json('rescan', ...range)).toEqual({ ok: true, fromBlock: 0, toBlock: 0, found: 0, added: 0 });
  expect(await quittance.refused('rescan', '--from', '2', '--to', '1')).toMatch(/^invalid_input: /);
});
