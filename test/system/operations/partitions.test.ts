import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import { startServices } from '../../../src/base/platform/embedded/services.ts';
import { createLog } from '../../../src/base/platform/log/log.ts';
import { migrate } from '../../../src/base/platform/migrations/migrate.ts';
import { openPaidShop } from '../../contract/paid-shop.ts';
import { type Executed, explainAll } from '../../support/executed-plans.ts';
import { partitionByMerchant, uniqueAcrossMerchants } from '../../support/partitioned.ts';
import { makeDataDir } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { makePlan, subscribe, subscriptionBody } from '../../support/subscriber.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/run/scaling.md'), 'utf8');
const section = (name: string): string => page.split(new RegExp(`<!-- /?${name} -->`))[1] ?? '';
const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => cell as string);
const [, byMerchant = ''] = /^\| `merchant` \| (.+) \|$/m.exec(section('distribution')) ?? [];
const tables = [...byMerchant.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);

/**
 * The statements that may read several partitions, by the table that they read there. Everything else that reads one of
 * these tables reads one partition.
 */
const CROSSING: Readonly<Record<string, RegExp>> = {
  audit_heads: /"position" > "logged_position"/,
  charges: /"subscription_id" = any/,
  counted_zones: /after_id is not null/,
  merchant_members: /where "wallet" = \$1/,
  merchants: /"r"\."closed_at" is null and "r"\."expires_at" <=|<> counted_zone/,
  onramp_sessions: /"(?:expires_at|delivery_due_at)" <=/,
  payment_links: /where "id" = \$1/,
  plans: /where "id" = \$1/,
  receipts: /\(merchant, id\) > \(|where "id" = \$1|"closed_at" is null and "r"\."expires_at" <=/,
  settlement_shares: /"?split"?|\(merchant, receipt_id\) > \(/,
  splits: /"(?:address|txid|created_block|deployed)"/,
  submitted_transactions: /"next_look_at" <=/,
  subscriptions: /"next_charge_at" <=|where "(?:id|permission_hash)" = \$1|update "subscriptions"/,
  webhook_endpoints: /state = 'enabled'/,
};

/** The tables of which a statement read several partitions, and how many different partitions it read. */
function spreadOf({ tables: read }: Executed): { tables: string[]; partitions: number } {
  const parts = read.flatMap((name) => {
    const [, table, number] = /^(\w+)_of_(\d)$/.exec(name) ?? [];
    return table ? [{ table, number }] : [];
  });
  const several = [...new Set(parts.map(({ table }) => table as string))].filter(
    (table) => parts.filter((part) => part.table === table).length > 1,
  );
  return { tables: several, partitions: new Set(parts.map(({ number }) => number)).size };
}

const dataDir = makeDataDir(afterAll);
const { databaseUrl = '' } = await startServices({
  dataDir,
  chainId: 31_337,
  wantPostgres: true,
  wantChain: false,
  durability: 'fast',
  log: { info: () => {}, warn: console.warn },
});
await migrate(databaseUrl, entities, createLog('silent'));
const unique = await uniqueAcrossMerchants(databaseUrl, tables);
await partitionByMerchant(databaseUrl, tables);
const executed = await explainAll(dataDir, databaseUrl);
const { server, merchant, session, mineUntil } = await openPaidShop(
  {},
  `${databaseUrl}?connect_timeout=60&options=-c%20statement_timeout%3D60000`,
);

const send = async (method: string, path: string, body?: object, headers: Record<string, string> = merchant.auth) => {
  const answer = await server.call(method, path, { headers, body });
  expect([path, answer.status, answer.body.errors], JSON.stringify(answer.body)).toEqual([
    path,
    expect.toSatisfy((status: number) => status < 300),
    undefined,
  ]);
  return answer.body;
};

test('the page about scaling names each unique key that partitions by merchant cannot enforce', () => {
  expect(firstCells(section('unique'))).toEqual(unique);
});

test('split by merchant into eight, each statement reads one partition, but for those the page about scaling names', async () => {
  const receiver = await openReceiver();
  const items = [{ sku: 'TEA', qty: 1 }];
  await send('POST', '/api/inventory', { sku: 'TEA', name: 'Tea', priceUsd: 5, stockQty: 100 });
  const order = { items, webhookUrl: receiver.url };
  const { receiptId } = (await send('POST', '/api/orders', order)).receipt;
  await send('POST', '/api/orders', order, { ...merchant.auth, 'Idempotency-Key': 'once' });
  await send('POST', '/api/receipts', { id: 'by-hand', lineItems: [{ label: 'Mug', priceUsd: 24 }] });
  const plan = await makePlan(server, merchant);
  const { subscription } = (await subscribe(server, merchant, await subscriptionBody(server, plan))).body;
  // Its customer has no money: the charge is tried, and fails.
  const cron = { 'x-cron-secret': server.deps.settings.cronSecret as string };
  await server.call('POST', '/api/subscriptions/charge', { headers: cron, body: subscription });
  const statusOf = async () => (await send('GET', `/api/receipts/status?receiptId=${receiptId}`)).status;
  await server.call('GET', `/portal/${receiptId}?recipient=${merchant.wallet}`);
  await server.call('GET', `/portal/${receiptId}`);
  const query = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  await send('POST', '/api/graphql', { query, variables: { id: receiptId } }, session);
  await mineUntil(async () => (await statusOf()) === 'completed');
  await receiver.about(receiptId, 'paid');
  for (const path of ['receipts?limit=100', 'receipts?status=completed', 'inventory?q=tea', 'events', 'payouts'])
    await send('GET', `/api/${path}`);
  await server.call('GET', '/api/exports/receipts?format=csv', { headers: merchant.auth });
  await send('POST', '/api/graphql', { query: `{ receipt(receiptId: "${receiptId}") { id history { status } } }` });
  const year = '{ receiptStats(from: "2026-01-01", to: "2026-12-31", interval: DAY) { total { __typename } } }';
  await send('POST', '/api/graphql', { query: year });

  const all = executed();
  const spread = all.filter((one) => {
    const { tables: several, partitions } = spreadOf(one);
    return partitions > 1 && !(several.length > 0 && several.every((table) => CROSSING[table]?.test(one.text)));
  });
  expect(spread.map(({ text }) => text)).toEqual([]);
  const read = new Set(all.flatMap((one) => one.tables).map((name) => name.replace(/_of_\d$/, '')));
  expect([...read]).toEqual(
    expect.arrayContaining(['receipts', 'receipt_history', 'receipt_search', 'quotes', 'settlement_shares', 'splits']),
  );
  expect(firstCells(section('crossing'))).toEqual(Object.keys(CROSSING));
});
