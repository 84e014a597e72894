import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MemberRole } from '../../src/base/core/roles.ts';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { renewReceipt } from '../../src/domain/sales/receipts/renew.ts';
import { writeShop } from '../../src/domain/shop/merchants/test/requests.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { newMember } from '../support/members.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let shiftMs = 0;
/** Noon, so that no test passes midnight. */
const noon = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2 - Date.now();
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + noon + shiftMs });
});
afterAll(() => server?.stop());

type Headers = Record<string, string>;

async function shop(stockQty = -1) {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  await stock(server, merchant, [{ sku: 'CUP', priceUsd: 5, stockQty }]);
  return { merchant, session };
}

const CREATE = `mutation ($input: CreatePaymentLinkInput!, $key: String) {
  createPaymentLink(input: $input, idempotencyKey: $key) { linkId url name items { itemId qty } amount perDay perAddress active } }`;
const CUP = { items: [{ item: { sku: 'CUP' }, qty: 1 }] };
const create = (session: Headers, input: object = {}, key?: string) =>
  ask(server, session, CREATE, { input: { name: 'A cup', content: CUP, ...input }, ...(key && { key }) });

async function made(session: Headers, input: object = {}): Promise<string> {
  const answer = await create(session, input);
  expect(codeOf(answer), JSON.stringify(answer.body.errors)).toBeNull();
  return answer.body.data.createPaymentLink.linkId;
}

const OWN = { 'sec-fetch-site': 'same-origin' };

