import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

const NOW = Date.now();
let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer({
    env: { RATE_LIMITS: '{"inventoryBatches":2,"inventoryWrites":1}' },
    clock: () => NOW,
  });
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const SAVE = `mutation ($input: [InventoryItemInput!]!) {
  saveInventoryItems(input: $input) { sku error message item { sku name available } } }`;
const input = [{ sku: 'A', name: 'Ant', priceUsd: 1 }, { sku: 'B' }];

test('who may not write the catalog saves no list of products', async () => {
  const member = newAccount();
  const owner = await server.signIn(merchant.account);
  const invited = await ask(server, owner, 'mutation { inviteMember(role: cashier) { token } }');
  await ask(
    server,
    await server.signIn(member),
    'mutation ($token: String!) { acceptInvitation(token: $token) { merchant } }',
    {
      token: invited.body.data.inviteMember.token,
    },
  );
  for (const [headers, code] of [
    [await server.signIn(member), 'forbidden'],
    [merchant.auth, 'forbidden'],
    [{}, 'unauthorized'],
  ] as const)
    expect(codeOf(await ask(server, headers as Record<string, string>, SAVE, { input }))).toBe(code);
  const { body } = await ask(server, owner, '{ inventory { totalCount } }');
  expect(body.data.inventory.totalCount).toBe(0);
});

test('a list answers for each entry, and has a limit of its own', async () => {
  const { account } = await server.merchant();
  const session = await server.signIn(account);
  const save = () => ask(server, session, SAVE, { input });
  expect((await save()).body.data.saveInventoryItems).toEqual([
    { sku: 'A', error: null, message: null, item: { sku: 'A', name: 'Ant', available: -1 } },
    { sku: 'B', error: 'invalid_input', message: 'name is required for a new item', item: null },
  ]);
  await save();
  expect(codeOf(await save())).toBe('rate_limited');
  const one = await ask(
    server,
    session,
    'mutation { saveInventoryItem(input: { sku: "A", stockQty: 3 }) { available } }',
  );
  expect(one.body.data.saveInventoryItem).toEqual({ available: 3 });
});
