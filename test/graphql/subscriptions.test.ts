import { erc20Abi, parseEther, type TypedDataDefinition } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { deploymentTransaction } from '../../src/base/chain/create2.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import {
  accountFactory,
  accountOf,
  createAccountTransaction,
  executeTransaction,
} from '../../src/base/chain/spend-permission-account.ts';
import { isDeployed } from '../../src/base/chain/splitter.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody, type TestPlan, tokenOf, walletOf } from '../support/subscriber.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
let plan: TestPlan;
let page: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  plan = await makePlan(server, merchant);
  page = await pageOf(merchant, plan);
});
afterAll(() => server.stop());

const subscribed = async (to: TestMerchant, plan: TestPlan) => {
  const body = await subscriptionBody(server, plan);
  return (await subscribe(server, to, body)).body.subscription as { subscriptionId: string };
};

async function pageOf(of: TestMerchant, { planId }: TestPlan): Promise<Record<string, string>> {
  const token = await issuePageToken(server.deps.settings, { merchant: of.wallet, planId }, Date.now());
  return { authorization: `Bearer ${token}` };
}

const PREFLIGHT = `query ($planId: ID!, $customer: Wallet!, $token: String) { subscriptionPreflight(planId: $planId, customer: $customer, token: $token) {
  ready token tokenAddress decimals amount balance smartAccount obstacles { code message fix { address spender amount transactions { to data } } } } }`;
const preflight = async (customer: string, token?: string) => {
  const answer = await ask(server, page, PREFLIGHT, { planId: plan.planId, customer, token });
  expect(answer.body.errors).toBeUndefined();
  return answer.body.data.subscriptionPreflight;
};

/** Sends what clears an obstacle, as the wallet would. */
async function send(sender: ReturnType<typeof createSender>, transaction: { to: string; data: string }) {
  const { hash, ...rest } = await sender.send(transaction as never);
  if (!hash) throw new Error(JSON.stringify(rest));
  expect(await sender.waitFor(hash)).toBe('success');
}

/** A new key with some ether. */
async function funded() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const sender = createSender(server.deps.chain, `0x${Buffer.from(bytes).toString('hex')}`);
  const rich = createSender(server.deps.chain, localAccount('buyer', 4).privateKey);
  const { hash } = await rich.send({ to: sender.address, value: parseEther('1') });
  await rich.waitFor(hash!);
  return sender;
}

test('the preflight of a plain wallet names the approval and the missing balance; sending the proposed transactions fixes both', async () => {
  const sender = await funded();
  const before = await preflight(sender.address);
  const { spender } = spenderOf(server.deps);
  const token = tokenOf(server, 'USDC');
  expect(before).toMatchObject({
    ready: false,
    token: 'USDC',
    tokenAddress: token,
    decimals: 6,
    amount: '14500000',
    balance: '0',
    smartAccount: false,
  });
  expect(before.obstacles).toEqual([
    {
      code: 'approval_missing',
      message: expect.stringContaining('174 USDC'),
      fix: {
        address: token,
        spender,
        amount: String(12n * 14_500_000n),
        transactions: [{ to: token, data: expect.stringMatching(/^0x095ea7b3/) }],
      },
    },
    {
      code: 'balance_too_low',
      message: expect.stringContaining('14.5 USDC short'),
      fix: { address: token, spender: null, amount: '14500000', transactions: [] },
    },
  ]);
  for (const transaction of before.obstacles[0].fix.transactions) await send(sender, transaction);
  const allowed = await server.deps.chain.client.readContract({
    abi: erc20Abi,
    address: toAddress(token),
    functionName: 'allowance',
    args: [toAddress(sender.address), toAddress(spender)],
  });
  expect(allowed).toBe(12n * 14_500_000n);
  await mintTestTokens(server.deps.chain, 'USDC', sender.address, 14_500_000n);
  expect(await preflight(sender.address)).toMatchObject({ ready: true, obstacles: [], balance: '14500000' });
  expect(await preflight(sender.address, 'usdt')).toMatchObject({ ready: false, token: 'USDT' });
});

