import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { registerMerchant } from '../../src/domain/shop/merchants/register.ts';
import { startTestServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/integrate/authentication.md'), 'utf8');
const run = promisify(execFile);

test('the script of docs/integrate/authentication.md signs a merchant in, and the curl beside it writes with its headers', async () => {
  const [, script] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  const [, curl] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const WALLET_KEY = generatePrivateKey();
  await registerMerchant(server.deps, { wallet: privateKeyToAccount(WALLET_KEY).address, name: 'Bean There' });
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'sign-in.mjs'), script as string);
  const options = { cwd: folder, env: { PATH: process.env.PATH, QUITTANCE_URL: server.url, WALLET_KEY } };
  const { stdout } = await run(process.execPath, ['sign-in.mjs'], options);
  writeFileSync(join(folder, 'admin.headers'), stdout);
  const answered = await run('sh', ['-c', curl as string], options);
  expect(JSON.parse(answered.stdout)).toMatchObject({ ok: true, config: { processingFeePct: 2 } });
});

test('with the headers of the script, the curl of docs/integrate/users.md goes live and sends a heartbeat', async () => {
  const [, script] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  const page = readFileSync(join(root, 'docs/integrate/users.md'), 'utf8');
  const [, curl] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'sign-in.mjs'), script as string);
  const env = { PATH: process.env.PATH, QUITTANCE_URL: server.url, WALLET_KEY: generatePrivateKey() };
  const { stdout } = await run(process.execPath, ['sign-in.mjs'], { cwd: folder, env });
  writeFileSync(join(folder, 'admin.headers'), stdout);
  const answered = await run('sh', ['-c', curl as string], { cwd: folder, env });
  expect(answered.stdout).toBe('{"data":{"setPresence":{"live":true}}}{"data":{"heartbeat":true}}');
});

test('the key that README gives for the demo merchant is the demo merchant’s', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(localAccount('demoMerchant').privateKey);
});
