import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a refused field is null with its path in the errors, and the other fields of the answer are complete', async () => {
  const { auth, wallet } = await server.merchant({ scopes: ['graphql:read', 'shop:read'] });
  for (let run = 0; run < 5; run++) {
    const { body } = await ask(
      server,
      auth,
      '{ receipts { nodes { receiptId } } statusPing { merchant } shopConfig { name } }',
    );
    expect(body.data).toEqual({ receipts: null, statusPing: { merchant: wallet }, shopConfig: { name: null } });
    expect(body.errors).toMatchObject([{ path: ['receipts'], extensions: { code: 'forbidden' } }]);
  }
});

test('a refused mutation does not hide the result of another one', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  const { body } = await ask(
    server,
    session,
    'mutation { chargeDueSubscriptions { processed } deploySplit { idempotent split { address } } }',
  );
  expect(body.data).toEqual({
    chargeDueSubscriptions: null,
    deploySplit: { idempotent: true, split: { address: shop.split } },
  });
  expect(body.errors).toMatchObject([{ path: ['chargeDueSubscriptions'], extensions: { code: 'forbidden' } }]);
});