test('the preflight of a smart account asks it to make the manager an owner; sending the proposed transaction fixes it', async () => {
  const owner = await funded();
  if (!(await isDeployed(server.deps.chain, accountFactory.address)))
    await send(owner, deploymentTransaction(accountFactory) as never);
  const account = accountOf([owner.address]);
  await send(owner, createAccountTransaction([owner.address]));
  const before = await preflight(account);
  const { manager } = spenderOf(server.deps);
  expect(before.smartAccount).toBe(true);
  expect(before.obstacles.map(({ code }: { code: string }) => code)).toEqual(['manager_not_owner', 'balance_too_low']);
  const [{ fix }] = before.obstacles;
  expect(fix).toMatchObject({ address: account, spender: manager, amount: null });
  await send(owner, executeTransaction(account, fix.transactions[0]));
  await mintTestTokens(server.deps.chain, 'USDC', account, 20_000_000n);
  expect(await preflight(account)).toMatchObject({ ready: true, obstacles: [] });
});

const DRAFT = `query ($planId: ID!, $customer: Wallet!, $token: String) { permissionDraft(planId: $planId, customer: $customer, token: $token) {
  permission { account spender token allowance period start end salt extraData } typedData permissionHash } }`;

test('a signed draft is accepted, and each draft has its own salt', async () => {
  const customer = newAccount();
  const variables = { planId: plan.planId, customer: walletOf(customer) };
  const drafts = [await ask(server, page, DRAFT, variables), await ask(server, page, DRAFT, variables)].map(
    (answer) => answer.body.data.permissionDraft,
  );
  expect(new Set(drafts.map(({ permissionHash }) => permissionHash)).size).toBe(2);
  const [{ permission, typedData, permissionHash }] = drafts;
  const permissionSignature = await customer.signTypedData(typedData as TypedDataDefinition);
  const made = await ask(
    server,
    page,
    'mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) { subscriptionId permissionHash permission { salt } status } }',
    {
      input: {
        planId: plan.planId,
        customerWallet: walletOf(customer),
        permissionSignature,
        permissionData: permission,
      },
    },
  );
  expect(made.body.data.createSubscription).toMatchObject({
    permissionHash,
    permission: { salt: permission.salt },
    status: 'active',
  });
});

test('of a subscription the preflight goes by what was signed, whatever has become of the plan', async () => {
  const own = await makePlan(server, merchant, { priceUsd: 3, period: 'YEARLY' });
  const body = await subscriptionBody(server, own, { token: tokenOf(server, 'USDT') });
  const { body: made } = await subscribe(server, merchant, body);
  const session = await server.signIn(merchant.account);
  await ask(server, session, 'mutation ($i: UpdatePlanInput!) { updatePlan(input: $i) { name } }', {
    i: { planId: own.planId, priceUsd: 99, period: 'WEEKLY' },
  });
  const query = `query ($p: ID!, $c: Wallet!, $s: ID) { subscriptionPreflight(planId: $p, customer: $c, subscriptionId: $s) {
    token amount obstacles { code fix { amount } } } }`;
  const { subscriptionId } = made.subscription;
  const variables = { p: own.planId, c: body.customerWallet, s: subscriptionId };
  const answer = await ask(server, await pageOf(merchant, own), query, variables);
  expect(answer.body.data.subscriptionPreflight).toMatchObject({
    token: 'USDT',
    amount: '3000000',
    obstacles: [{ code: 'approval_missing', fix: { amount: '3000000' } }, { code: 'balance_too_low' }],
  });
  // Of another plan's page it is none.
  expect(codeOf(await ask(server, page, query, { ...variables, p: plan.planId }))).toBe('not_found');
});

test('a plan’s page reaches its own plan and nothing else', async () => {
  const other = await makePlan(server, merchant);
  const foreign = await server.merchant();
  const customer = walletOf(newAccount());
  const refused: [string, Record<string, unknown>, string][] = [
    ['query ($id: ID!) { plan(planId: $id) { name } }', { id: other.planId }, 'plan_not_found'],
    [PREFLIGHT, { planId: other.planId, customer }, 'plan_not_found'],
    [DRAFT, { planId: other.planId, customer }, 'plan_not_found'],
    ['query ($w: Wallet!) { plans(wallet: $w) { nodes { name } } }', { w: foreign.wallet }, 'forbidden'],
    [
      'query ($w: Wallet!) { plans(wallet: $w, includeInactive: true) { nodes { name } } }',
      { w: merchant.wallet },
      'forbidden',
    ],
    ['query ($w: Wallet!) { subscriptions(merchant: $w) { nodes { planId } } }', { w: merchant.wallet }, 'forbidden'],
    ['{ receipts { nodes { receiptId } } }', {}, 'forbidden'],
    ['{ shopConfig { name } }', {}, 'forbidden'],
    ['{ me { wallet } }', {}, 'forbidden'],
    ['mutation ($id: ID!) { deactivatePlan(planId: $id) { active } }', { id: plan.planId }, 'forbidden'],
    ['mutation { quotePayment(receiptId: "x", token: "USDC") { payTo } }', {}, 'forbidden'],
    ['{ receipt(receiptId: "x") { status } }', {}, 'forbidden'],
  ];
  for (const [query, variables, code] of refused)
    expect([query, codeOf(await ask(server, page, query, variables))]).toEqual([query, code]);
  const own = await ask(server, page, 'query ($id: ID!) { plan(planId: $id) { name merchant priceUsd } }', {
    id: plan.planId,
  });
  expect(own.body.data.plan).toEqual({ name: 'Coffee club', merchant: merchant.wallet, priceUsd: 14.5 });
});