/** Presses the button of a link's page, as a browser without script does. */
async function press(linkId: string, visit?: string, headers: Headers = OWN) {
  const answer = await fetch(`${server.url}/pay/${linkId}${visit === undefined ? '' : `?visit=${visit}`}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  const to = answer.headers.get('location');
  const text = /<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1];
  return { status: answer.status, text, to, id: to?.split('/portal/')[1]?.split('?')[0] ?? null };
}

const READ = `query ($id: ID!) { receipt(receiptId: $id) {
  status linkId totalUsd expiresAt lineItems { label qty priceUsd } } }`;
const read = async (session: Headers, id: string) => (await ask(server, session, READ, { id })).body.data.receipt;
const total = async (session: Headers): Promise<number> =>
  (await ask(server, session, '{ receipts { totalCount } }')).body.data.receipts.totalCount;
const held = async (session: Headers): Promise<number> =>
  (await ask(server, session, '{ inventory { nodes { held } } }')).body.data.inventory.nodes[0].held;

/** Ends the receipts whose time is over. */
async function pass(ms: number): Promise<void> {
  shiftMs += ms;
  await expireReceipts(server.deps);
}

test('opening a link makes no receipt, and its button makes one of each visit, however often it is pressed', async () => {
  const { session } = await shop();
  const linkId = await made(session, {
    content: { items: [{ item: { sku: 'CUP' }, qty: 2 }] },
    returnUrl: 'https://shop.test/thanks',
  });
  const page = await fetch(`${server.url}/pay/${linkId}`);
  const text = await page.text();
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(text).toContain('$10.05');
  expect(await total(session)).toBe(0);

  const [, visit] = /visit=([\w-]+)/.exec(text)!;
  const presses = await Promise.all([press(linkId, visit), press(linkId, visit), press(linkId, visit)]);
  expect(presses.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(presses.map(({ id }) => id)).size).toBe(1);
  expect(await read(session, presses[0]!.id!)).toMatchObject({
    ...{ status: 'generated', linkId, totalUsd: 10.05 },
    lineItems: [{ label: 'CUP', qty: 2, priceUsd: 10 }, { label: 'Tax' }, { label: 'Processing Fee' }],
  });
  const others = await Promise.all([press(linkId), press(linkId, 'other')]);
  expect(new Set([...presses, ...others].map(({ id }) => id)).size).toBe(3);
  expect((await fetch(`${server.url}${presses[0]!.to}`)).status).toBe(200);
});

test('a link of an amount sells it by the rules of the till, with tax and fee', async () => {
  const { merchant, session } = await shop();
  const linkId = await made(session, { name: 'Donation', content: { amount: 100 }, jurisdictionCode: 'US-CA' });
  const { id } = await press(linkId);
  const terminal = await server.call('POST', '/api/receipts/terminal', {
    headers: session,
    body: { amountUsd: 100, jurisdictionCode: 'US-CA', wallet: merchant.wallet },
  });
  const { totalUsd } = terminal.body.receipt;
  expect(await read(session, id!)).toMatchObject({
    totalUsd,
    lineItems: [{ label: 'Donation', priceUsd: 100 }, {}, {}],
  });
});

test('a link that is visited 1,000 times at once with ten in stock makes ten receipts, and the rest read that it is sold out', async () => {
  const { session } = await shop(10);
  const linkId = await made(session, { perAddress: 1000 });
  const visits = await Promise.all(Array.from({ length: 1_000 }, (_, n) => press(linkId, `v${n}`)));
  const taken = visits.filter(({ status }) => status === 303);
  expect(taken).toHaveLength(10);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(10);
  expect(new Set(visits.filter(({ status }) => status !== 303).map(({ text }) => text))).toEqual(new Set(['Sold out']));
  expect([await total(session), await held(session)]).toEqual([10, 10]);
  // What is not paid becomes free again.
  await pass(61 * 60_000);
  expect(await held(session)).toBe(0);
  expect((await press(linkId)).status).toBe(303);
}, 120_000);

test('the limits for a day and for an address hold however many visit at once, and what ends unpaid gives its place back', async () => {
  const { session } = await shop();
  for (const [limits, text] of [
    [{ perDay: 7, perAddress: 1000 }, 'Sold out for today'],
    [{ perAddress: 7 }, 'No more for now'],
  ] as const) {
    const linkId = await made(session, { ...limits, content: { amount: 3 } });
    const visits = await Promise.all(Array.from({ length: 60 }, () => press(linkId)));
    expect(visits.filter(({ status }) => status === 303)).toHaveLength(7);
    expect(new Set(visits.filter(({ status }) => status === 429).map((one) => one.text))).toEqual(new Set([text]));
    await pass(61 * 60_000);
    expect((await press(linkId)).status).toBe(303);
  }
});

const SWITCH = 'mutation ($id: ID!, $on: Boolean!) { switchPaymentLink(linkId: $id, active: $on) { active } }';
const DELETE = 'mutation ($id: ID!) { deletePaymentLink(linkId: $id) }';

test('a link that is off, over or deleted makes no receipt, and those that it made stay', async () => {
  const { merchant, session } = await shop();
  const end = Date.now() + noon + shiftMs + DAY_MS;
  const linkId = await made(session, { endsAt: end });
  const { id } = await press(linkId);
  await ask(server, session, SWITCH, { id: linkId, on: false });
  const closed = { status: 410, text: 'This link is closed' };
  expect(await press(linkId)).toMatchObject(closed);
  expect((await fetch(`${server.url}/pay/${linkId}`)).status).toBe(410);
  await ask(server, session, SWITCH, { id: linkId, on: true });
  expect((await press(linkId)).status).toBe(303);
  expect((await read(session, id!)).status).toBe('generated');
  await pass(DAY_MS + 1_000);
  expect(await press(linkId)).toMatchObject(closed);
  const later = await server.signIn(merchant.account);
  expect(await total(later)).toBe(2);
  await ask(server, later, DELETE, { id: linkId });
  expect(await press(linkId)).toMatchObject({ status: 404, text: 'No link here' });
  expect((await fetch(`${server.url}/pay/${linkId}`)).status).toBe(404);
  expect(await total(later)).toBe(2);
});

test('a receipt of a link that has expired is asked for at the link, under its limits, and no buyer renews it', async () => {
  const { merchant, session } = await shop(1);
  await writeShop(server.deps, merchant.wallet, { allowRenewal: true });
  const linkId = await made(session, { expiresInMinutes: 5 });
  const { id, to } = await press(linkId);
  await pass(6 * 60_000);
  const page = await (await fetch(`${server.url}${to}`)).text();
  expect(page).toContain(`/pay/${linkId}?visit=${id}`);
  const again = await fetch(`${server.url}/portal/${id}/again?recipient=${merchant.wallet}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...OWN },
  });
  expect(again.status).toBe(409);
  const named = { merchant: merchant.wallet, receiptId: id! };
  await expect(renewReceipt(server.deps, { ...named, byMerchant: false }, 'buyer')).rejects.toMatchObject({
    code: 'receipt_ended',
  });
  const next = await press(linkId, id!);
  expect([next.status, (await press(linkId, id!)).id]).toEqual([303, next.id]);
  // The merchant may renew it, but not beyond the stock.
  await expect(renewReceipt(server.deps, { ...named, byMerchant: true }, 'test')).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect([next.id === id, await held(session)]).toEqual([false, 1]);
});

