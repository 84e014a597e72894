import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, erc20Abi, http, maxUint256 } from 'viem';
import { describe, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { root } from '../gates/sources.ts';
import { ask } from '../graphql/ask.ts';
import { newAccount } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody, tokenOf, walletOf } from '../support/subscriber.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: { 'application/json': { schema: { $ref: string }; example?: Fields } } };
}
type Fields = Readonly<Record<string, unknown>>;

/** A request that the server accepts: the documented example, with the names of things that exist. */
interface Valid {
  readonly headers?: Record<string, string>;
  readonly fields?: Fields;
  /** The `id` in the path. */
  readonly id?: string;
}

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
const { server, merchant, session, chain, mineUntil } = await openPaidShop();
const { auth, wallet } = merchant;
const plan = await makePlan(server, merchant);

let count = 0;
const fresh = (prefix: string): string => `${prefix}-${count++}`;
const made = async (path: string, body: unknown, headers: Record<string, string> = auth) =>
  (await server.call('POST', path, { headers, body })).body;
const newItem = async () => (await made('/api/inventory', { sku: fresh('SKU'), name: 'Mug', priceUsd: 24 })).item;
const newReceipt = async (): Promise<string> =>
  (await made('/api/receipts', { id: fresh('r'), lineItems: [{ label: 'Mug', priceUsd: 24 }] })).id;
const deleteEndpoints = async () => {
  const known = (await server.call('GET', '/api/webhooks/endpoints', { headers: session })).body.endpoints;
  for (const { id } of known) await server.call('DELETE', `/api/webhooks/endpoints/${id}`, { headers: session });
};
const newEndpoint = async (): Promise<string> => {
  await deleteEndpoints();
  const body = { url: 'https://shop.test/hooks', kinds: ['*'] };
  return (await made('/api/webhooks/endpoints', body, session)).endpoint.id;
};
const newSubscription = async (customer = newAccount()) => {
  const body = await subscriptionBody(server, plan, { customer });
  const { subscription } = (await subscribe(server, merchant, body)).body;
  return { customer, subscriptionId: subscription.subscriptionId as string, body };
};

/** A wallet with test tokens, whose spender is approved. */
async function payingCustomer() {
  const customer = newAccount();
  await chain.control.setBalance({ address: customer.address, value: 10n ** 18n });
  await mintTestTokens(server.deps.chain, 'USDC', walletOf(customer), 1_000_000_000n);
  const wallet = createWalletClient({ account: customer, transport: http(chain.rpcUrl) });
  const args = [toAddress(spenderOf(server.deps).spender), maxUint256] as const;
  const address = toAddress(tokenOf(server, 'USDC'));
  const hash = await wallet.writeContract({ abi: erc20Abi, address, functionName: 'approve', args, chain: null });
  await server.deps.chain.client.waitForTransactionReceipt({ hash });
  return customer;
}

async function paidReceipt(): Promise<string> {
  const receiptId = await newReceipt();
  const query = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  await made('/api/graphql', { query, variables: { id: receiptId } }, session);
  await mineUntil(async () => {
    const { body } = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: auth });
    return ['recipient_validated', 'completed'].includes(body.status);
  });
  return receiptId;
}

/** Frees what was asked for: without an amount, a request asks for everything. */
async function declineRefunds(): Promise<void> {
  const { body } = await ask(server, session, '{ refunds(state: requested) { nodes { id receiptId } } }');
  const decline = 'mutation ($receiptId: ID!, $id: ID!) { declineRefund(receiptId: $receiptId, refundId: $id) { id } }';
  for (const refund of body.data.refunds.nodes) await ask(server, session, decline, refund);
}

async function login(): Promise<Fields> {
  const account = newAccount();
  const { nonce, typedData } = await made('/api/auth/nonce', { wallet: account.address }, {});
  return { wallet: account.address, nonce, signature: await account.signTypedData(typedData) };
}

const paid = await paidReceipt();

