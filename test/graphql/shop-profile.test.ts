import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server?.stop());

const FIELDS = 'name contactEmail contactPhone contactUrl address taxId timeZone language replyTo';
const change = (input: object, headers = session) =>
  ask(
    server,
    headers,
    `mutation ($input: ShopProfileInput!) { updateShopProfile(input: $input) { profile { ${FIELDS} } } }`,
    { input },
  );
const read = async (headers = session) =>
  (await ask(server, headers, `{ shopConfig { name profile { ${FIELDS} } } }`)).body.data.shopConfig;

const SAID = {
  name: 'Mühle & Brot',
  contactEmail: 'hallo@muehle.example',
  contactPhone: '+49 30 901820',
  contactUrl: 'https://muehle.example/fragen',
  address: 'Mühlenweg 1\n10115 Berlin',
  taxId: 'DE 123456789',
  timeZone: 'Europe/Berlin',
  language: 'de',
  replyTo: 'post@muehle.example',
};

test('a shop that has said nothing has the days of UTC and English, and no contact', async () => {
  const { profile } = await read();
  expect(profile).toEqual({
    ...Object.fromEntries(Object.keys(SAID).map((field) => [field, null])),
    timeZone: 'UTC',
    language: 'en',
  });
});

test('what is said of a shop is one record: it is kept, changed field by field, and cleared', async () => {
  expect((await change(SAID)).body.data.updateShopProfile.profile).toEqual(SAID);
  await change({ contactPhone: null, timeZone: 'europe/paris', taxId: '' });
  const { name, profile } = await read();
  expect(profile).toEqual({ ...SAID, contactPhone: null, timeZone: 'Europe/Paris', taxId: null });
  expect(name).toBe(SAID.name);
});

test.each([
  ['a zone that is none', { timeZone: 'Europe/Atlantis' }, 'timeZone'],
  ['an offset, which has no daylight saving', { timeZone: '+01:00' }, 'timeZone'],
  ['an empty zone', { timeZone: '' }, 'timeZone'],
  ['a language that pages do not have', { language: 'tlh' }, 'language'],
  ['an address that is no e-mail', { contactEmail: 'shop' }, 'contactEmail'],
  ['an answer address that is none', { replyTo: '<a@b>' }, 'replyTo'],
  ['a page that is a script', { contactUrl: 'javascript:alert(1)' }, 'contactUrl'],
  ['a telephone with letters', { contactPhone: 'call me' }, 'contactPhone'],
  ['an address of nine lines', { address: 'x\n'.repeat(8) }, 'address'],
  ['a tax number of 65 characters', { taxId: 'x'.repeat(65) }, 'taxId'],
])('%s is refused with its field, and changes nothing', async (_, input, field) => {
  const before = await read();
  const answer = await change({ name: 'Other', ...input });
  expect(codeOf(answer)).toBe('invalid_input');
  expect(answer.body.errors[0].extensions.field).toBe(field);
  expect(await read()).toEqual(before);
});

test('a key, a session without its token and a caller without a session cannot change what is said of a shop', async () => {
  const before = await read();
  const { 'x-csrf-token': _token, ...withoutToken } = session;
  for (const headers of [merchant.auth, withoutToken, {}])
    expect(['forbidden', 'unauthorized']).toContain(codeOf(await change({ name: 'Taken' }, headers)));
  expect(await read()).toEqual(before);
});

describe('prices that contain the fee', () => {
  const sell = `mutation ($input: TerminalReceiptInput!) { createTerminalReceipt(input: $input) {
    receiptId totalUsd lineItems { label priceUsd } } }`;
  const set = (input: object) =>
    ask(
      server,
      session,
      'mutation ($input: ShopConfigInput!) { updateShopConfig(input: $input) { feeBorneBy pricesIncludeTax } }',
      { input },
    );

  test('12.50 at the till is charged as 12.50 once the shop bears the fee, and the record says the same everywhere', async () => {
    const typed = { input: { amount: 12.5, taxRate: 0.19 } };
    const before = (await ask(server, session, sell, typed)).body.data.createTerminalReceipt;
    expect(before.totalUsd).toBe(14.95);
    expect((await set({ feeBorneBy: 'shop' })).body.data.updateShopConfig.feeBorneBy).toBe('shop');
    const { receiptId, ...made } = (await ask(server, session, sell, typed)).body.data.createTerminalReceipt;
    expect(made).toEqual({
      totalUsd: 12.5,
      lineItems: [
        { label: 'Payment', priceUsd: 10.45 },
        { label: 'Tax', priceUsd: 1.99 },
        { label: 'Processing Fee', priceUsd: 0.06 },
      ],
    });
    const rest = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
    expect(rest.body.receipt ?? rest.body).toMatchObject({ totalUsd: 12.5, lineItems: made.lineItems, taxRate: 0.19 });
  });

  test('an order of prices with tax is the sum of its products and the fee, over REST as by the rate of the request', async () => {
    await set({ feeBorneBy: 'buyer', pricesIncludeTax: true });
    await server.call('POST', '/api/inventory', {
      headers: merchant.auth,
      body: { sku: 'MUG', name: 'Mug', priceUsd: 11.9, stockQty: -1, taxable: true },
    });
    const order = { items: [{ sku: 'MUG', qty: 10 }], taxRate: 0.19 };
    const { body } = await server.call('POST', '/api/orders', { headers: merchant.auth, body: order });
    expect(body.receipt.lineItems.map((line: { priceUsd: number }) => line.priceUsd)).toEqual([100, 19, 0.6]);
    expect(body.receipt.totalUsd).toBe(119.6);
  });
});
