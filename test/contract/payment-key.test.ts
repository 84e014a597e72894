import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentUrl } from '../../src/domain/sales/receipts/payment-url.ts';
import { ask, codeOf, follow, socketClient } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';

let server: TestServer;
let merchant: TestMerchant;
let url: URL;
beforeAll(async () => {
  server = await startTestServer({ env: { ONRAMP_PROVIDER: 'sandbox' } });
  merchant = await server.merchant();
  url = new URL(await create('1001'));
});
afterAll(() => server.stop());

const SECRETS = {
  metadata: { margin: '62%' },
  webhookUrl: 'http://127.0.0.1:4100/h?secret=s3cr3t',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@buyer.example',
};

async function create(id: string, body: object = SECRETS): Promise<string> {
  const answer = await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'Shoes', priceUsd: 10 }], ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body.paymentUrl;
}

async function open(path: string) {
  const { status, body } = await server.call('GET', path);
  const token = /name="page-token" content="([^"]*)"/.exec(body)?.[1];
  const auth = { authorization: `Bearer ${token}` };
  return {
    status,
    body: body as string,
    auth,
    say: (query: string, v: Record<string, unknown> = {}) => ask(server, auth, query, v),
  };
}
const withKey = () => open(`${url.pathname}${url.search}`);
const bare = (id = '1001') => open(`/portal/${id}?recipient=${merchant.wallet}`);

const historyOf = (id: string) =>
  runStatement<{ name: string | null; status: string }>(
    server.deps.db,
    { name: 'history-of', text: 'select name, status from receipt_history where receipt_id = $1 order by seq' },
    [id],
  );

const HASH = `0x${'ab'.repeat(32)}`;
const WRITES: Readonly<Record<string, string>> = {
  reportFailure: 'mutation { reportFailure(receiptId: "1001", code: PORTAL_SESSION_CANCELLED) { receiptId } }',
  setBuyerEmail: 'mutation { setBuyerEmail(receiptId: "1001", email: "evil@example.org") { receiptId } }',
  reportTracking: 'mutation { reportTracking(receiptId: "1001", status: "link_opened") { receiptId } }',
  startCardCheckout: 'mutation { startCardCheckout(receiptId: "1001") { url } }',
  payWithTestWallet: 'mutation { payWithTestWallet(receiptId: "1001", token: "USDC") { transactionHash } }',
  submitTransaction: `mutation { submitTransaction(receiptId: "1001", transactionHash: "${HASH}") { status } }`,
};