test('a receipt’s page token does not pass for a plan’s, nor the other way round', async () => {
  const receipt = await issuePageToken(
    server.deps.settings,
    { merchant: merchant.wallet, receiptId: plan.planId },
    Date.now(),
  );
  const query = 'query ($id: ID!) { plan(planId: $id) { name } }';
  const answer = await ask(server, { authorization: `Bearer ${receipt}` }, query, { id: plan.planId });
  expect(codeOf(answer)).toBe('forbidden');
});

test('a key reads plans and subscriptions of its own merchant with only graphql:read, and cannot subscribe customers over GraphQL', async () => {
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: ['graphql:read'] });
  const headers = { 'Ocp-Apim-Subscription-Key': key };
  const foreign = await server.merchant();
  const theirs = await makePlan(server, foreign);
  const planQuery = 'query ($id: ID!) { plan(planId: $id) { name } }';
  expect((await ask(server, headers, planQuery, { id: plan.planId })).body.data.plan.name).toBe('Coffee club');
  expect(codeOf(await ask(server, headers, planQuery, { id: theirs.planId }))).toBe('plan_not_found');
  const list = 'query ($w: Wallet!) { subscriptions(merchant: $w) { nodes { planId } } }';
  expect(codeOf(await ask(server, headers, list, { w: merchant.wallet }))).toBeNull();
  expect(codeOf(await ask(server, headers, list, { w: foreign.wallet }))).toBe('forbidden');
  const mutation = 'mutation { cancelSubscription(input: { subscriptionId: "x", wallet: "0x" }) { status } }';
  expect(codeOf(await ask(server, headers, mutation))).toBe('forbidden');
});

test('a merchant ends a subscription of its own and no other, and lists subscriptions by plan and by status', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  const [one, other] = [await makePlan(server, shop), await makePlan(server, shop, { name: 'Other' })];
  const { subscriptionId } = await subscribed(shop, one);
  await subscribed(shop, other);
  const END = 'mutation ($id: ID!) { endSubscription(subscriptionId: $id) { status nextChargeAt } }';
  const foreign = await server.signIn(merchant.account);
  expect(codeOf(await ask(server, foreign, END, { id: subscriptionId }))).toBe('not_found');
  expect(codeOf(await ask(server, shop.auth, END, { id: subscriptionId }))).toBe('forbidden');
  for (let n = 0; n < 2; n++)
    expect((await ask(server, session, END, { id: subscriptionId })).body.data.endSubscription).toEqual({
      status: 'cancelled',
      nextChargeAt: null,
    });
  const LIST = `query ($w: Wallet!, $plan: ID, $status: SubscriptionState) {
    subscriptions(merchant: $w, planId: $plan, status: $status) { nodes { planId status } } }`;
  const listed = async (filter: object) =>
    (await ask(server, session, LIST, { w: shop.wallet, ...filter })).body.data.subscriptions.nodes;
  expect(await listed({})).toHaveLength(2);
  expect(await listed({ plan: one.planId })).toEqual([{ planId: one.planId, status: 'cancelled' }]);
  expect(await listed({ status: 'active' })).toEqual([{ planId: other.planId, status: 'active' }]);
  expect(await listed({ plan: one.planId, status: 'active' })).toEqual([]);
});