/** What each operation with parameters or a body needs beside its documented example. */
const requests: Readonly<Record<string, () => Promise<Valid> | Valid>> = {
  readyz: async () => ({ fields: { for: 'orders' } }),
  inventory: () => ({ headers: auth, fields: { q: 'mug', stock: 'any', sort: 'name', order: 'asc', tagsMode: 'any' } }),
  saveInventoryItem: () => ({ headers: auth }),
  deleteInventoryItem: async () => ({ headers: auth, fields: { id: (await newItem()).id } }),
  createOrder: async () => ({
    headers: auth,
    fields: { items: [{ sku: (await newItem()).sku, qty: 2 }] },
  }),
  receipts: () => ({ headers: auth, fields: { limit: '10' } }),
  exportReceipts: () => ({ headers: auth, fields: { format: 'csv', timezone: 'Europe/Berlin' } }),
  createReceipt: () => ({ headers: auth, fields: { id: fresh('invoice') } }),
  receiptStatus: async () => ({ headers: auth, fields: { receiptId: await newReceipt() } }),
  reportTracking: async () => ({ headers: auth, fields: { receiptId: await newReceipt() } }),
  refundReceipt: () => ({ headers: session, fields: { receiptId: paid, wallet, usd: 0.01 } }),
  voidReceipt: async () => ({ headers: auth, fields: { receiptId: await newReceipt() } }),
  replaceReceipt: async () => ({
    headers: auth,
    fields: { receiptId: await newReceipt(), items: [{ sku: (await newItem()).sku, qty: 3 }] },
  }),
  requestRefund: async () => {
    await declineRefunds();
    return { headers: auth, fields: { receiptId: paid, usd: 0.01, buyer: newAccount().address } };
  },
  createTerminalReceipt: () => ({ headers: session }),
  checkPayment: async () => ({ headers: auth, fields: { receiptId: await newReceipt() } }),
  updateShopConfig: () => ({ headers: session }),
  updatePricingConfig: () => ({ headers: session }),
  deploySplit: () => ({ headers: session }),
  splitTransactions: () => ({ headers: auth, fields: { address: merchant.split } }),
  searchUsers: () => ({
    headers: auth,
    fields: { q: 'ada', domains: 'a.test,b.test', minXp: '1', live: 'false', limit: '5', scan: '50' },
  }),
  plans: () => ({ headers: auth, fields: { wallet } }),
  createPlan: () => ({ headers: session }),
  updatePlan: async () => ({ headers: session, fields: { planId: (await makePlan(server, merchant)).planId } }),
  deactivatePlan: async () => ({
    headers: session,
    fields: { planId: (await makePlan(server, merchant)).planId },
  }),
  createSubscription: async () => ({
    headers: auth,
    fields: await subscriptionBody(server, plan, { customer: newAccount() }),
  }),
  subscriptionStatus: async () => ({
    headers: auth,
    fields: { subscriptionId: (await newSubscription()).subscriptionId },
  }),
  cancelSubscription: async () => {
    const { customer, subscriptionId } = await newSubscription();
    return {
      headers: await server.signIn(customer),
      fields: { subscriptionId, wallet: customer.address, signature: undefined, expiresAt: undefined },
    };
  },
  chargeSubscription: async () => ({
    headers: { 'x-cron-secret': server.deps.settings.cronSecret as string },
    fields: { subscriptionId: (await newSubscription(await payingCustomer())).subscriptionId },
  }),
  payouts: () => ({ headers: auth, fields: { limit: '10' } }),
  events: () => ({ headers: auth, fields: { limit: '10' } }),
  createWebhookEndpoint: async () => {
    await deleteEndpoints();
    return { headers: auth };
  },
  removeWebhookEndpoint: async () => {
    const { endpoint } = await made('/api/webhooks/endpoints', { url: 'https://shop.test/removed' }, auth);
    return { headers: auth, fields: { endpointId: endpoint.id } };
  },
  updateWebhookEndpoint: async () => ({ headers: session, id: await newEndpoint() }),
  rotateWebhookSecret: async () => ({ headers: session, id: await newEndpoint() }),
  keys: () => ({ headers: session, fields: { limit: '10' } }),
  issueKey: () => ({ headers: session }),
  rotateKey: async () => ({
    headers: session,
    id: (await made('/api/keys', { scopes: ['receipts:read'] }, session)).key.id,
  }),
  exchangeConnectCode: async () => {
    const codeVerifier = fresh('v'.repeat(43));
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const query = 'mutation ($input: ConnectShopInput!) { connectShop(input: $input) { returnUrl } }';
    const input = { name: 'Medusa', returnUrl: 'http://localhost/', codeChallenge };
    const { body } = await ask(server, session, query, { input });
    return { fields: { code: new URL(body.data.connectShop.returnUrl).searchParams.get('code'), codeVerifier } };
  },
  loginChallenge: () => ({}),
  login: async () => ({ fields: await login() }),
};

