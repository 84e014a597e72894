import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { makePlan, subscribe, type TestPlan, walletOf } from '../support/subscriber.ts';
import { startOnTwoChains } from '../support/two-chains.ts';

const { first, second, server } = await startOnTwoChains();
const merchant = await server.merchant();
const session = await server.signIn(merchant.account);

const usdcOn = (...chainIds: number[]) => chainIds.map((chainId) => ({ chainId, token: 'USDC' }));
const planOn = (...chainIds: number[]) =>
  makePlan(server, merchant, chainIds.length > 0 ? { paymentTokens: usdcOn(...chainIds) } : {});
const DRAFT = `query ($planId: ID!, $customer: Wallet!, $token: String, $chainId: SafeInt) {
  permissionDraft(planId: $planId, customer: $customer, token: $token, chainId: $chainId) {
    chainId typedData permission { account spender token allowance period start end salt extraData } } }`;

/** A signed permission as the body of a subscription, drafted by the server for the chain. */
async function signedFor(plan: TestPlan, chainId?: number) {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const customer = walletOf(account);
  const { body } = await ask(server, session, DRAFT, { planId: plan.planId, customer, chainId });
  const { permission, typedData, ...draft } = body.data.permissionDraft;
  const permissionSignature = await account.signTypedData(typedData);
  const { planId } = plan;
  return {
    ...{ privateKey, customer, draft, typedData },
    body: { planId, customerWallet: customer, permissionSignature, permissionData: permission },
  };
}