test('subscribers are found by a part of e-mail address or wallet, by those who may read receipts, and by no one else', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  const [own, other] = [await makePlan(server, shop), await makePlan(server, shop, { name: 'Other' })];
  const join = async (to: TestPlan, email?: string) => {
    const body = await subscriptionBody(server, to);
    const answer = await subscribe(server, shop, { ...body, ...(email && { email }) });
    return { ...body, id: answer.body.subscription.subscriptionId as string };
  };
  const [ada, bob, silent] = [
    await join(own, 'Ada@Lovelace.test'),
    await join(other, 'bob_100%@navy.test'),
    await join(own),
  ];
  const FIND = `query ($w: Wallet, $c: Wallet, $q: String, $plan: ID, $status: SubscriptionState) {
    subscriptions(merchant: $w, customer: $c, q: $q, planId: $plan, status: $status) { nodes { subscriptionId } totalCount } }`;
  const find = (variables: object, headers = session) => ask(server, headers, FIND, { w: shop.wallet, ...variables });
  const found = async (variables: object) => {
    const { nodes, totalCount } = (await find(variables)).body.data.subscriptions;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId);
  };
  expect(await found({ q: 'LOVELACE' })).toEqual([ada.id]);
  expect(await found({ q: '.test' })).toEqual([bob.id, ada.id]);
  expect(await found({ q: '.test', plan: own.planId })).toEqual([ada.id]);
  expect(await found({ q: '.test', plan: own.planId, status: 'cancelled' })).toEqual([]);
  expect(await found({ q: '_100%' })).toEqual([bob.id]);
  expect(await found({ q: '%' })).toEqual([bob.id]);
  expect(await found({ q: silent.customerWallet.slice(7, 25).toUpperCase() })).toEqual([silent.id]);
  expect(await found({ q: 'nothing of it' })).toEqual([]);
  expect(await found({ q: null })).toHaveLength(3);

  const keyWith = async (...scopes: Parameters<typeof issueKey>[1]['scopes']) => ({
    'Ocp-Apim-Subscription-Key': (await issueKey(server.deps, { merchant: shop.wallet, scopes })).key,
  });
  expect(codeOf(await find({ q: 'ada' }, await keyWith('graphql:read')))).toBe('forbidden');
  expect(codeOf(await find({}, await keyWith('graphql:read')))).toBeNull();
  expect(codeOf(await find({ q: 'ada' }, await keyWith('graphql:read', 'receipts:read')))).toBeNull();
  expect(codeOf(await find({ q: 'ada' }, await server.signIn(merchant.account)))).toBe('forbidden');
  const ofCustomer = { w: null, c: shop.wallet };
  expect(codeOf(await find({ ...ofCustomer, q: 'ada' }))).toBe('forbidden');
  expect(codeOf(await find(ofCustomer))).toBeNull();
  expect(codeOf(await find({ q: '' }))).toBe('invalid_input');
  expect(codeOf(await find({ q: 'x'.repeat(10_000) }))).toBe('invalid_input');
});

test('plans over GraphQL: made, changed, taken off and listed in full by their merchant', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  const made = await ask(
    server,
    session,
    'mutation { createPlan(input: { name: "G", priceUsd: 5, period: WEEKLY }) { planId description active } }',
  );
  expect(made.body.data.createPlan).toMatchObject({ description: '', active: true });
  const { planId } = made.body.data.createPlan;
  const changed = await ask(
    server,
    session,
    'mutation ($i: UpdatePlanInput!) { updatePlan(input: $i) { priceUsd name } }',
    { i: { planId, priceUsd: 6.5 } },
  );
  expect(changed.body.data.updatePlan).toEqual({ priceUsd: 6.5, name: 'G' });
  const wrong = await ask(
    server,
    session,
    'mutation { createPlan(input: { name: "", priceUsd: 5, period: WEEKLY }) { planId } }',
  );
  expect(wrong.body.errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'name' });
  const off = await ask(server, session, 'mutation ($id: ID!) { deactivatePlan(planId: $id) { active } }', {
    id: planId,
  });
  expect(off.body.data.deactivatePlan).toEqual({ active: false });
  const lists = await ask(
    server,
    session,
    'query ($w: Wallet!) { plans(wallet: $w) { nodes { planId } } all: plans(wallet: $w, includeInactive: true) { nodes { planId } } }',
    { w: shop.wallet },
  );
  expect(lists.body.data).toEqual({ plans: { nodes: [] }, all: { nodes: [{ planId }] } });
  const bare = await ask(
    server,
    { cookie: session.cookie as string },
    'mutation ($id: ID!) { deactivatePlan(planId: $id) { active } }',
    {
      id: planId,
    },
  );
  expect(codeOf(bare)).toBe('forbidden');
});
