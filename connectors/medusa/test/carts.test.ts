import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { createConnect } from '../../../src/client/connect/index.ts';
import { openPaidShop } from '../../../test/contract/paid-shop.ts';
import { payOnChain, readRequest } from '../../../test/support/checkout.ts';
import { openShop } from './medusa.ts';

const CARTS = Number(process.env.CARTS ?? 1_000);
const KILLS = Number(process.env.KILLS ?? 3);
const OURS = 'pp_quittance_quittance';

const { chain, server, merchant, session } = await openPaidShop();
const hooks = await openHooks();
const endpoint = await server.call('POST', '/api/webhooks/endpoints', {
  headers: session,
  body: { url: hooks.url, kinds: ['receipt.*'] },
});
const shop = await openShop(`${server.url}/connect/quittance-medusa.tgz`, {
  QUITTANCE_URL: server.url,
  QUITTANCE_KEY: merchant.key,
  QUITTANCE_WEBHOOK_SECRET: endpoint.body.secret,
});
const connect = createConnect({ url: server.url, key: merchant.key, shop: 'medusa' });
hooks.pointTo(`${shop.url}/hooks/payment/quittance_quittance`);
afterAll(() => shop.kill());

/** A network that loses, repeats, delays and swaps a fifth of all webhooks. */
async function openHooks() {
  let target = '';
  const held: (() => void)[] = [];
  const pass = (body: Buffer, headers: http.IncomingHttpHeaders) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    fetch(target, { method: 'POST', headers: passed as Record<string, string>, body: new Uint8Array(body) }).catch(
      () => {},
    );
  };
  const proxy = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    const send = () => pass(Buffer.concat(chunks), request.headers);
    const fate = Math.random();
    if (fate < 0.05) return;
    if (fate < 0.15) held.push(send);
    else send();
    if (fate > 0.95) send();
    // What was held arrives after what came later.
    if (held.length > 5) for (const late of held.splice(0).reverse()) late();
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
    pointTo(url: string) {
      target = url;
    },
  };
}

interface Cart {
  readonly id: string;
  readonly payment_collection?: { readonly id: string; readonly payment_sessions: readonly Session[] };
  readonly items: readonly { readonly id: string }[];
}
interface Session {
  readonly provider_id: string;
  readonly status: string;
  readonly data: { readonly receipt_id: string; readonly cents: number };
}
interface Order {
  readonly id: string;
  readonly status: string;
  readonly payment_status: string;
  readonly total: number;
  readonly summary: { readonly paid_total: number };
}

async function newCart(): Promise<Cart> {
  const { cart } = await shop.call<{ cart: Cart }>('POST', '/store/carts', {
    ...{ region_id: shop.seed.region, sales_channel_id: shop.seed.channel, email: 'ada@shop.test' },
    items: [{ variant_id: shop.seed.variant, quantity: 1 }],
  });
  return cart;
}

/** Begins to pay the cart; its session. */
async function begin(cart: Cart, provider = OURS): Promise<Session | undefined> {
  const { payment_collection } = await shop.call<{ payment_collection: { id: string } }>(
    ...(['POST', '/store/payment-collections', { cart_id: cart.id }] as const),
  );
  const path = `/store/payment-collections/${payment_collection.id}/payment-sessions`;
  const answer = await shop.call<Required<Pick<Cart, 'payment_collection'>>>('POST', path, { provider_id: provider });
  return answer.payment_collection?.payment_sessions.find(({ provider_id }) => provider_id === provider);
}

const complete = async (cart: Cart) =>
  (await shop.call<{ order?: Order }>('POST', `/store/carts/${cart.id}/complete`)).order;
const addOne = (cart: Cart) =>
  shop.call('POST', `/store/carts/${cart.id}/line-items/${cart.items[0]!.id}`, { quantity: 2 });
const pay = async (receiptId: string) => payOnChain(chain.rpcUrl, await readRequest(server, receiptId));

