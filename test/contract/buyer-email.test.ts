import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'TEA', name: 'Tea', priceUsd: 10, stockQty: -1, taxable: false },
  });
});
afterAll(() => server.stop());

const SET = 'mutation ($id: ID!, $email: String!) { setBuyerEmail(receiptId: $id, email: $email) { receiptId } }';

async function order(body: object = {}): Promise<string> {
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], ...body },
  });
  expect(answer.status).toBe(200);
  return answer.body.receipt.receiptId;
}

async function pageOf(receiptId: string) {
  const { settings, clock } = server.deps;
  const token = await issuePageToken(settings, { merchant: merchant.wallet, receiptId }, clock());
  return { authorization: `Bearer ${token}` };
}

const give = async (receiptId: string, email: string, by?: Record<string, string>) =>
  ask(server, by ?? (await pageOf(receiptId)), SET, { id: receiptId, email });

const addressOf = async (receiptId: string) =>
  (await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth })).body.billingAddress;

test('the e-mail address from the page is on the record with the order’s data, and not in the history', async () => {
  const id = await order({ firstName: 'Ada' });
  expect((await give(id, 'ada@buyer.example')).body).toEqual({ data: { setBuyerEmail: { receiptId: id } } });
  expect(await addressOf(id)).toEqual({ firstName: 'Ada', email: 'ada@buyer.example' });
  const history = await runStatement(
    server.deps.db,
    {
      name: 'email-history',
      text: 'select name, actor, detail from receipt_history where receipt_id = $1 and kind = $2',
    },
    [id, 'note'],
  );
  expect(history).toEqual([{ name: 'email_given', actor: 'buyer', detail: null }]);
});

test('what is there stays: an address from the order, and the first of twenty that are given at once', async () => {
  const given = await order({ buyerEmail: 'first@buyer.example' });
  // The page says it in the buyer's language, by its reason.
  expect((await give(given, 'second@buyer.example')).body.errors[0].extensions).toMatchObject({
    code: 'invalid_input',
    field: 'email',
    reason: 'email_known',
  });
  expect(await addressOf(given)).toEqual({ email: 'first@buyer.example' });

  const raced = await order();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => give(raced, `buyer${i}@buyer.example`)));
  const taken = answers.flatMap((answer, i) => (codeOf(answer) === null ? [i] : []));
  expect(taken).toHaveLength(1);
  expect(await addressOf(raced)).toEqual({ email: `buyer${taken[0]}@buyer.example` });
});

test.each(['no-address', '', 'a@b c', `${'x'.repeat(250)}@b.example`, 'a\u0000@b.example', '<b>@c.example'])(
  '%j is no e-mail address',
  async (email) => {
    const id = await order();
    expect(codeOf(await give(id, email))).toBe('invalid_input');
    expect(await addressOf(id)).toBeUndefined();
  },
);

test('another page, a developer key and anonymous callers are refused; the admin is allowed', async () => {
  const [id, other] = [await order(), await order()];
  expect(codeOf(await give(id, 'a@b.example', await pageOf(other)))).toBe('forbidden');
  expect(codeOf(await give(id, 'a@b.example', merchant.auth))).toBe('forbidden');
  expect((await give(id, 'a@b.example', {})).status).toBe(401);
  expect(await addressOf(id)).toBeUndefined();
  const stranger = await server.merchant();
  expect(codeOf(await give(id, 'a@b.example', await server.signIn(stranger.account)))).toBe('not_found');
  expect(codeOf(await give(id, 'a@b.example', await server.signIn(merchant.account)))).toBeNull();
  expect(await addressOf(id)).toEqual({ email: 'a@b.example' });
});

test('a page reads the billing address of an order, and none of a receipt whose id can be guessed', async () => {
  const read = async (id: string) =>
    (
      await ask(server, await pageOf(id), 'query ($id: ID!) { receipt(receiptId: $id) { billingAddress { email } } }', {
        id,
      })
    ).body.data.receipt.billingAddress;
  expect(await read(await order({ email: 'a@b.example' }))).toEqual({ email: 'a@b.example' });
  const made = await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: '1001', lineItems: [{ label: 'Tea', priceUsd: 5 }], email: 'a@b.example' },
  });
  expect(made.status).toBe(201);
  expect(await addressOf('1001')).toEqual({ email: 'a@b.example' });
  expect(await read('1001')).toBeNull();
});

test('a space around an address, as a phone adds one, refuses neither the order nor the address', async () => {
  const receiptId = await order({ email: ' a@b.co ' });
  expect(await addressOf(receiptId)).toEqual({ email: 'a@b.co' });
  const other = await order();
  expect(codeOf(await give(other, 'c d@e.co'))).toBe('invalid_input');
  expect(codeOf(await give(other, 'c@d.co\u00a0'))).toBeNull();
  expect(await addressOf(other)).toEqual({ email: 'c@d.co' });
});
