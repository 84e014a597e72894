import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { busyMs } from '../../support/busy.ts';
import { payOnChain, placeOrder, readRequest, readStatus } from '../../support/checkout.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, processesNaming, runQuittance, startQuittance, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';

const root = join(import.meta.dirname, '../../..');

test('Ctrl-C stops everything, the next start restores it, and a second copy keeps running', async () => {
  const dataDir = makeDataDir();
  const [first, beside] = await Promise.all([
    startQuittance({ DATA_DIR: dataDir }),
    startQuittance({ DATA_DIR: makeDataDir() }),
  ]);
  const { receiptId } = await placeOrder(first);
  await payOnChain(await rpcOf(first.env), await readRequest(first, receiptId));
  await until(async () => (await readStatus(first, receiptId)) === 'completed');
  const read = (call: typeof first.call) => call('GET', `/api/receipts/${receiptId}`, { headers: first.auth });
  const record = (await read(first.call)).body;

  // A terminal and npm each pass the same Ctrl-C on.
  first.program.child.kill('SIGINT');
  const ended = await first.end('SIGINT');
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.afterMs).toBeLessThan(busyMs(10_000));
  expect(processesNaming(dataDir)).toEqual([]);
  expect((await beside.call('GET', '/healthz')).status).toBe(200);
  expect((await read(beside.call)).status).toBe(401);

  const again = await startQuittance(first.env);
  expect([again.url, again.merchant, again.key]).toEqual([first.url, first.merchant, first.key]);
  expect((await read(again.call)).body).toEqual(record);
  expect(await readStatus(again, (await placeOrder(again)).receiptId)).toBe('generated');
  expect(await again.end()).toMatchObject({ code: 0 });
  expect(await beside.end()).toMatchObject({ code: 0 });
  expect(processesNaming(beside.env.DATA_DIR!)).toEqual([]);
}, 240_000);

test('Ctrl-C during the start leaves no process running', async () => {
  const dataDir = makeDataDir();
  const env = { DATA_DIR: dataDir, DATABASE_URL: await testDatabase(), PORT: '0' };
  const program = runQuittance(['start'], { env });
  await until(() => existsSync(join(dataDir, 'services.json')), { program });
  program.child.kill('SIGINT');
  expect(await program.exit).toEqual({ code: 0, signal: null });
  expect(processesNaming(dataDir)).toEqual([]);
});

test('a port that somebody else has stops the start with one line, and leaves nothing running', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const dataDir = makeDataDir();
  const env = { DATA_DIR: dataDir, DATABASE_URL: await testDatabase(), PORT: String(port), LOG_LEVEL: 'error' };
  const program = runQuittance(['start'], { env });
  expect(await program.exit).toEqual({ code: 1, signal: null });
  const line = `PORT: ${port} is taken by another process (for example PORT=${(port % 65_535) + 1})\n`;
  expect(program.stderr()).toBe(line);
  expect(program.stdout()).toBe('');
  expect(processesNaming(dataDir)).toEqual([]);
});

