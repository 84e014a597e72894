import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ env: { CONFIRMATIONS: '{"0": 2, "1000": 12, "10000": "finalized"}' } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server?.stop());

const FIELDS = 'confirmations confirmationsNeeded confirmationTag expectedConfirmationMs';

test.each([
  [999.99, { confirmationsNeeded: 2, confirmationTag: null, expectedConfirmationMs: 2_000 }],
  [1_000, { confirmationsNeeded: 12, confirmationTag: null, expectedConfirmationMs: 12_000 }],
  [10_000, { confirmationsNeeded: 64, confirmationTag: 'finalized', expectedConfirmationMs: 64_000 }],
])('a receipt of $%s says what its payment needs and how long that takes', async (priceUsd, needs) => {
  const id = `needs-${priceUsd}`;
  const body = { id, lineItems: [{ label: 'x', priceUsd }] };
  const made = await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  expect(made.status).toBe(201);
  const { body: answer } = await ask(server, session, `query ($id: ID!) { receipt(receiptId: $id) { ${FIELDS} } }`, {
    id,
  });
  expect(answer.data.receipt).toEqual({ confirmations: 0, ...needs });
});
