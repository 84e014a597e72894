import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Abi, createWalletClient, encodeDeployData, type Hex, http, toHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { toWallet } from '../../src/base/chain/address.ts';
import artifact from '../../src/base/chain/contracts/hostile-stranger.json' with { type: 'json' };
import type { Wallet } from '../../src/base/core/wallet.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { ask } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { fittingPermission, makePlan, type TestPlan } from '../support/subscriber.ts';

/** What arrived at a service on this machine that no setting names. */
const requests: string[] = [];
const service = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  response.setHeader('content-type', 'application/json').end('{"data":"0x01"}');
});
const spenderKey = generatePrivateKey();
const rich = privateKeyToAccount(generatePrivateKey());

let server: TestServer;
let merchant: TestMerchant;
let plan: TestPlan;
let url: string;

async function fund(address: string): Promise<void> {
  await server.deps.chain.client.request({
    method: 'anvil_setBalance' as never,
    params: [address, toHex(10n ** 20n)] as never,
  });
}

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/internal`;
  server = await startTestServer({ env: { SPENDER_PRIVATE_KEY: spenderKey, CHARGE_SCHEDULE: 'off' } });
  await Promise.all([privateKeyToAddress(spenderKey), rich.address].map(fund));
  merchant = await server.merchant();
  plan = await makePlan(server, merchant);
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await server.stop();
});
beforeEach(() => {
  requests.length = 0;
});

const WAYS = [
  ['asks for a URL', 0],
  ['returns 300 kB', 1],
  ['reverts with 300 kB', 2],
  ['never ends', 3],
] as const;

/** An account that misbehaves; it accepts every signature if it agrees, and then asks in the name of the charger. */
async function deploy(way: number, agrees: boolean): Promise<Wallet> {
  const { client } = server.deps.chain;
  const wallet = createWalletClient({ account: rich, chain: client.chain, transport: http(inject('rpcUrl')) });
  const args = [way, agrees ? spenderOf(server.deps).spender : zeroAddress, agrees, url];
  const hash = await wallet.sendTransaction({
    chain: null,
    data: encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args }),
  });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return toWallet(contractAddress!);
}

/** The only credential of a stranger: the token of the plan's public page. */
async function strangersToken(): Promise<Record<string, string>> {
  const { body } = await server.call('GET', `/subscribe/${plan.planId}`);
  const [, token] = /<meta name="page-token" content="([^"]+)">/.exec(body) ?? [];
  return { authorization: `Bearer ${token}` };
}

const PREFLIGHT = `query ($planId: ID!, $customer: Wallet!) {
  subscriptionPreflight(planId: $planId, customer: $customer) { smartAccount obstacles { code } }
}`;

test.each(WAYS)('a stranger whose contract %s makes the server send nothing, and has an answer', async (_, way) => {
  const customer = await deploy(way, false);
  const answer = await ask(server, await strangersToken(), PREFLIGHT, { planId: plan.planId, customer });
  expect(answer.body.errors).toBeUndefined();
  const { smartAccount, obstacles } = answer.body.data.subscriptionPreflight;
  expect(smartAccount).toBe(true);
  expect(obstacles.map(({ code }: { code: string }) => code)).toContain('manager_not_owner');
  const body = await bodyOf(customer);
  const created = await server.call('POST', '/api/subscriptions/create', { headers: await strangersToken(), body });
  expect([created.status, created.body.error]).toEqual([400, 'invalid_signature']);
  expect(requests).toEqual([]);
});

const bodyOf = async (customer: Wallet) => ({
  planId: plan.planId,
  customerWallet: customer,
  permissionSignature: `0x${'11'.repeat(65)}`,
  permissionData: await fittingPermission(server, plan, customer),
});

test('accounts that misbehave in a charge are not charged, send nothing and hold up no batch', async () => {
  const headers = await strangersToken();
  for (const [, way] of WAYS) {
    const body = await bodyOf(await deploy(way, true));
    const created = await server.call('POST', '/api/subscriptions/create', { headers, body });
    expect(created.status).toBe(201);
  }
  const startedMs = performance.now();
  const secret = { 'x-cron-secret': server.deps.settings.cronSecret };
  const batch = await server.call('POST', '/api/cron/charge-subscriptions', { headers: secret });
  expect(batch.body).toMatchObject({ processed: WAYS.length, succeeded: 0, failed: WAYS.length });
  expect(batch.body.results.map(({ reason }: { reason: string }) => reason)).not.toContain('chain_unavailable');
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(requests).toEqual([]);
});