test('a form of another site, and a link that is not one, make nothing', async () => {
  const { session } = await shop();
  const linkId = await made(session);
  const foreign: readonly Headers[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }];
  for (const headers of foreign) expect(await press(linkId, 'v', headers)).toMatchObject({ status: 403 });
  for (const id of ['link_0', '%00', 'x'.repeat(500), '..%2F']) expect((await press(id)).status).toBe(404);
  expect(await total(session)).toBe(0);
});

test('a link with wrong or doubtful terms is refused by its field, and nothing is stored', async () => {
  const { session } = await shop();
  const wrong: readonly (readonly [object, string])[] = [
    [{ name: ' ' }, 'invalid_input'],
    [{ content: {} }, 'invalid_input'],
    [{ content: { ...CUP, amount: 3 } }, 'invalid_input'],
    [{ content: { items: [] } }, 'items_required'],
    [{ content: { items: [{ item: { sku: 'CUP' }, qty: 0 }] } }, 'invalid_input'],
    [{ content: { items: [{ item: { sku: 'NONE' }, qty: 1 }] } }, 'inventory_item_not_found'],
    [{ content: { amount: 0 } }, 'invalid_input'],
    [{ content: { amount: 1.005 } }, 'invalid_input'],
    [{ currency: 'EUR' }, 'invalid_input'],
    [{ jurisdictionCode: 'ATLANTIS' }, 'invalid_input'],
    [{ expiresInMinutes: 0 }, 'invalid_input'],
    [{ expiresInMinutes: 10_081 }, 'invalid_input'],
    [{ perDay: 0 }, 'invalid_input'],
    [{ perAddress: 1_001 }, 'invalid_input'],
    [{ endsAt: 1 }, 'invalid_input'],
    [{ returnUrl: 'javascript:alert(1)' }, 'invalid_input'],
  ];
  for (const [input, code] of wrong) expect(codeOf(await create(session, input)), JSON.stringify(input)).toBe(code);
  expect((await ask(server, session, '{ paymentLinks { totalCount } }')).body.data.paymentLinks.totalCount).toBe(0);
});

test('links are read, switched and deleted by their merchant only, made by roles that sell, and never by a key', async () => {
  const [{ merchant, session }, other] = [await shop(), await shop()];
  const linkId = await made(session);
  const one = 'query ($id: ID!) { paymentLink(linkId: $id) { linkId soldCount soldUsd } }';
  expect((await ask(server, session, one, { id: linkId })).body.data.paymentLink).toEqual({
    linkId,
    soldCount: 0,
    soldUsd: 0,
  });
  for (const text of [one, DELETE, SWITCH]) {
    expect(codeOf(await ask(server, other.session, text, { id: linkId, on: false }))).toBe('not_found');
    expect(codeOf(await ask(server, merchant.auth, text, { id: linkId, on: false }))).toBe('forbidden');
    expect(codeOf(await ask(server, {}, text, { id: linkId, on: false }))).toBe('unauthorized');
  }
  expect(codeOf(await create(merchant.auth))).toBe('forbidden');
  expect(codeOf(await create({ cookie: session.cookie! }))).toBe('forbidden');
  for (const role of ['cashier', 'bookkeeper', 'developer'] satisfies MemberRole[]) {
    const { session: headers } = await newMember(server, merchant.wallet, role);
    expect(codeOf(await create(headers)), role).toBe('forbidden');
  }
  const list = '{ paymentLinks { nodes { linkId active } } }';
  expect((await ask(server, session, list)).body.data.paymentLinks.nodes).toEqual([{ linkId, active: true }]);
  expect((await ask(server, other.session, list)).body.data.paymentLinks.nodes).toEqual([]);
});

