import { encodeFunctionData, erc20Abi, type Hex, maxUint256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { readHead } from '../../src/base/chain/blocks.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { CHARGE_QUEUE, enqueueJobs, FIRST_CHARGE_QUEUE } from '../../src/base/platform/jobs.ts';
import { startChargeWorker } from '../../src/domain/recurring/charges/worker.ts';
import { ask } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';
import { makePlan, subscribe, subscriptionBody, type TestPlan, tokenOf, walletOf } from '../support/subscriber.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let plan: TestPlan;
/** A wallet of this server's own: others charge on the same chain. */
const spenderKey = generatePrivateKey();

async function fund(address: string): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [address, toHex(10n ** 20n)] };
  await fetch(inject('rpcUrl'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

beforeAll(async () => {
  await fund(privateKeyToAddress(spenderKey));
  server = await startTestServer({ env: { SPENDER_PRIVATE_KEY: spenderKey, CHARGE_SCHEDULE: 'off' } });
  merchant = await server.merchant();
  plan = await makePlan(server, merchant);
});
afterAll(() => server.stop());

const secret = () => ({ 'x-cron-secret': server.deps.settings.cronSecret });
const charge = (body: unknown, headers: Record<string, string> = secret()) =>
  server.call('POST', '/api/subscriptions/charge', { headers, body });
const batch = (headers: Record<string, string> = secret()) =>
  server.call('POST', '/api/cron/charge-subscriptions', { headers });

/** Subscribes a new plain wallet, with tokens and an approval unless it is to be poor. */
async function newSubscription({ poor = false } = {}): Promise<{ id: string; start: number }> {
  const key: Hex = generatePrivateKey();
  const customer = privateKeyToAccount(key);
  if (!poor) {
    await fund(customer.address);
    await mintTestTokens(server.deps.chain, 'USDC', walletOf(customer), 1_000_000_000n);
    const args = [toAddress(spenderOf(server.deps).spender), maxUint256] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
    const sender = createSender(server.deps.chain, key);
    await sender.waitFor((await sender.send({ to: tokenOf(server, 'USDC'), data })).hash!);
  }
  const body = await subscriptionBody(server, plan, { customer });
  const answer = await subscribe(server, merchant, body);
  return { id: answer.body.subscription.subscriptionId, start: body.permissionData.start };
}

const MONTH_MS = 30 * 86_400_000;

describe('POST /api/subscriptions/charge', () => {
  // Contract: subscriptions.charge
  test('charges at once, and answers exactly the fields of the contract; the second call is not due', async () => {
    const { id, start } = await newSubscription();
    const answer = await charge({ subscriptionId: id });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        subscriptionId: id,
        chargeId: expect.stringMatching(/^charge_/),
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        amountUsd: 14.5,
        feeUsd: 0.07,
        nextChargeAt: start * 1000 + MONTH_MS,
      },
    ]);
    const again = await charge({ subscriptionId: id });
    expect([again.status, again.body]).toEqual([
      200,
      { success: false, reason: 'not_due', nextChargeAt: start * 1000 + MONTH_MS },
    ]);
    const { body } = await server.call('GET', '/api/receipts', { headers: merchant.auth });
    expect(body.receipts[0]).toMatchObject({
      totalUsd: 14.5,
      status: 'pending',
      lineItems: [{ label: 'Coffee club' }],
    });
  });

  test('the page of a subscription, its receipts and their pages are in the language of the subscriber', async () => {
    const { id } = await newSubscription();
    const setLanguage = { name: 'language-of-test', text: "update subscriptions set language = 'fr' where id = $1" };
    await runStatement(server.deps.db, setLanguage, [id]);
    expect((await charge({ subscriptionId: id })).status).toBe(200);
    const { body } = await server.call('GET', '/api/receipts', { headers: merchant.auth });
    const [{ receiptId }] = body.receipts;
    const read = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
    expect(read.body.language).toBe('fr');
    const languageOf = async (path: string) =>
      (await server.call('GET', path, { headers: { 'accept-language': 'es' } })).headers.get('content-language');
    expect(await languageOf(`/portal/${receiptId}?recipient=${merchant.wallet}`)).toBe('fr');
    expect(await languageOf(`/subscribe/${plan.planId}?subscription=${id}`)).toBe('fr');
    expect(await languageOf(`/subscribe/${plan.planId}?subscription=${id}&lang=ar`)).toBe('ar');
    expect(await languageOf(`/subscribe/${plan.planId}`)).toBe('es');
  });

  test('a customer who cannot pay is 502 charge_failed, which says why and when it is tried again', async () => {
    const { id } = await newSubscription({ poor: true });
    const { timeMs } = await readHead(server.deps.chain);
    const answer = await charge({ subscriptionId: id });
    expect(answer.status).toBe(502);
    expect(answer.body).toEqual(
      refusal('charge_failed', {
        subscriptionId: id,
        reason: 'declined',
        failureCode: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
        nextChargeAt: expect.any(Number),
      }),
    );
    expect(answer.body.nextChargeAt).toBeGreaterThanOrEqual(timeMs + 86_400_000);
    const status = await server.call('GET', `/api/subscriptions/status?subscriptionId=${id}`, {
      headers: merchant.auth,
    });
    expect(status.body.subscription).toMatchObject({ status: 'past_due', chargeCount: 0 });
  });

  test('without an id 400, with an unknown one 404, after a cancel 400', async () => {
    for (const body of [undefined, {}, { subscriptionId: '' }, { subscriptionId: null }])
      expect((await charge(body)).body).toEqual(refusal('subscription_id_required', { field: 'subscriptionId' }));
    expect((await charge({ subscriptionId: 'sub_none' })).status).toBe(404);
    const { id } = await newSubscription({ poor: true });
    await runStatement(
      server.deps.db,
      { name: 'cancel-of-test', text: "update subscriptions set status = 'cancelled' where id = $1" },
      [id],
    );
    const ended = await charge({ subscriptionId: id });
    expect([ended.status, ended.body.error]).toEqual([400, 'subscription_not_active']);
  });
});