describe('the payment page of a receipt whose id the caller chose', () => {
  test('has a key in its address, the same each time the receipt is asked for', async () => {
    expect([...url.searchParams.keys()]).toEqual(['recipient', 'k']);
    expect(url.searchParams.get('k')).toMatch(/^[\w-]{22}$/);
    expect(await create('1001')).toBe(url.href);
    const read = await ask(server, merchant.auth, '{ receipt(receiptId: "1001") { paymentUrl } }');
    expect(read.body.data.receipt.paymentUrl).toBe(url.href);
    const redirected = new URL(await create('1002', { redirectUrl: 'https://shop.example/back' }));
    expect([...redirected.searchParams.keys()]).toEqual(['recipient', 'redirect_url', 'k']);
    expect(redirected.searchParams.get('k')).not.toBe(url.searchParams.get('k'));
  });

  test('keeps the key when JWT_SECRET is rotated; another merchant and another installation have other keys', () => {
    const { settings } = server.deps;
    const receipt = { merchant: merchant.wallet, id: '1001', origin: 'receipt' } as const;
    const rotated = { ...settings, jwtSecret: 'another' };
    expect(paymentUrl(rotated, receipt)).toBe(url.href);
    expect(paymentUrl({ ...settings, keyEncryptionKey: 'another' }, receipt)).not.toBe(url.href);
    const foreign = paymentUrl(settings, { ...receipt, merchant: `0x${'1'.repeat(40)}` as never });
    expect(new URL(foreign).searchParams.get('k')).not.toBe(url.searchParams.get('k'));
    for (const origin of ['order', 'terminal', 'charge'] as const)
      expect(paymentUrl(settings, { ...receipt, origin })).not.toContain('k=');
  });

  test('without the key, or with a wrong one, shows what is owed and offers nothing that its token may not do', async () => {
    const wrong = `/portal/1001?recipient=${merchant.wallet}&k=${'A'.repeat(22)}`;
    const twice = `${url.pathname}${url.search}&k=x`;
    for (const path of [`/portal/1001?recipient=${merchant.wallet}`, '/portal/1001', wrong, twice]) {
      const page = await open(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.body).toContain('id="amount"');
      expect(page.body).toContain('class="qr"');
      for (const absent of ['id="email"', 'id="pay-card"', 'id="pay-test"', 'Ada', 's3cr3t', '62%'])
        expect([path, absent, page.body.includes(absent)]).toEqual([path, absent, false]);
      expect(page.body).not.toContain(url.searchParams.get('k'));
      expect(codeOf(await page.say(WRITES.reportFailure as string))).toBe('forbidden');
    }
  });

  test('a read-only token may ask for a quote and submit a signed hint: every other mutation is refused', async () => {
    const { say } = await bare();
    const before = await historyOf('1001');
    const quote = await say('mutation { quotePayment(receiptId: "1001", token: "USDC") { amount payTo qr } }');
    expect(quote.body.data.quotePayment.payTo).toMatch(/^0x[0-9a-f]{40}$/);
    for (const [name, text] of Object.entries(WRITES))
      expect([name, codeOf(await say(text))]).toEqual([name, 'forbidden']);
    // The signature is looked at, and is no signature of the signer's.
    const signed = `mutation { submitTransaction(receiptId: "1001", transactionHash: "${HASH}", signer: "0x${'1'.repeat(40)}", signature: "0x${'1'.repeat(130)}") { status } }`;
    expect(codeOf(await say(signed))).not.toBe('forbidden');
    expect(await historyOf('1001')).toEqual(before);
    const read = await ask(server, merchant.auth, '{ receipt(receiptId: "1001") { status billingAddress { email } } }');
    expect(read.body.data.receipt).toEqual({
      status: 'pending',
      billingAddress: { email: SECRETS.email },
    });
  });

  test('a page token reads neither metadata nor webhook address, over HTTP and as a stream', async () => {
    for (const page of [await bare(), await withKey()]) {
      for (const field of ['metadata', 'webhookUrl', 'redirectUrl', 'paymentUrl']) {
        const answer = await page.say(`{ receipt(receiptId: "1001") { status ${field} } }`);
        expect([field, codeOf(answer)]).toEqual([field, 'forbidden']);
        expect(answer.body.data?.receipt ?? null).toBeNull();
      }
      expect(
        (await page.say('{ receipt(receiptId: "1001") { status seq lineItems { label } } }')).body.data.receipt,
      ).toMatchObject({ status: 'pending', lineItems: [{ label: 'Shoes' }] });
      const stream = follow(
        socketClient(server, page.auth),
        'subscription { receiptStatus(receiptId: "1001") { seq cursor } }',
      );
      await expect(stream.next()).rejects.toMatchObject({ errors: [{ extensions: { code: 'forbidden' } }] });
    }
  });

  test('with the key the page writes: tracking, failure, card checkout, whose way back keeps the key', async () => {
    const own = new URL(await create('1003', { firstName: 'Ada' }));
    const page = await open(`${own.pathname}${own.search}`);
    for (const present of ['id="email"', 'id="pay-card"', 'id="pay-test"']) expect(page.body).toContain(present);
    // The choice of the token without the script keeps the key too.
    expect(page.body).toContain(`name="k" value="${own.searchParams.get('k')}"`);
    const said = (text: string) => page.say(text.replaceAll('1001', '1003'));
    expect(codeOf(await said(WRITES.reportTracking as string))).toBeNull();
    const checkout = await said(WRITES.startCardCheckout as string);
    const card = checkout.body.data.startCardCheckout.url as string;
    const sandbox = await (await fetch(card)).text();
    expect(sandbox).not.toContain('Ada');
    const back = await fetch(card, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'PORTAL_SESSION_CANCELLED' }),
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
    expect(back.headers.get('location')).toBe(`${own.pathname}${own.search}`);
    expect(codeOf(await said(WRITES.setBuyerEmail as string))).toBeNull();
  });

  test('the printed receipt and the script of the order follow the key', async () => {
    const id = '1004';
    const own = new URL(await create(id, { ...SECRETS, onSuccess: 'document.title = "thanks"' }));
    await server.call('POST', '/api/graphql', {
      headers: await server.signIn(merchant.account),
      body: { query: 'mutation { updateShopConfig(input: { postPaymentScripts: true }) { name } }' },
    });
    const pay = `${own.pathname}/receipt${own.search}`;
    const unpaid = await fetch(`${server.url}${pay}`, { redirect: 'manual' });
    expect(unpaid.headers.get('location')).toBe(`${own.pathname}${own.search}`);
    await runStatement(
      server.deps.db,
      {
        name: 'test-pay',
        text: "update receipts set status = 'paid', closed_at = created_at where id = $1 and merchant = $2",
      },
      [id, merchant.wallet],
    );
    expect((await open(pay)).body).toContain('Ada Lovelace');
    expect((await open(`${own.pathname}/receipt?recipient=${merchant.wallet}`)).body).not.toContain('Ada');
    const script = (query: string) => server.call('GET', `${own.pathname}/after-payment${query}`);
    expect((await script(`?recipient=${merchant.wallet}`)).status).toBe(404);
    expect((await script(own.search)).status).toBe(200);
    expect((await open(`${own.pathname}${own.search}`)).body).toContain('from-shop');
    expect((await bare(id)).body).not.toContain('from-shop');
  });
});

test('a receipt whose id was made here has no key: its address cannot be guessed, and its page writes', async () => {
  await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'TEA', name: 'Tea', priceUsd: 10, stockQty: -1, taxable: false },
  });
  const order = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], redirectUrl: 'https://shop.example/back' },
  });
  const { receiptId } = order.body.receipt;
  const query = new URLSearchParams({ recipient: merchant.wallet, redirect_url: 'https://shop.example/back' });
  expect(order.body.paymentUrl).toBe(`${server.url}/portal/${receiptId}?${query}`);
  const page = await open(`/portal/${receiptId}`);
  const report = `mutation { reportTracking(receiptId: "${receiptId}", status: "link_opened") { receiptId } }`;
  expect(codeOf(await page.say(report))).toBeNull();
  const till = await server.call('POST', '/api/receipts/terminal', {
    headers: await server.signIn(merchant.account),
    body: { amountUsd: 5 },
  });
  expect(till.body.paymentUrl).toBe(`${server.url}/portal/${till.body.receipt.receiptId}?recipient=${merchant.wallet}`);
});