const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>)
  .filter(([path]) => path !== '/api/graphql')
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  .filter(({ requestBody, parameters }) => requestBody || parameters.some((one) => one.in === 'query'));

/** The schema of a body, which is a component of the document. */
const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody && document.components.schemas[requestBody.content['application/json'].schema.$ref.split('/').at(-1)!];

/** The fields of a request by name, with which are required. */
function fieldsOf(operation: Operation): { properties: Record<string, Schema>; required: string[] } {
  const shown = bodyOf(operation);
  if (shown) return { properties: { ...shown.properties }, required: [...(shown.required ?? [])] };
  const query = operation.parameters.filter((one) => one.in === 'query');
  return {
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

type Row = (typeof operations)[number];

async function send(row: Row, change: (fields: Record<string, unknown>) => void = () => {}) {
  const { headers = {}, fields = {}, id = '' } = await requests[row.operationId]!();
  const path = row.path.replace('{id}', id);
  const all = { ...row.requestBody?.content['application/json'].example, ...fields } as Record<string, unknown>;
  for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name];
  change(all);
  if (row.requestBody) return server.call(row.method, path, { headers, body: all });
  const query = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
  return server.call(row.method, `${path}?${query}`, { headers });
}

test('each operation with a query or a body is tested, and each body has an example', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(requests).sort());
  const without = operations.filter(
    ({ requestBody }) => requestBody && !requestBody.content['application/json'].example,
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

describe.each(operations.map((row) => [row.operationId, row] as const))('%s', (_, row) => {
  const { properties, required } = fieldsOf(row);

  test('the documented example is accepted', async () => {
    const { status, body } = await send(row);
    expect([status, body.error]).toEqual([expect.toSatisfy((code: number) => code < 300), undefined]);
  });

  test.each(required)('without %s it is refused with 400', async (name) => {
    const { status, body } = await send(row, (fields) => delete fields[name]);
    expect([status, typeof body.error]).toEqual([400, 'string']);
  });

  test('each optional field may be left out', async () => {
    const { headers: _headers, fields = {} } = await requests[row.operationId]!();
    const given = Object.keys({ ...row.requestBody?.content['application/json'].example, ...fields });
    for (const name of given.filter((one) => !required.includes(one) && !isAlternative(row, one))) {
      const { status, body } = await send(row, (all) => delete all[name]);
      expect([name, status, body.error]).toEqual([name, expect.toSatisfy((code: number) => code < 300), undefined]);
    }
  });

  const vocabularies = Object.entries(properties).flatMap(([name, schema]) =>
    schema.enum ? [[name, schema.enum] as const] : [],
  );
  test.each(vocabularies)('each documented value of %s is accepted, and no other', async (name, values) => {
    for (const value of values) {
      const { status, body } = await send(row, (fields) => Object.assign(fields, { [name]: value }));
      expect([value, status, body.error]).toEqual([value, expect.toSatisfy((code: number) => code < 300), undefined]);
    }
    const { status } = await send(row, (fields) => Object.assign(fields, { [name]: 'something-else' }));
    expect(status).toBe(400);
  });
});

/** Queries of which one parameter is required; a query has no schema of its own that could say so. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  subscriptionStatus: ['subscriptionId', 'customer', 'merchant'],
};

/** Whether the field is one of several of which one is required. */
function isAlternative(row: Row, name: string): boolean {
  const { oneOf = [] } = bodyOf(row) ?? {};
  return [ONE_OF[row.operationId] ?? [], ...oneOf.map(({ required = [] }) => required)].some((one) =>
    one.includes(name),
  );
}
