import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { encodeFunctionData, erc20Abi, maxUint256, type TypedDataDefinition, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { toAddress } from '../../../src/base/chain/address.ts';
import { mintTestTokens } from '../../../src/base/chain/local.ts';
import { createSender } from '../../../src/base/chain/sender.ts';
import { spenderOf } from '../../../src/base/onchain/spender/spender.ts';
import { claimTypedData } from '../../../src/domain/payments/matching/claim.ts';
import { stock } from '../../contract/catalog.ts';
import { createDatabase } from '../../support/database.ts';
import { dumpDatabase } from '../../support/dump-database.ts';
import { until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../../support/server.ts';
import { makePlan, subscribe, subscriptionBody, tokenOf, walletOf } from '../../support/subscriber.ts';

/** All that the process writes to its log, from now on. */
function keepLog(): () => string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return () => lines.join('');
}

/** Every key and value, as Redis itself would write them down. */
async function dumpRedis(): Promise<string> {
  const redis = new Redis(inject('redisUrl'));
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].join('\n');
  } finally {
    redis.disconnect();
  }
}

function dumpFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

/** Subscribes a new wallet and charges it; the signature of its permission. */
async function charge(server: TestServer, merchant: TestMerchant): Promise<string> {
  const plan = await makePlan(server, merchant);
  const privateKey = generatePrivateKey();
  const customer = privateKeyToAccount(privateKey);
  await fund(customer.address);
  await mintTestTokens(server.deps.chain, 'USDC', walletOf(customer), 1_000_000_000n);
  const args = [toAddress(spenderOf(server.deps).spender), maxUint256] as const;
  const sender = createSender(server.deps.chain, privateKey);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  await sender.waitFor((await sender.send({ to: tokenOf(server, 'USDC'), data })).hash!);
  const body = await subscriptionBody(server, plan, { customer });
  const { subscriptionId } = (await subscribe(server, merchant, body)).body.subscription;
  const headers = { 'x-cron-secret': server.deps.settings.cronSecret };
  const charged = await server.call('POST', '/api/subscriptions/charge', { headers, body: { subscriptionId } });
  expect(charged.body).toMatchObject({ success: true });
  return body.permissionSignature;
}

async function fund(address: string): Promise<void> {
  const call = { jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [address, toHex(10n ** 20n)] };
  const headers = { 'content-type': 'application/json' };
  await fetch(inject('rpcUrl'), { method: 'POST', headers, body: JSON.stringify(call) });
}

