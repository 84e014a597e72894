import { afterAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../../src/base/chain/local.ts';
import { createConnect } from '../../../src/client/connect/index.ts';
import { openBrowser, visit } from '../../../test/browser/browser.ts';
import { openPaidShop } from '../../../test/contract/paid-shop.ts';
import { ask } from '../../../test/graphql/ask.ts';
import { readRequest } from '../../../test/support/checkout.ts';
import { ADMIN, openShop } from './medusa.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
// No webhook arrives here: the job of the plugin reads the news.
const connect = createConnect({ url: server.url, key: merchant.key, shop: 'medusa' });
const settings = { QUITTANCE_URL: server.url, QUITTANCE_KEY: merchant.key, QUITTANCE_WEBHOOK_SECRET: 'whsec_none' };
const shop = await openShop(`${server.url}/connect/quittance-medusa.tgz`, settings, true);
afterAll(() => shop.kill());

interface Collection {
  readonly payment_collection: {
    readonly id: string;
    readonly payment_sessions: readonly { readonly data: { readonly receipt_id: string } }[];
  };
}

/** Places an order whose payment waits; its id, and that of the receipt. */
async function placeOrder(): Promise<{ orderId: string; receiptId: string }> {
  const { cart } = await shop.call<{ cart: { id: string } }>('POST', '/store/carts', {
    ...{ region_id: shop.seed.region, sales_channel_id: shop.seed.channel, email: 'buyer@shop.test' },
    items: [{ variant_id: shop.seed.variant, quantity: 1 }],
  });
  const path = '/store/payment-collections';
  const { payment_collection: begun } = await shop.call<Collection>('POST', path, { cart_id: cart.id });
  const { payment_collection } = await shop.call<Collection>('POST', `${path}/${begun.id}/payment-sessions`, {
    provider_id: 'pp_quittance_quittance',
  });
  const { order } = await shop.call<{ order: { id: string } }>('POST', `/store/carts/${cart.id}/complete`);
  return { orderId: order.id, receiptId: payment_collection.payment_sessions[0]!.data.receipt_id };
}

test('the page of an order shows how its payment stands and leads to it, and its refund is asked for from there', async () => {
  const { orderId, receiptId } = await placeOrder();
  // What the admin itself reports is not ours.
  const page = await visit(await openBrowser(), `${shop.url}/app/login`, {
    denied: /DialogTitle|status of 401/,
  });
  await page.locator('input[name=email]').fill(ADMIN.email);
  await page.locator('input[name=password]').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
  const shows = async (text: string) => {
    await page.goto(`${shop.url}/app/orders/${orderId}`);
    await page.getByText(`${text}: ${receiptId}`).waitFor();
  };
  await shows('Not paid yet');
  const link = page.getByRole('link', { name: receiptId });
  const opened = page.context().waitForEvent('page');
  await link.click();
  await (await opened).getByText('Total to pay').waitFor();

  const { token, payTo, amount } = await readRequest(server, receiptId);
  await payFromTestWallet(chain.chain, { token, to: payTo, amount: BigInt(amount) });
  await mineUntil(async () => (await connect.read(receiptId)) === 'paid');
  const path = `/admin/orders/${orderId}?fields=payment_status`;
  const standing = async () => (await shop.call<{ order: { payment_status: string } }>('GET', path)).order;
  await expect.poll(standing, { timeout: 240_000, interval: 2_000 }).toMatchObject({ payment_status: 'captured' });
  await shows('Paid');

  const fields = 'payment_collections.payments.id';
  type Paid = { order: { payment_collections: { payments: { id: string }[] }[] } };
  const { order } = await shop.call<Paid>('GET', `/admin/orders/${orderId}?fields=${fields}`);
  const paymentId = order.payment_collections[0]!.payments[0]!.id;
  await page.goto(`${shop.url}/app/orders/${orderId}/refund?paymentId=${paymentId}`);
  await page.locator('input[name=amount]').fill('5.50');
  await page.getByRole('button', { name: 'Save' }).click();
  const query = 'query ($id: ID!) { receipt(receiptId: $id) { refunds { state usd } } attention { refunds } }';
  await expect
    .poll(async () => (await ask(server, session, query, { id: receiptId })).body.data, { timeout: 60_000 })
    .toEqual({ receipt: { refunds: [{ state: 'requested', usd: 5.5 }] }, attention: { refunds: 1 } });
  await shows('Paid');
});