/** What one buyer does. A page that has ended takes no money: to pay it fails. */
const BUYERS = {
  async pays(cart: Cart) {
    const { data } = (await begin(cart))!;
    await complete(cart);
    await pay(data.receipt_id);
  },
  async paysBeforeTheOrder(cart: Cart) {
    const { data } = (await begin(cart))!;
    await pay(data.receipt_id);
  },
  async changesTheCart(cart: Cart) {
    await begin(cart);
    await addOne(cart);
    const { data } = (await begin(cart))!;
    await complete(cart);
    await pay(data.receipt_id);
  },
  async changesWhilePaying(cart: Cart) {
    const { data } = (await begin(cart))!;
    await Promise.allSettled([pay(data.receipt_id), addOne(cart)]);
  },
  async leaves(cart: Cart) {
    await begin(cart);
    await complete(cart);
  },
  async takesACard(cart: Cart) {
    const first = (await begin(cart))!;
    await begin(cart, 'pp_system_default');
    await complete(cart);
    await pay(first.data.receipt_id).catch(() => {});
  },
  async cancels(cart: Cart) {
    const { data } = (await begin(cart))!;
    const order = (await complete(cart))!;
    await shop.call('POST', `/admin/orders/${order.id}/cancel`);
    await pay(data.receipt_id).catch(() => {});
  },
};
const MIX: readonly (keyof typeof BUYERS)[] = [
  ...(['pays', 'pays', 'pays', 'pays', 'paysBeforeTheOrder', 'changesTheCart'] as const),
  ...(['changesWhilePaying', 'leaves', 'takesACard', 'cancels'] as const),
];

test(`of ${CARTS} carts none is unpaid though money came, fulfilled without money, paid twice or opened again`, async () => {
  const carts = new Map<string, keyof typeof BUYERS>();
  for (let i = 0; i < CARTS; i++) {
    const kind = MIX[i % MIX.length]!;
    const cart = await newCart();
    carts.set(cart.id, kind);
    await BUYERS[kind](cart);
    if (KILLS > 0 && i % Math.ceil(CARTS / (KILLS + 1)) === Math.ceil(CARTS / (KILLS + 1)) - 1) {
      await shop.kill();
      await shop.start();
    }
  }
  // The job of the plugin reads the feed each minute: what no webhook reported is right after it.
  const judge = async () => {
    await chain.control.mine({ blocks: 1 });
    return faultsOf(carts);
  };
  await expect.poll(judge, { interval: 2_000, timeout: 600_000 }).toEqual([]);
});

const SESSIONS = `
  select s.id, cpc.cart_id, o.status, s.amount,
         (select sum(c.amount) from capture c where c.payment_id = p.id and c.deleted_at is null) as captured,
         (select sum(t.amount) from order_transaction t
           where t.order_id = o.id and t.reference = 'capture' and t.deleted_at is null) as booked,
         (select count(*)::int from refund r where r.payment_id = p.id and r.deleted_at is null) as refunds
    from payment_session s
    left join payment p on p.payment_session_id = s.id
    left join cart_payment_collection cpc on cpc.payment_collection_id = s.payment_collection_id
    left join order_payment_collection opc on opc.payment_collection_id = s.payment_collection_id
    left join "order" o on o.id = opc.order_id
   where s.provider_id = '${OURS}'`;

/** What is wrong, from what the server knows of the money and Medusa's tables of the orders. */
async function faultsOf(carts: ReadonlyMap<string, keyof typeof BUYERS>): Promise<string[]> {
  const { rows } = await shop.database.query(SESSIONS);
  const sessions = new Map(rows.map((row) => [row.id, row]));
  const { changes } = await connect.reconcile(null);
  const paid = changes.filter(({ state }) => state === 'paid');
  const faults: string[] = [];
  for (const { order, cents, receiptId } of paid) {
    const row = sessions.get(order);
    const kind = carts.get(row?.cart_id);
    const amounts = [row?.amount, row?.captured, row?.booked].map((amount) => Math.round(Number(amount) * 100));
    if (amounts.some((amount) => amount !== cents)) faults.push(`${kind} ${receiptId}: paid ${cents}, has ${amounts}`);
    if (row?.status === 'canceled' && row.refunds === 0) faults.push(`${kind} ${receiptId}: cancelled, not returned`);
    if (kind === 'cancels' && row?.status !== 'canceled') faults.push(`${kind} ${receiptId}: opened again`);
  }
  const known = new Set(paid.map(({ order }) => order));
  for (const row of rows)
    if (row.captured !== null && !known.has(row.id))
      faults.push(`${carts.get(row.cart_id)} ${row.id}: booked without money`);
  // Who pays in time is booked: without this, nothing at all would be right as well.
  for (const [cartId, kind] of carts)
    if (
      ['pays', 'paysBeforeTheOrder', 'changesTheCart'].includes(kind) &&
      !rows.some((row) => row.cart_id === cartId && row.captured)
    )
      faults.push(`${kind} ${cartId}: nothing is booked`);
  return faults;
}
