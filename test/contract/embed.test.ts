import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { modelIn } from '../support/checkout.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let server: TestServer;
let shiftMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + shiftMs });
});
afterAll(() => server?.stop());

async function shop() {
  const merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'CUP', priceUsd: 5 }]);
  return { merchant, session: await server.signIn(merchant.account) };
}

async function ordered({ auth }: TestMerchant): Promise<{ id: string; token: string }> {
  const { body } = await server.call('POST', '/api/orders', {
    headers: auth,
    body: { items: [{ sku: 'CUP', qty: 1 }] },
  });
  return { id: body.receipt.receiptId, token: body.checkoutToken };
}

const LIST = 'mutation ($o: [String!]) { updateShopConfig(input: { embedOrigins: $o }) { embedOrigins } }';
const list = (session: Record<string, string>, origins: readonly string[]) =>
  ask(server, session, LIST, { o: origins });

async function framed(id: string, token: string) {
  const answer = await fetch(`${server.url}/embed/${encodeURIComponent(id)}?checkout=${encodeURIComponent(token)}`);
  const { headers, status } = answer;
  const ancestors = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
  return { status, ancestors, denies: headers.get('x-frame-options'), text: await answer.text() };
}

test('the frame names exactly the origins of the merchant, and none where there are none', async () => {
  const { merchant, session } = await shop();
  const { id, token } = await ordered(merchant);
  expect(await framed(id, token)).toMatchObject({ status: 200, ancestors: "'none'", denies: 'DENY' });
  const origins = ['https://shop.example', 'https://www.shop.example:8443', 'http://localhost:3000'];
  expect((await list(session, origins)).body.data.updateShopConfig.embedOrigins).toEqual(origins);
  const shown = await framed(id, token);
  expect(shown).toMatchObject({ status: 200, ancestors: origins.join(' '), denies: null });
  // Nothing is paid by one press in a frame, and the shop's script runs in the shop's own page.
  expect(modelIn(shown.text)).toMatchObject({ testWallet: false, scriptPath: null, readOnly: false });
  const page = await fetch(`${server.url}/portal/${id}?recipient=${merchant.wallet}`);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('a checkout token opens its receipt for one to two days and nothing else, and no other token opens the frame', async () => {
  const { merchant, session } = await shop();
  await list(session, ['https://shop.example']);
  const [one, other] = [await ordered(merchant), await ordered(merchant)];
  const { settings, clock } = server.deps;
  const subject = { merchant: merchant.wallet, receiptId: one.id };
  const wrong = [
    '',
    other.token,
    one.token.slice(0, -4),
    merchant.key,
    issuePageToken(settings, { ...subject, readOnly: true }, clock()),
    issuePageToken(settings, { merchant: merchant.wallet, planId: one.id }, clock()),
    issuePageToken({ jwtSecret: 'guess' }, subject, clock()),
  ];
  for (const token of wrong) expect(await framed(one.id, token)).toMatchObject({ status: 403, ancestors: "'none'" });
  for (const id of ['%00', 'x'.repeat(500)]) expect([403, 404]).toContain((await framed(id, one.token)).status);

  const read = (id: string, headers: Record<string, string>) =>
    ask(server, headers, 'query ($id: ID!) { receipt(receiptId: $id) { receiptId checkoutToken } }', { id });
  const bearer = { authorization: `Bearer ${one.token}` };
  const own = await ask(server, bearer, 'query ($id: ID!) { receipt(receiptId: $id) { status } }', { id: one.id });
  expect(own.body.data.receipt).toEqual({ status: 'generated' });
  expect(codeOf(await read(one.id, bearer))).toBe('forbidden');
  expect(codeOf(await ask(server, bearer, '{ receipts { totalCount } }'))).toBe('forbidden');
  expect((await read(one.id, session)).body.data.receipt.checkoutToken.split('.')).toHaveLength(3);

  shiftMs += 23 * 3_600_000;
  expect((await framed(one.id, one.token)).status).toBe(200);
  const renewed = async () =>
    (await read(one.id, await server.signIn(merchant.account))).body.data.receipt.checkoutToken;
  expect(await renewed()).toBe(one.token);
  shiftMs += 26 * 3_600_000;
  expect((await framed(one.id, one.token)).status).toBe(403);
  expect((await framed(one.id, await renewed())).status).toBe(200);
});

test('every answer that makes a receipt has its checkout token, also of an id that the caller chose', async () => {
  const { merchant, session } = await shop();
  await list(session, ['https://shop.example']);
  const body = { id: 'PO-1', lineItems: [{ label: 'Tea', priceUsd: 3 }], totalUsd: 3 };
  const own = await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const till = await server.call('POST', '/api/receipts/terminal', { headers: session, body: { amountUsd: 3 } });
  for (const [id, token] of [
    ['PO-1', own.body.checkoutToken],
    [till.body.receipt.receiptId, till.body.checkoutToken],
  ])
    expect((await framed(id, token)).text).toContain('"readOnly":false');
});

test('an origin that is none, that has a sign of the policy, or that is not secure is refused, and nothing is stored', async () => {
  const { session } = await shop();
  const wrong = [
    ...['shop.example', 'https://shop.example/pay', 'https://*.example', 'https://*', '*', "'self'", 'null', ''],
    ...['https://a.example;script-src *', 'https://a.example https://b.example', 'https://a,b.example', 'data:x'],
    ...['http://shop.example', 'http://localhost.evil.example', 'https://u:p@shop.example', 'https://SHOP.example'],
    ...['https://shop.example.', 'https://a..example', 'https://.example'],
    ...['https://shop.example?', 'https://shop.example#', 'file:///x', 'https://', "https://a'b.example"],
    ...[
      'https://bücher.example',
      'https://shop.example:443',
      'https://shop.example:65536',
      'https://0x7f.1',
      'https://[2001:db8::1]',
    ],
  ];
  for (const origin of wrong) expect(codeOf(await list(session, [origin])), origin).toBe('invalid_input');
  const idn = ['https://xn--bcher-kva.example'];
  expect((await list(session, idn)).body.data.updateShopConfig.embedOrigins).toEqual(idn);
  await list(session, []);
  const many = Array.from({ length: 21 }, (_, n) => `https://s${n}.example`);
  expect(codeOf(await list(session, many))).toBe('invalid_input');
  const query = '{ shopConfig { embedOrigins } }';
  expect((await ask(server, session, query)).body.data.shopConfig.embedOrigins).toEqual([]);
  expect((await list(session, many.slice(1))).body.data.updateShopConfig.embedOrigins).toHaveLength(20);
});

test('the script has at most 6 KB compressed, and may be loaded by pages of other sites', async () => {
  const answer = await fetch(`${server.url}/embed.js`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  });
  expect(gzipSync(await answer.text(), { level: 9 }).length).toBeLessThanOrEqual(6 * 1024);
});