/** Opens a socket with what `connection_init` carries, and closes it once it is taken. */
async function openSocket(url: string, payload: object, headers: Record<string, string> = {}): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/graphql`, 'graphql-transport-ws', { headers });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await new Promise((resolve) => socket.once('message', resolve));
  socket.close();
}

const SUBMIT = `mutation ($receiptId: ID!, $transactionHash: Hex!, $signer: Wallet!, $signature: Hex!) {
  submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash, signer: $signer, signature: $signature) { status }
}`;

test('a dump of database, Redis, journal and log has no key, cookie or signature in the clear, and the log no data of a buyer', async () => {
  const log = keepLog();
  const spenderKey = generatePrivateKey();
  await fund(privateKeyToAddress(spenderKey));
  const { databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  const relay = await openRelay(databaseUrl);
  const server = await startTestServer({
    worker: true,
    redis: true,
    databaseUrl: relay.url,
    env: { SPENDER_PRIVATE_KEY: spenderKey, CHARGE_SCHEDULE: 'off', LOG_LEVEL: 'trace', RATE_LIMITS: '{"orders": 90}' },
  });
  onTestFinished(() => server.stop());
  const { call, deps } = server;
  const merchant = await server.merchant();
  const receiver = await openReceiver();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  const buyer = {
    firstName: 'Ada-Buyer',
    lastName: 'Love-Buyer',
    email: 'ada@buyer.example',
    line1: '12 Buyer Square',
  };
  const order = { ...buyer, items: [{ sku: 'TEA', qty: 1 }], webhookUrl: receiver.url };

  // A key by every name, a wrong one, and one that signs a webhook.
  const wrongKey = `qk_${'Wr0ng'.repeat(8)}xyz`;
  const bearer = { authorization: `Bearer ${merchant.key}` };
  const { receiptId } = (
    await call('POST', '/api/orders', { headers: { ...merchant.auth, 'idempotency-key': 'one' }, body: order })
  ).body.receipt;
  await call('GET', '/api/receipts', { headers: bearer });
  await call('GET', '/api/receipts', { headers: { 'x-api-key': wrongKey } });
  await call('POST', '/api/orders', { headers: merchant.auth, raw: '{' });
  await call('POST', '/api/orders', { headers: merchant.auth, body: { ...order, items: [] } });
  const report = { receiptId, wallet: merchant.wallet, status: 'checkout_initialized' };
  await call('POST', '/api/receipts/status', { headers: merchant.auth, body: report });
  const [webhook] = await receiver.about(receiptId, 'checkout_initialized');
  await openSocket(server.url, { 'x-api-key': merchant.key });

  // A session, and signatures: of its login, of a claim, of a permission that is charged.
  const signedIn = vi.spyOn(merchant.account, 'signTypedData');
  const session = await server.signIn(merchant.account);
  const loginSignature = (await signedIn.mock.results[0]!.value) as string;
  await call('GET', '/api/auth/me', { headers: session });
  const transactionHash = `0x${'a1'.repeat(32)}`;
  const facts = { merchant: merchant.wallet, receiptId, transactionHash };
  const typedData = claimTypedData(deps.chain.chainId, facts) as unknown as TypedDataDefinition;
  const claimSignature = await merchant.account.signTypedData(typedData);
  const variables = { receiptId, transactionHash, signer: merchant.wallet, signature: claimSignature };
  const claimed = await call('POST', '/api/graphql', { headers: session, body: { query: SUBMIT, variables } });
  expect(claimed.body).not.toHaveProperty('errors');
  await call('POST', '/api/graphql', {
    headers: session,
    body: { query: 'mutation { setPresence(live: true) { wallet } }' },
  });
  await openSocket(server.url, { 'x-csrf-token': session['x-csrf-token'] }, { ...session, origin: server.url });
  const { body: page } = await call('GET', `/portal/${receiptId}`);
  const [, pageToken] = /name="page-token" content="([^"]+)"/.exec(page)!;
  const permissionSignature = await charge(server, merchant);

  // An order without the database.
  await relay.cut();
  const away = await call('POST', '/api/orders', {
    headers: { ...merchant.auth, 'idempotency-key': 'two' },
    body: order,
  });
  expect(away.body).toMatchObject({ ok: true, degraded: true });
  const journal = dumpFolder(join(deps.settings.dataDir, 'journal'));
  expect(journal).toContain(away.body.receipt.receiptId);
  await relay.mend();
  await until(async () => !deps.journal.pending());

  const cookie = /cb_auth_token=([^;]+)/.exec(session.cookie!)![1]!;
  const signatures = { loginSignature, claimSignature, permissionSignature };
  const secrets: Record<string, string> = {
    key: merchant.key.slice(3),
    wrongKey: wrongKey.slice(3),
    cookie,
    cookieSignature: cookie.split('.')[2]!,
    csrfToken: session['x-csrf-token']!,
    pageToken: pageToken!.split('.').at(-1)!,
    cronSecret: deps.settings.cronSecret,
    spenderKey: spenderKey.slice(2),
    webhookSignature: String(webhook!.headers['x-service-signature']).slice(7),
    standardSignature: String(webhook!.headers['webhook-signature']).slice(3),
    ...Object.fromEntries(Object.entries(signatures).map(([name, hex]) => [name, hex.slice(2, 66)])),
  };
  const places = { database: await dumpDatabase(databaseUrl), redis: await dumpRedis(), journal, log: log() };
  expect(places.database).toContain(receiptId);
  expect(places.redis).toContain(merchant.wallet);
  expect(places.log).toContain('journal booked');
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => text.toLowerCase().includes(secret.toLowerCase()))
      .map(([name]) => `${name} in ${place}`),
  );
  expect(found).toEqual([]);
  expect(places.database).toContain(buyer.email);
  expect(Object.values(buyer).filter((text) => places.log.includes(text))).toEqual([]);
}, 240_000);
