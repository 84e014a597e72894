import { setTimeout as pause } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import type { Answer } from '../../support/http.ts';
import { subscriptionBody } from '../../support/subscriber.ts';
import type { Studio } from './studio.ts';
import { walletOf } from './wallets.ts';

const DAY_MS = 86_400_000;

const BUYERS = ['ada@lovelace.example', 'grace@navy.example', 'linus@kernel.example', 'margaret@apollo.example'];
const BASKETS = [
  [
    { sku: 'GRINDER-M1', qty: 1 },
    { sku: 'MUG-STONE', qty: 2 },
  ],
  [{ sku: 'ESPRESSO-250', qty: 3 }],
  [
    { sku: 'FILTER-250', qty: 1 },
    { sku: 'MUG-STONE', qty: 1 },
  ],
  [{ sku: 'MUG-STONE', qty: 4 }],
];

/** The records that the pages with a variable part in their path are opened of. */
export interface ConsoleRecords {
  readonly receiptId: string;
  readonly planId: string;
  readonly subscriptionId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly linkId: string;
}

/** A session of the demo's merchant. */
interface Signed {
  readonly headers: Record<string, string>;
  ask(query: string): Promise<Answer['body']>;
}

/** Signs the demo's merchant in. */
export async function signInAsMerchant({ call, url }: Studio): Promise<Signed> {
  const account = privateKeyToAccount(localAccount('demoMerchant').privateKey);
  const { body: challenge } = await call('POST', '/api/auth/nonce', { body: { wallet: account.address } });
  const signature = await account.signTypedData(challenge.typedData);
  const answer = await call('POST', '/api/auth/login', {
    body: { wallet: account.address, nonce: challenge.nonce, signature },
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line: string) => line.split(';', 1)[0])
    .join('; ');
  const headers = { cookie, 'x-csrf-token': answer.body.csrfToken, origin: url };
  return {
    headers,
    async ask(query) {
      const { body } = await call('POST', '/api/graphql', { headers, body: { query } });
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return body.data;
    },
  };
}

/** An order of the demo's shop; its receipt. */
async function order({ call, sitter }: Studio, n: number): Promise<string> {
  const { body } = await call('POST', '/api/orders', {
    headers: sitter.auth,
    body: { items: BASKETS[n % 4], jurisdictionCode: 'US-CA-LA', buyerEmail: BUYERS[n % 4] },
  });
  return body.receipt.receiptId;
}

/** Sends what a receipt asks for, or another amount, and lets the chain confirm it. */
async function pay(studio: Studio, { ask }: Signed, receiptId: string, other?: bigint): Promise<void> {
  const { quotePayment } = await ask(
    `mutation { quotePayment(receiptId: "${receiptId}", token: "USDC") { amount payTo } }`,
  );
  const amount = other ?? BigInt(quotePayment.amount);
  const buyer = await studio.buyer({ USDC: amount });
  await studio.transfer(buyer, 'USDC', quotePayment.payTo as Wallet, amount);
}

async function subscribers(studio: Studio): Promise<string> {
  const plan = { planId: studio.demo.planId, priceUsd: 18, period: 'MONTHLY' } as const;
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const customer = await studio.buyer({ USDC: 100_000_000n });
    const { body } = await studio.call('POST', '/api/subscriptions/create', {
      headers: studio.sitter.auth,
      body: await subscriptionBody(studio, plan, { customer }),
    });
    ids.push(body.subscription.subscriptionId);
  }
  await studio.sql(
    `update subscriptions set charge_count = 7, total_charged_cents = 12600, last_charged_at = ?, next_charge_at = ?
     where id = ?`,
    [Date.now() - 9 * DAY_MS, Date.now() + 21 * DAY_MS, ids[0]],
  );
  await studio.call('POST', '/api/cron/charge-subscriptions', {
    headers: { 'x-cron-secret': studio.deps.settings.cronSecret },
  });
  return ids.at(-1)!;
}

async function webhooks({ ask }: Signed): Promise<string> {
  const { createWebhookEndpoint } = await ask(
    'mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/hooks", kinds: ["*"] }) { endpoint { id } } }',
  );
  return createWebhookEndpoint.endpoint.id;
}

async function people(studio: Studio): Promise<void> {
  for (const [n, [role, label]] of [
    ['manager', 'Grace'],
    ['cashier', 'Ada at the till'],
    ['bookkeeper', 'Miller & Partners'],
  ].entries())
    await studio.sql(
      'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, ?, ?, ?)',
      [studio.demo.merchant, walletOf(40 + n).address, role, label, Date.now() - n * DAY_MS, studio.demo.merchant],
    );
}

/** Pays some of the orders, one of them with a wrong amount, and lets the chain settle them. */
async function payOrders(studio: Studio, signed: Signed, orders: readonly string[]): Promise<void> {
  for (const receiptId of orders.slice(0, 6)) await pay(studio, signed, receiptId);
  await pay(studio, signed, orders[6]!, 20_000_000n);
  await studio.mine(4);
  const settled = async () =>
    (await signed.ask(`{ receipt(receiptId: "${orders[0]}") { status } }`)).receipt.status === 'completed';
  while (!(await settled())) {
    await studio.mine(1);
    await pause(200);
  }
}

async function requestRefunds({ call, demo }: Studio, { headers }: Signed, orders: readonly string[]): Promise<void> {
  for (const [n, usd] of [
    [1, 10],
    [2, 5],
  ] as const) {
    const body = { receiptId: orders[n], wallet: demo.merchant, buyer: `0x${'12'.repeat(20)}`, usd };
    const answer = await call('POST', '/api/receipts/refund', { headers, body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

let records: Promise<ConsoleRecords> | undefined;

/** Fills the demo's shop: paid, open and ended orders, subscribers, webhooks, members, and what needs attention. */
export function fillConsole(studio: Studio): Promise<ConsoleRecords> {
  records ??= (async () => {
    const signed = await signInAsMerchant(studio);
    const endpointId = await webhooks(signed);
    const orders: string[] = [];
    for (let n = 0; n < 9; n += 1) orders.push(await order(studio, n));
    await payOrders(studio, signed, orders);
    await signed.ask(`mutation { voidReceipt(receiptId: "${orders[7]}") { status } }`);
    await requestRefunds(studio, signed, orders);
    const subscriptionId = await subscribers(studio);
    await people(studio);
    await signed.ask('mutation { issueKey(input: { scopes: [orders_create], label: "Web shop" }) { key { keyId } } }');
    const { createPaymentLink } = await signed.ask(
      'mutation { createPaymentLink(input: { name: "Tasting on Saturday", content: { amount: 25 } }) { linkId } }',
    );
    const { linkId } = createPaymentLink;
    const { webhookDeliveries } = await signed.ask('{ webhookDeliveries(first: 1) { nodes { id } } }');
    const deliveryId: string = webhookDeliveries.nodes[0].id;
    return { receiptId: orders[0]!, planId: studio.demo.planId, subscriptionId, endpointId, deliveryId, linkId };
  })();
  return records;
}