/** Gives the customer tokens on the second chain, and approves charges there. */
async function fund({ privateKey, customer }: Awaited<ReturnType<typeof signedFor>>) {
  const { chain, control } = second;
  await control.setBalance({ address: toAddress(customer), value: 10n ** 18n });
  await mintTestTokens(chain, 'USDC', customer, 100_000_000n);
  const { spender } = spenderOf({ ...server.deps, chain });
  const args = [toAddress(spender), maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  const sender = createSender(chain, privateKey);
  const { hash } = await sender.send({ to: chain.tokens[0]!.address!, data });
  await sender.waitFor(hash!);
}

const statusOf = async (id: string) =>
  (await server.call('GET', `/api/subscriptions/status?subscriptionId=${id}`, { headers: merchant.auth })).body
    .subscription;

test('a plan without a choice is drafted, subscribed to and shown on the first chain', async () => {
  const signed = await signedFor(await planOn());
  expect([signed.draft.chainId, signed.typedData.domain.chainId]).toEqual([LOCAL_CHAIN_ID, LOCAL_CHAIN_ID]);
  const { status, body } = await subscribe(server, merchant, signed.body);
  expect([status, (await statusOf(body.subscription.subscriptionId)).chainId]).toEqual([201, LOCAL_CHAIN_ID]);
});

test('a plan on the second chain is subscribed to, charged and cancelled there', async () => {
  const plan = await planOn(SLOW_CHAIN_ID, LOCAL_CHAIN_ID);
  const signed = await signedFor(plan);
  expect([signed.draft.chainId, signed.typedData.domain.chainId]).toEqual([SLOW_CHAIN_ID, SLOW_CHAIN_ID]);
  await fund(signed);
  const PREFLIGHT = `query ($planId: ID!, $customer: Wallet!, $chainId: SafeInt) {
    subscriptionPreflight(planId: $planId, customer: $customer, chainId: $chainId) { chainId ready } }`;
  const preflight = async (chainId?: number) =>
    (await ask(server, session, PREFLIGHT, { planId: plan.planId, customer: signed.customer, chainId })).body.data
      .subscriptionPreflight;
  expect(await preflight()).toEqual({ chainId: SLOW_CHAIN_ID, ready: true });
  expect(await preflight(LOCAL_CHAIN_ID)).toEqual({ chainId: LOCAL_CHAIN_ID, ready: false });

  // Without a chain in the body, it is the plan's first one.
  const { body } = await subscribe(server, merchant, signed.body);
  const { subscriptionId } = body.subscription;
  const charged = await server.call('POST', '/api/cron/charge-subscriptions', {
    headers: { 'x-cron-secret': server.deps.settings.cronSecret },
  });
  const own = charged.body.results.find((one: { subscriptionId: string }) => one.subscriptionId === subscriptionId);
  expect(own, JSON.stringify(charged.body)).toMatchObject({ success: true, amountUsd: 14.5 });
  const mined = await second.chain.client.getTransactionReceipt({ hash: own.transactionHash });
  expect(mined.status).toBe('success');
  expect(await statusOf(subscriptionId)).toMatchObject({ chainId: SLOW_CHAIN_ID, chargeCount: 1 });

  const CANCEL = `query ($id: ID!) { cancellationRequest(subscriptionId: $id) { expiresAt typedData } }`;
  const { typedData, expiresAt } = (await ask(server, session, CANCEL, { id: subscriptionId })).body.data
    .cancellationRequest;
  expect(typedData.domain.chainId).toBe(SLOW_CHAIN_ID);
  const signature = await privateKeyToAccount(signed.privateKey).signTypedData(typedData);
  const cancelled = await server.call('POST', '/api/subscriptions/cancel', {
    headers: merchant.auth,
    body: { subscriptionId, wallet: signed.customer, signature, expiresAt },
  });
  expect(cancelled.body.subscription).toMatchObject({ status: 'cancelled', chainId: SLOW_CHAIN_ID });
});

describe('a permission of one chain is refused on another:', () => {
  test('signed for the first chain, sent for the second, and the other way round', async () => {
    const plan = await planOn(LOCAL_CHAIN_ID, SLOW_CHAIN_ID);
    for (const [from, to] of [
      [LOCAL_CHAIN_ID, SLOW_CHAIN_ID],
      [SLOW_CHAIN_ID, LOCAL_CHAIN_ID],
    ] as const) {
      const { body } = await signedFor(plan, from);
      const replayed = await subscribe(server, merchant, { ...body, chainId: to });
      expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_signature']);
      const made = await subscribe(server, merchant, { ...body, chainId: from });
      expect(made.status).toBe(201);
      // Also after it is in use where it was signed for.
      expect((await subscribe(server, merchant, { ...body, chainId: to })).body.error).toBe('invalid_signature');
    }
  });

  test('a chain that the plan does not take, an unknown one, and a token of another chain', async () => {
    const plan = await planOn(SLOW_CHAIN_ID);
    const { body } = await signedFor(plan);
    for (const chainId of [LOCAL_CHAIN_ID, 5]) {
      const refused = await subscribe(server, merchant, { ...body, chainId });
      expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_input', 'chainId']);
      const asked = { planId: plan.planId, customer: body.customerWallet, chainId };
      expect(codeOf(await ask(server, session, DRAFT, asked))).toBe('invalid_input');
    }
    const usdt = first.chain.tokens.find(({ symbol }) => symbol === 'USDT')!.address;
    const other = { ...body, permissionData: { ...body.permissionData, token: usdt } };
    const refused = await subscribe(server, merchant, other);
    expect([refused.body.error, refused.body.field]).toEqual(['invalid_permission', 'permissionData.token']);
  });
});

test.each([
  ['no token', [], 'paymentTokens'],
  ['an unknown chain', usdcOn(5), 'paymentTokens[0]'],
  ['a token that the chain does not have', [{ chainId: SLOW_CHAIN_ID, token: 'USDT' }], 'paymentTokens[0]'],
  [
    'a token that is no dollar token',
    [...usdcOn(SLOW_CHAIN_ID), { chainId: SLOW_CHAIN_ID, token: 'EURC' }],
    'paymentTokens[1]',
  ],
  ['the native coin', [{ chainId: LOCAL_CHAIN_ID, token: 'ETH' }], 'paymentTokens[0]'],
  ['a token twice', usdcOn(LOCAL_CHAIN_ID, LOCAL_CHAIN_ID), 'paymentTokens'],
])('a plan with %s is refused', async (_, paymentTokens, field) => {
  const body = { name: 'Tea club', priceUsd: 9, period: 'MONTHLY', paymentTokens };
  const { status, body: answer } = await server.call('POST', '/api/subscriptions/plans', { headers: session, body });
  expect([status, answer.error, answer.field]).toEqual([400, 'invalid_input', field]);
});

test('a plan’s choice is changed and taken back; its subscriptions stay on their chain', async () => {
  const { planId, ...plan } = await planOn(SLOW_CHAIN_ID);
  const { body } = await signedFor({ planId, ...plan });
  const { subscriptionId } = (await subscribe(server, merchant, body)).body.subscription;
  const READ = 'query ($planId: ID!) { plan(planId: $planId) { paymentTokens { chainId token } } }';
  const read = async () => (await ask(server, session, READ, { planId })).body.data.plan.paymentTokens;
  const change = (paymentTokens: unknown) =>
    server.call('PUT', '/api/subscriptions/plans', { headers: session, body: { planId, paymentTokens } });
  expect(await read()).toEqual(usdcOn(SLOW_CHAIN_ID));
  await change([{ chainId: LOCAL_CHAIN_ID, token: 'usdc' }]);
  expect(await read()).toEqual(usdcOn(LOCAL_CHAIN_ID));
  await change(null);
  expect(await read()).toBeNull();
  expect((await statusOf(subscriptionId)).chainId).toBe(SLOW_CHAIN_ID);
});

test('the tokens to choose from are the dollar tokens of every chain', async () => {
  const OPTIONS = 'query { planTokenOptions { chainId token usual } }';
  const { planTokenOptions } = (await ask(server, session, OPTIONS)).body.data;
  expect(planTokenOptions).toEqual([
    { chainId: LOCAL_CHAIN_ID, token: 'USDC', usual: true },
    { chainId: LOCAL_CHAIN_ID, token: 'USDT', usual: true },
    { chainId: SLOW_CHAIN_ID, token: 'USDC', usual: false },
  ]);
});
