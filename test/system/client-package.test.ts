import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { deliveryHeaders, secretOf } from '../../src/domain/webhooks/delivery/sign.ts';
import { newSecret } from '../../src/domain/webhooks/endpoints/secrets.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { root } from '../gates/sources.ts';
import { append } from '../live/events.ts';
import { payOnChain, readRequest, readStatus } from '../support/checkout.ts';
import { until } from '../support/program.ts';
import { makeReceipt } from '../support/receipt.ts';

const run = promisify(execFile);
const { chain, server, merchant, mineUntil } = await openPaidShop();

/** A project of its own that has installed the package, with the shop and the samples of docs/integrate/client.md. */
const project = mkdtempSync(join(tmpdir(), 'quittance-shop-'));
afterAll(() => rmSync(project, { recursive: true }));

const page = readFileSync(join(root, 'docs/integrate/client.md'), 'utf8');
const samples = [...page.matchAll(/```js\n(\/\/ ([\w-]+\.mjs): [\s\S]*?)```/g)];

beforeAll(async () => {
  const env = { ...process.env, npm_config_cache: join(project, '.npm'), npm_config_offline: 'true' };
  const npm = (args: string[], cwd: string) => run('npm', args, { cwd, env });
  await npm(['run', 'build:client'], root);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const served = await fetch(`${server.url}/connect/quittance-client.tgz`);
  writeFileSync(join(project, 'client.tgz'), Buffer.from(await served.arrayBuffer()));
  await npm(['install', '--no-audit', '--no-fund', './client.tgz'], project);
  for (const name of ['shop', 'connector']) cpSync(join(root, 'docs/examples', name), project, { recursive: true });
  for (const [, sample, name] of samples) writeFileSync(join(project, name as string), sample as string);
});

/** Starts a program of the project; `output` is what it has printed. */
function start(file: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [file], {
    cwd: project,
    env: { PATH: process.env.PATH, QUITTANCE_URL: server.url, QUITTANCE_KEY: merchant.key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, exit, output: () => output };
}

/** The messages of the compiler about files of the project. */
async function faultsIn(files: readonly string[], compilerOptions: object): Promise<string[]> {
  const options = {
    ...{ strict: true, noEmit: true },
    ...{ target: 'es2023', lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'] },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    ...compilerOptions,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [tsc, '-p', project, '--pretty', 'false']);
  const { stdout } = await compiled.catch((error) => error as { stdout: string });
  return stdout.split('\n').filter(Boolean);
}

const TYPED = `
import { createQuittance, openCheckout, verifyWebhook, type ReceiptEvent } from 'quittance/client';
import { actionFor, createConnect, type PaymentState } from 'quittance/connect';
import { checkoutFor } from 'quittance/react';
const connect = createConnect({ url: 'http://localhost:4000', key: 'qk_', shop: 'tea' });
export const state: PaymentState = await connect.read('tea.1');
export const action = actionFor(state, 'waiting');
// @ts-expect-error an order has cents
await connect.find({ order: '1', currency: 'USD' });
export const Checkout = checkoutFor({ createElement: () => null, useEffect() {}, useRef: (current) => ({ current }) });
Checkout({ url: 'http://localhost:4000', receipt: 'R-1', token: 't', onEvent: (event) => console.log(event) });
// @ts-expect-error a payment has a token
Checkout({ url: 'http://localhost:4000', receipt: 'R-1' });
// @ts-expect-error a payment has a token
openCheckout({ url: 'http://localhost:4000', receipt: 'R-1' });
const quittance = createQuittance({ url: 'http://localhost:4000', key: 'qk_' });
const { receipt, paymentUrl } = await quittance.orders.create({ items: [{ sku: 'A', qty: 1 }] });
export const url: string = paymentUrl;
export const status: 'generated' | 'pending' | 'paid' | 'completed' | 'refunded' | 'failed' = receipt.status;
export async function* changes(): AsyncGenerator<ReceiptEvent> { yield* quittance.receipts.follow(); }
const event = await verifyWebhook(new Request('http://shop.test'), 'whsec_');
if (event.type === 'receipt.paid') { const total: number = event.data.totalUsd; console.log(total); }
// @ts-expect-error an order has items
await quittance.orders.create({});
// @ts-expect-error a status that no receipt has
export const wrong = quittance.receipts.list({ statuses: ['lost'] });
// @ts-expect-error an event that does not exist
if (event.type === 'receipt.lost') console.log(event);
`;

test('the package that the server serves has no dependency, and the shop compiles with its types as a project of Node.js and of a bundler', async () => {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/quittance/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'quittance', type: 'module' });
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['quittance']);
  writeFileSync(join(project, 'typed.ts'), TYPED);
  const files = ['shop.ts', 'connector.ts', 'typed.ts'];
  // Once with the declarations of the package, and with all others.
  expect(await faultsIn(files, { module: 'nodenext', skipLibCheck: false })).toEqual([]);
  const bundler = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
  expect(await faultsIn(files, bundler)).toEqual([]);
}, 240_000);