test('a SIGTERM lets every request under way have its answer, and the process ends within ten seconds', async () => {
  const server = await startQuittance({ DATA_DIR: makeDataDir(), DATABASE_URL: await testDatabase() });
  const body = JSON.stringify({ items: [{ sku: 'MUG-STONE', qty: 1 }] });
  const orders = Array.from({ length: 10 }, () => {
    const sent = request(`${server.url}/api/orders`, {
      method: 'POST',
      agent: false,
      headers: {
        ...server.auth,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    sent.flushHeaders();
    const answer = new Promise<{ status?: number; text: string }>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
    });
    return { sent, begun: new Promise((resolve) => sent.once('continue', resolve)), answer };
  });
  await Promise.all(orders.map(({ begun }) => begun));
  const ended = server.end();
  // New ones are turned away before those that were begun are through.
  await until(() =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  for (const { sent } of orders) sent.end(body);
  const answers = await Promise.all(orders.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 200));
  const { code, afterMs } = await ended;
  expect(code).toBe(0);
  expect(afterMs).toBeLessThan(busyMs(10_000));

  const again = await startQuittance(server.env);
  for (const { text } of answers) {
    const { receiptId } = JSON.parse(text).receipt;
    expect(await readStatus(again, receiptId)).toBe('generated');
  }
  await again.end();
}, 240_000);

test('a request that is never finished and an endpoint that hangs do not keep it from ending well, with all that it had started', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const server = await startQuittance(env);
  const receiver = await openReceiver(() => false);
  const { receiptId } = await placeOrder(server, { webhookUrl: receiver.url });
  const report = { receiptId, wallet: server.merchant, status: 'link_opened' };
  await server.call('POST', '/api/receipts/status', { headers: server.auth, body: report });
  await receiver.about(receiptId, 'link_opened');
  const { hostname, port } = new URL(server.url);
  const half = connect(Number(port), hostname);
  onTestFinished(() => void half.destroy());
  half.write(
    'POST /api/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  // It is cut in the end.
  half.on('error', () => {}).resume();
  const { code, afterMs } = await server.end();
  expect(code, server.program.stderr()).toBe(0);
  expect(afterMs).toBeLessThan(busyMs(10_000));
  expect(processesNaming(env.DATA_DIR)).toEqual([]);
}, 240_000);

test('an ordinary user can start it from a checkout in a private home directory', async () => {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : undefined;
  const home = mkdtempSync(join(tmpdir(), 'quittance-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const checkout = join(home, 'quittance');
  mkdirSync(checkout);
  // Links to the files of this checkout, which stay root's: readable, not writable.
  for (const part of ['package.json', 'package-lock.json', 'migrations', 'src', 'node_modules'])
    execFileSync('cp', ['-al', join(root, part), checkout]);
  chmodSync(home, 0o700);
  if (user) for (const folder of [home, checkout]) chownSync(folder, user.uid, user.gid);
  const server = await startQuittance(
    { HOME: home, DATA_DIR: '' },
    { user, launcher: join(checkout, 'src/app/cli/quittance.js') },
  );
  onTestFinished(async () => void (await server.end()));
  const { receiptId } = await placeOrder(server);
  expect(await readStatus(server, receiptId)).toBe('generated');
  expect(existsSync(join(checkout, '.data/postgres'))).toBe(true);
  expect(await server.end()).toMatchObject({ code: 0 });
  expect(processesNaming(home)).toEqual([]);
}, 240_000);

test('on a free port payment URLs name the port, and info knows where the running server is', async () => {
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: await testDatabase(), PORT: '0' };
  const server = await startQuittance(env);
  expect(server.url).toMatch(/^http:\/\/localhost:[1-9]\d+$/);
  const receipt = { id: 'free-port', lineItems: [{ label: 'x', priceUsd: 1 }] };
  const { body } = await server.call('POST', '/api/receipts', { headers: server.auth, body: receipt });
  expect(body.paymentUrl).toMatch(`${server.url}/portal/free-port?`);
  const reportedUrl = async () => JSON.parse(await outputOf(['info', '--json'], env)).baseUrl;
  expect(await reportedUrl()).toBe(server.url);
  await server.end();
  expect(await reportedUrl()).toBe('http://localhost:0');
}, 240_000);

test('in production each missing setting is a line of its own that names the variable and an example', async () => {
  const env = { DATA_DIR: makeDataDir(), NODE_ENV: 'production', KEY_ENCRYPTION_KEY: 'short', PORT: 'http' };
  const program = runQuittance(['serve'], { env });
  expect(await program.exit).toEqual({ code: 1, signal: null });
  expect(program.stdout()).toBe('');
  expect(program.stderr().trimEnd().split('\n').sort()).toEqual([
    'CHAIN_ID: must be set in production (for example CHAIN_ID=8453)',
    'CRON_SECRET: must be set in production (for example CRON_SECRET=$(openssl rand -hex 32))',
    'JWT_SECRET: must be set in production (for example JWT_SECRET=$(openssl rand -hex 32))',
    'KEY_ENCRYPTION_KEY: must be at least 32 bytes (for example KEY_ENCRYPTION_KEY=$(openssl rand -hex 32))',
    'PORT: must be a whole number from 0 to 65535 (for example PORT=4000)',
  ]);
  expect(processesNaming(env.DATA_DIR)).toEqual([]);
});

async function outputOf(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const program = runQuittance(args, { env });
  await program.exit;
  return program.stdout();
}

const rpcOf = async (env: Readonly<Record<string, string>>): Promise<string> =>
  JSON.parse(await outputOf(['info', '--json'], env)).rpcUrl;
