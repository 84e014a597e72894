import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_AT_ONCE } from '../../src/base/graphql/one-by-one.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const VOID = 'mutation ($ids: [ID!]!) { voidReceipts(receiptIds: $ids) { id error message } }';
const RESEND = 'mutation ($ids: [ID!]!) { redeliverWebhooks(deliveryIds: $ids) { id error message } }';
const STATUS = 'query ($id: ID!) { receipt(receiptId: $id) { status } }';

async function create(by = merchant): Promise<string> {
  const body = { id: crypto.randomUUID(), lineItems: [{ label: 'Tea', priceUsd: 5 }], totalUsd: 5 };
  const answer = await server.call('POST', '/api/receipts', { headers: by.auth, body });
  expect(answer.status).toBe(201);
  return body.id;
}

test('one that is refused does not stop the others, and one that is named twice is voided once', async () => {
  const [first, second] = [await create(), await create()];
  const foreign = await create(await server.merchant());
  const { body } = await ask(server, session, VOID, { ids: [first, 'unknown', foreign, first, second] });
  expect(body.data.voidReceipts).toEqual([
    { id: first, error: null, message: null },
    { id: 'unknown', error: 'not_found', message: expect.any(String) },
    { id: foreign, error: 'not_found', message: expect.any(String) },
    { id: second, error: null, message: null },
  ]);
  expect((await ask(server, session, STATUS, { id: second })).body.data.receipt.status).toBe('failed');
  expect((await ask(server, session, VOID, { ids: [first] })).body.data.voidReceipts[0].error).toBe(null);
});

test('none and too many are refused, and nothing is voided', async () => {
  const id = await create();
  const many = [id, ...Array.from({ length: MOST_AT_ONCE }, (_, n) => `r-${n}`)];
  for (const query of [VOID, RESEND])
    for (const ids of [[], many]) expect(codeOf(await ask(server, session, query, { ids }))).toBe('invalid_input');
  expect((await ask(server, session, STATUS, { id })).body.data.receipt.status).toBe('pending');
});

test('a delivery of another merchant is not sent again', async () => {
  const { body } = await ask(server, session, RESEND, { ids: ['whd_unknown'] });
  expect(body.data.redeliverWebhooks).toEqual([
    { id: 'whd_unknown', error: 'not_found', message: 'Delivery not found' },
  ]);
});

test('a key, a stranger and a role without money or webhooks do neither', async () => {
  const id = await create();
  const member = newAccount();
  const invited = await ask(server, session, 'mutation { inviteMember(role: cashier) { token } }');
  const accept = 'mutation ($token: String!) { acceptInvitation(token: $token) { merchant } }';
  await ask(server, await server.signIn(member), accept, { token: invited.body.data.inviteMember.token });
  for (const [headers, code] of [
    [await server.signIn(member), 'forbidden'],
    [merchant.auth, 'forbidden'],
    [{}, 'unauthorized'],
  ] as const)
    for (const query of [VOID, RESEND])
      expect(codeOf(await ask(server, headers as Record<string, string>, query, { ids: [id] }))).toBe(code);
  expect((await ask(server, session, STATUS, { id })).body.data.receipt.status).toBe('pending');
});