test('the package of the whole project exports all that the package of the client does', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(join(project, 'node_modules/quittance/package.json'), 'utf8'));
  expect(Object.keys(exports)).toEqual([...Object.keys(own.exports), './package.json']);
  for (const entry of ['./client', './connect', './react'])
    for (const file of Object.values(exports[entry] as Record<string, string>))
      expect(readFileSync(join(root, file), 'utf8')).not.toBe('');
});

test('the example shop has at most 150 lines; it sells, shows the payment page, and ships once it is paid', async () => {
  const files = readdirSync(join(root, 'docs/examples/shop'));
  const lines = files.flatMap((name) => readFileSync(join(root, 'docs/examples/shop', name), 'utf8').split('\n'));
  expect(lines.length).toBeLessThanOrEqual(151);
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const shop = start('shop.ts', { SHOP_URL: url });
  await until(() => shop.output().includes('The shop is open'));
  expect(await (await fetch(url)).text()).toContain('Green tea, 50 g');

  const form = { method: 'POST', body: new URLSearchParams({ sku: 'TEA-GREEN' }), redirect: 'manual' } as const;
  const headers = { 'accept-language': 'de-AT,de;q=0.9' };
  const bought = await fetch(`${url}/buy`, { ...form, headers });
  const paymentUrl = bought.headers.get('location')!;
  const [, receiptId] = /\/portal\/([^?]+)/.exec(paymentUrl)!;
  expect(bought.status).toBe(303);
  const record = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
  const orderPage = `${url}/orders/${record.body.transactionId}`;
  const page = await (await fetch(orderPage)).text();
  expect(page).toContain('TEA-GREEN: waiting for the payment');
  expect(record.body.language).toBe('de');
  expect((await fetch(paymentUrl)).headers.get('content-language')).toBe('de');
  // The payment in the shop's own page is three lines, those that the documents show.
  const embed = /<script src[\s\S]*<\/quittance-checkout>/;
  const embedIn = (text: string) =>
    embed
      .exec(text)![0]
      .replaceAll(/(?<==")[^"]*/g, '…')
      .split(/\n\s*/);
  expect(page).toContain(`receipt="${receiptId}"`);
  expect(embedIn(page)).toHaveLength(3);
  expect(embedIn(page)).toEqual(embedIn(readFileSync(join(root, 'docs/integrate/embed.md'), 'utf8')));
  expect((await server.call('GET', `/portal/${receiptId}`)).body).toContain('Green tea');

  await payOnChain(chain.rpcUrl, await readRequest(server, receiptId!));
  await mineUntil(async () => (await (await fetch(orderPage)).text()).includes('TEA-GREEN: shipped'));
  expect(shop.output().match(/shipped/g)).toHaveLength(1);

  // What is not signed ships nothing, and what is not sold is no order.
  expect((await fetch(`${url}/webhook`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await fetch(`${url}/buy`, { ...form, body: new URLSearchParams({ sku: 'GOLD' }) })).status).toBe(409);
  expect((await fetch(`${url}/orders/none`)).status).toBe(404);
});

test('the example connector has at most 60 lines; it ships what is paid, once, also if it was down while the money came', async () => {
  const text = readFileSync(join(root, 'docs/examples/connector/connector.ts'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const session = await server.signIn(merchant.account);
  const body = { url: `${url}/hook`, kinds: ['receipt.*'] };
  const endpoint = await server.call('POST', '/api/webhooks/endpoints', { headers: session, body });
  const env = { PORT: port, QUITTANCE_WEBHOOK_SECRET: endpoint.body.secret };
  const order = async (id: string): Promise<string> =>
    (await (await fetch(`${url}/orders/${id}`, { method: 'POST', body: '1250' })).json()).receiptId;
  const isFulfilled = async (id: string) => (await (await fetch(`${url}/orders/${id}`)).json()).state === 'fulfilled';

  const first = start('connector.ts', env);
  await until(() => first.output().includes('open'));
  const [one, two] = [await order('one'), await order('two')];
  expect(await order('one')).toBe(one);
  await payOnChain(chain.rpcUrl, await readRequest(server, one));
  await mineUntil(() => isFulfilled('one'));
  expect((await fetch(`${url}/hook`, { method: 'POST', body: '{}' })).status).toBe(401);

  first.child.kill('SIGKILL');
  await first.exit;
  await payOnChain(chain.rpcUrl, await readRequest(server, two));
  const paid = async () => (await readStatus({ ...server, auth: merchant.auth }, two)) === 'recipient_validated';
  await mineUntil(paid);
  const second = start('connector.ts', env);
  await until(() => second.output().includes('shipped two'));
  expect(`${first.output()}${second.output()}`.match(/shipped two/g)).toHaveLength(1);
}, 240_000);

test('docs/integrate/client.md: sell.mjs orders, lists and shows a refusal', async () => {
  const { exit, output } = start('sell.mjs', { QUITTANCE_KEY: (await server.merchant()).key });
  expect((await exit)[0], output()).toBe(0);
  expect(output()).toMatch(
    /^Send the buyer to \S+\/portal\/R-\S+\ngenerated\nR-\S+ 24.12\n400 invalid_input items\[0\]\.qty\n$/,
  );
});

test('docs/integrate/client.md: follow.mjs prints every change once, also when it is killed, and resume.mjs the same', async () => {
  const shop = await server.merchant();
  await makeReceipt(server, shop, 'r');
  const env = { QUITTANCE_KEY: shop.key };
  const first = start('follow.mjs', env);
  await expect.poll(first.output).toBe('r 1 pending\n');
  first.child.kill('SIGKILL');
  await first.exit;
  await append(server.deps.db, server.deps.bus, shop.wallet, 'r', 2);
  const second = start('follow.mjs', env);
  await expect.poll(second.output).toBe('r 2 tested\nr 3 tested\n');
  symlinkSync(join(root, 'node_modules/graphql-ws'), join(project, 'node_modules/graphql-ws'));
  const resumed = start('resume.mjs', env);
  await expect.poll(resumed.output).toBe('r 1\nr 2\nr 3\n');
});

test('docs/integrate/client.md: hook.mjs accepts what is signed with the key, and nothing else', async () => {
  const port = await findFreePort();
  const { output } = start('hook.mjs', { PORT: String(port) });
  const body = JSON.stringify({ event: 'receipt.status_updated', receiptId: 'R-1', status: 'paid', timestamp: 1 });
  const subject = { id: 'one', event: 'receipt.status_updated', body: Buffer.from(body) };
  const send = (secret: string) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: deliveryHeaders(secretOf(secret), subject, Date.now()),
      body,
    });
  await until(() =>
    send('wrong').then(
      ({ status }) => status === 401,
      () => false,
    ),
  );
  expect((await send(merchant.key)).status).toBe(204);
  expect((await send(newSecret())).status).toBe(401);
  await expect.poll(output).toBe('R-1 paid\n');
});