// Contract: auth.cron
test('only the cron secret opens the two routes: no key, no session, no guess; with it a key beside it does no harm', async () => {
  const session = await server.signIn(merchant.account);
  for (const headers of [{}, merchant.auth, session, { 'x-cron-secret': 'guess' }] as Record<string, string>[]) {
    for (const answer of [await charge({ subscriptionId: 'sub_x' }, headers), await batch(headers)])
      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
  }
  expect((await batch({ ...secret(), ...merchant.auth })).status).toBe(200);
});

// Contract: subscriptions.cron
test('POST /api/cron/charge-subscriptions charges what is due, with a result for each', async () => {
  const [rich, poor] = [await newSubscription(), await newSubscription({ poor: true })];
  const { status, body } = await batch();
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    processed: 2,
    succeeded: 1,
    failed: 1,
    durationMs: expect.any(Number),
    results: expect.any(Array),
  });
  const of = (id: string) => body.results.find((result: { subscriptionId: string }) => result.subscriptionId === id);
  expect(of(rich.id)).toMatchObject({ success: true, amountUsd: 14.5, transactionHash: expect.any(String) });
  expect(of(poor.id)).toMatchObject({ success: false, reason: 'declined' });
});

// Contract: subscriptions.daily
test('by a schedule the workers charge by themselves', async () => {
  const { id } = await newSubscription();
  const forget = statement('forget-of-test', 'delete from jobs where queue = $1');
  await runStatement(server.deps.db, forget, [FIRST_CHARGE_QUEUE]);
  const worker = await startChargeWorker(server.deps);
  try {
    await server.deps.db.transaction((uow) => enqueueJobs(uow, CHARGE_QUEUE, [{}]));
    await until(async () => {
      const { body } = await server.call('GET', `/api/subscriptions/status?subscriptionId=${id}`, {
        headers: merchant.auth,
      });
      return body.subscription.chargeCount === 1;
    });
  } finally {
    await worker.stop();
  }
});

// Contract: subscriptions.create-active
test('a new subscription is charged by a worker within ten seconds, without a schedule; one that cannot pay is past due', async () => {
  const worker = await startChargeWorker(server.deps);
  try {
    const [rich, poor] = [await newSubscription(), await newSubscription({ poor: true })];
    const recordOf = async ({ id }: { id: string }) => {
      const path = `/api/subscriptions/status?subscriptionId=${id}`;
      return (await server.call('GET', path, { headers: merchant.auth })).body.subscription;
    };
    await until(async () => (await recordOf(rich)).firstCharge !== 'pending', { timeoutMs: 10_000 });
    await until(async () => (await recordOf(poor)).firstCharge !== 'pending', { timeoutMs: 10_000 });
    expect(await recordOf(rich)).toMatchObject({ status: 'active', firstCharge: 'done', chargeCount: 1 });
    expect(await recordOf(poor)).toMatchObject({ status: 'past_due', firstCharge: 'failed', chargeCount: 0 });
    const asked = `{ subscription(subscriptionId: "${poor.id}") { firstCharge lastFailure } }`;
    expect((await ask(server, merchant.auth, asked)).body.data.subscription).toEqual({
      firstCharge: 'failed',
      lastFailure: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
    });
    // Another merchant learns nothing of it.
    const refused = await ask(server, (await server.merchant()).auth, asked);
    expect(refused.body.errors[0].extensions.code).toBe('not_found');
  } finally {
    await worker.stop();
  }
});

test("a merchant reads what has happened to a subscription; another merchant's is empty to it", async () => {
  const { id } = await newSubscription();
  await charge({ subscriptionId: id });
  const query = `{ subscriptionHistory(subscriptionId: "${id}") { nodes {
    kind status amountUsd feeUsd chargeId receiptId transactionHash cursor } } }`;
  const read = async ({ auth }: TestMerchant) => (await ask(server, auth, query)).body;
  expect((await read(merchant)).data.subscriptionHistory.nodes).toMatchObject([
    { kind: 'created', status: 'active' },
    { kind: 'charged', status: 'active', amountUsd: 14.5, feeUsd: 0.07 },
  ]);
  expect((await read(await server.merchant())).data.subscriptionHistory.nodes).toEqual([]);
});