test('the same key makes one link, and with another input it is refused', async () => {
  const { session } = await shop();
  const answers = await Promise.all([create(session, {}, 'k1'), create(session, {}, 'k1')]);
  expect(new Set(answers.map(({ body }) => body.data.createPaymentLink.linkId)).size).toBe(1);
  expect(codeOf(await create(session, { name: 'Another' }, 'k1'))).toBe('invalid_input');
});

test('a newcomer whose storage is used up makes no receipts by its links', async () => {
  const small = await startTestServer({ env: { NEWCOMER_STORAGE_MB_PER_DAY: '1' } });
  try {
    const merchant: TestMerchant = await small.merchant();
    const session = await small.signIn(merchant.account);
    await stock(small, merchant, [{ sku: 'CUP', priceUsd: 5 }]);
    const answer = await ask(small, session, CREATE, { input: { name: 'A cup', content: CUP } });
    const { linkId } = answer.body.data.createPaymentLink;
    const visit = () =>
      fetch(`${small.url}/pay/${linkId}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...OWN },
      });
    expect((await visit()).status).toBe(303);
    const sql = small.deps.db.orm.em.fork();
    await sql.execute('update merchants set newcomer = true');
    await sql.execute('create table filler as select repeat(md5(i::text), 40) as t from generate_series(1, 3000) i');
    await expect.poll(async () => (await visit()).status, { timeout: 20_000, interval: 500 }).toBe(429);
    await sql.execute('update merchants set newcomer = false');
    expect((await visit()).status).toBe(303);
  } finally {
    await small.stop();
  }
});

test.each([
  ['en', 'Continue to payment', 'Sold out'],
  ['de', 'Weiter zur Zahlung', 'Ausverkauft'],
  ['fr', 'Continuer vers le paiement', 'Épuisé'],
  ['es', 'Continuar al pago', 'Agotado'],
  ['ar', 'المتابعة إلى الدفع', 'نفدت الكمية'],
])(
  'a link page, its refusal and its receipt cannot lose the language that the visitor chose: %s',
  async (language, pay, soldOut) => {
    const { session } = await shop(1);
    const linkId = await made(session);
    const answer = await fetch(`${server.url}/pay/${linkId}?lang=${language}`, {
      headers: { 'accept-language': 'ja' },
    });
    expect(answer.headers.get('content-language')).toBe(language);
    const page = await answer.text();
    expect(page).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
    expect(page).toContain(`<button type="submit" class="button primary">${pay}</button>`);
    expect(page).toContain('hreflang="de"');
    const action = /action="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&');
    const send = () =>
      fetch(`${server.url}${action}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...OWN },
      });
    const to = new URL((await send()).headers.get('location')!, server.url);
    expect(to.searchParams.get('lang')).toBe(language);
    const { body } = await ask(server, session, 'query ($id: ID!) { receipt(receiptId: $id) { language } }', {
      id: to.pathname.split('/portal/')[1],
    });
    expect(body.data.receipt.language).toBe(language);
    const refused = await fetch(`${server.url}/pay/${linkId}?lang=${language}&visit=other`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...OWN },
    });
    expect(/<h1[^>]*>([^<]*)/.exec(await refused.text())?.[1]).toBe(soldOut);
  },
);
