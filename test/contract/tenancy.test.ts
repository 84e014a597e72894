import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let server: TestServer;
let a: TestMerchant;
let b: TestMerchant;
let theirs: { receiptId: string; itemId: string };
beforeAll(async () => {
  server = await startTestServer();
  [a, b] = [await server.merchant({ name: 'A' }), await server.merchant({ name: 'B secret' })];
  const { SECRET } = await stock(server, b, [{ sku: 'SECRET', name: 'B secret', priceUsd: 7, stockQty: 9 }]);
  const order = await server.call('POST', '/api/orders', {
    headers: b.auth,
    body: { items: [{ sku: 'SECRET', qty: 1 }], metadata: { note: 'B secret' } },
  });
  theirs = { receiptId: order.body.receipt.receiptId, itemId: SECRET as string };
});
afterAll(() => server.stop());

/** Whatever gives B away. */
const mustNotLeak = (answer: unknown) => {
  const text = JSON.stringify(answer);
  for (const secret of ['B secret', b.wallet, b.split as string]) expect(text).not.toContain(secret);
};
const graphql = (query: string, headers: Record<string, string> = a.auth, variables: object = {}) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });

describe('merchant A cannot access data of B', () => {
  // Contract: auth.no-wallet-fields
  test('over REST, by reading or by writing', async () => {
    const session = await server.signIn(a.account);
    const { receiptId, itemId } = theirs;
    for (const headers of [a.auth, session] as Record<string, string>[]) {
      const reads = [
        '/api/inventory',
        '/api/receipts',
        '/api/shop/config',
        '/api/split/deploy',
        '/api/split/transactions',
        '/api/tax/catalog',
        '/api/status/ping',
      ];
      for (const path of reads) mustNotLeak((await server.call('GET', path, { headers })).body);
      const blocked: [string, string, unknown, number][] = [
        ['GET', `/api/receipts/${receiptId}`, undefined, 404],
        ['GET', `/api/receipts/status?receiptId=${receiptId}`, undefined, 404],
        ['DELETE', `/api/inventory?id=${itemId}`, undefined, 404],
        ['POST', '/api/orders', { items: [{ id: itemId, qty: 1 }] }, 400],
        ['POST', '/api/orders', { items: [{ sku: 'SECRET', qty: 1 }] }, 400],
        ['POST', '/api/receipts/status', { receiptId, wallet: a.wallet, status: 'link_opened' }, 404],
        ['POST', '/api/receipts/status', { receiptId, wallet: b.wallet, status: 'link_opened' }, 403],
        ['POST', '/api/inventory', { sku: 'x', name: 'x', priceUsd: 1, wallet: b.wallet }, 403],
        ['POST', '/api/orders', { items: [{ sku: 'x', qty: 1 }], wallet: b.wallet }, 403],
        ['POST', '/api/receipts', { id: 'x', lineItems: [{ label: 'x', priceUsd: 1 }], wallet: b.wallet }, 403],
      ];
      for (const [method, path, body, status] of blocked) {
        const answer = await server.call(method, path, { headers, body });
        expect(answer.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(status);
      }
    }
    for (const path of ['/api/shop/config', '/api/split/deploy']) {
      const answer = await server.call('POST', path, { headers: session, body: { wallet: b.wallet } });
      expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
    }
    for (const [wallet, status] of [
      [a.wallet, 404],
      [b.wallet, 403],
    ] as const) {
      const body = { receiptId, wallet, buyer: `0x${'12'.repeat(20)}`, usd: 1 };
      expect((await server.call('POST', '/api/receipts/refund', { headers: session, body })).status).toBe(status);
    }
    const left = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: b.auth });
    expect(left.body.status).toBe('generated');
  });

  // Contract: auth.wallet-from-key, auth.stamped-id
  test('over REST, by claiming to be B in headers', async () => {
    for (const name of ['wallet', 'x-wallet', 'x-wallet-address', 'x-merchant-wallet', 'x-user-wallet']) {
      const answer = await server.call('GET', '/api/status/ping', { headers: { ...a.auth, [name]: b.wallet } });
      expect([answer.status, answer.body.merchant]).toEqual([200, a.wallet]);
      const receipts = await server.call('GET', '/api/receipts', {
        headers: { ...a.auth, [name]: b.wallet, 'x-subscription-id': b.keyId },
      });
      expect(receipts.body).toEqual({ receipts: [] });
    }
  });

  test('over GraphQL', async () => {
    const { receiptId, itemId } = theirs;
    for (const headers of [a.auth, await server.signIn(a.account)] as Record<string, string>[]) {
      const lists = await graphql(
        '{ receipts { nodes { receiptId brandName } } inventoryPage { items { sku name } total } inventory { totalCount edges { node { name } } } split { address } shopConfig { name } unmatchedTransfers { nodes { payTo } } webhookDeliveries { nodes { url } } refunds { nodes { id } } }',
        headers,
      );
      expect(lists.status).toBe(200);
      mustNotLeak(lists.body.data);
      for (const query of [
        'query ($id: ID!) { receipt(receiptId: $id) { brandName } }',
        'query ($id: ID!) { receiptStatusReport(receiptId: $id) { status } }',
      ]) {
        const { body } = await graphql(query, headers, { id: receiptId });
        expect(body.errors[0].extensions.code).toBe('not_found');
        mustNotLeak(body);
      }
      const item = await graphql(
        'query ($id: ID!) { inventoryItem(by: { id: $id }) { name } bySku: inventoryItem(by: { sku: "SECRET" }) { name } }',
        headers,
        { id: itemId },
      );
      expect(item.body.data).toEqual({ inventoryItem: null, bySku: null });
    }
    const session = await server.signIn(a.account);
    const quote = await graphql(
      'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { payTo } }',
      session,
      { id: receiptId },
    );
    expect(quote.body.errors[0].extensions.code).toMatch(/not_found|forbidden|invalid_input/);
    mustNotLeak(quote.body);
  });

  test('over a websocket', async () => {
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/api/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: a.auth,
      retryAttempts: 0,
    });
    const next = (query: string) =>
      new Promise<unknown>((resolve) => {
        client.subscribe({ query }, { next: resolve, error: resolve, complete: () => resolve('complete') });
      });
    const refused = (await next(`subscription { receiptStatus(receiptId: "${theirs.receiptId}") { status } }`)) as {
      extensions: { code: string };
    }[];
    expect(JSON.stringify(refused)).toContain('not_found');

    // A's own stream hears of A's own receipt, and nothing that B does before it.
    const heard = next('subscription { receiptStatuses { receiptId } }') as Promise<{
      data: { receiptStatuses: { receiptId: string } };
    }>;
    await expect
      .poll(async () => {
        await server.call('POST', '/api/receipts/status', {
          headers: b.auth,
          body: { receiptId: theirs.receiptId, wallet: b.wallet, status: 'link_opened' },
        });
        const id = `own-${crypto.randomUUID()}`;
        await server.call('POST', '/api/receipts', {
          headers: a.auth,
          body: { id, lineItems: [{ label: 'x', priceUsd: 1 }] },
        });
        return Promise.race([heard.then(() => true), new Promise((resolve) => setTimeout(resolve, 250, false))]);
      })
      .toBe(true);
    expect((await heard).data.receiptStatuses.receiptId).toMatch(/^own-/);
    await client.dispose();
  });
});
