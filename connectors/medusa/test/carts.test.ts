import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../../src/base/chain/local.ts';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { createConnect } from '../../../src/client/connect/index.ts';
import { Supervised } from '../../../test/faults/supervised.ts';
import { type Request, readRequest } from '../../../test/support/checkout.ts';
import { caller } from '../../../test/support/http.ts';
import { makeDataDir, runQuittance, until } from '../../../test/support/program.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { openShop } from './medusa.ts';

const CARTS = Number(process.env.CARTS ?? 1_000);
/** Kills of each of the two servers. */
const KILLS = Number(process.env.KILLS ?? 3);
/** Buyers at once. */
const BUYERS_AT_ONCE = Number(process.env.BUYERS ?? 6);
const OURS = 'pp_quittance_quittance';

const chain = await startTestChain();
const setup = await startTestServer({ env: { RPC_URL: chain.rpcUrl, CONFIRMATIONS: '1' } });
const merchant = await setup.merchant();
const server = await openServer();
const hooks = await openHooks();
const endpoint = await setup.call('POST', '/api/webhooks/endpoints', {
  headers: await setup.signIn(merchant.account),
  body: { url: hooks.url, kinds: ['receipt.*'] },
});
const shop = await openShop(`${server.url}/connect/quittance-medusa.tgz`, {
  QUITTANCE_URL: server.url,
  QUITTANCE_KEY: merchant.key,
  QUITTANCE_WEBHOOK_SECRET: endpoint.body.secret,
});
const connect = createConnect({ url: server.url, key: merchant.key, shop: 'medusa' });
hooks.pointTo(`${shop.url}/hooks/payment/quittance_quittance`);
afterAll(async () => {
  await shop.kill();
  await server.process.end();
  await setup.stop();
  await chain.stop();
});

/** `quittance serve` as a process of its own, which comes back at its address whenever it is killed. */
async function openServer() {
  const { settings } = setup.deps;
  const port = String(await findFreePort());
  const env = {
    ...{ PORT: port, DATA_DIR: makeDataDir(afterAll), DATABASE_URL: settings.databaseUrl, RPC_URL: chain.rpcUrl },
    ...{ CONFIRMATIONS: '1', LOG_LEVEL: 'error', RATE_LIMITS: 'off', JWT_SECRET: 'carts'.padEnd(64, '0') },
    KEY_ENCRYPTION_KEY: settings.keyEncryptionKey!,
  };
  const url = `http://127.0.0.1:${port}`;
  const process = new Supervised(() => runQuittance(['serve'], { env, atEnd: () => {} }));
  const call = caller(url);
  const isUp = () =>
    call('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp);
  return { url, call, process, isUp };
}

/** A network that loses, repeats, delays and swaps a fifth of all webhooks. */
async function openHooks() {
  let target = '';
  const held: (() => void)[] = [];
  const fates = { received: 0, lost: 0, late: 0, twice: 0 };
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
    fates.received++;
    if (fate < 0.05) {
      fates.lost++;
      return;
    }
    if (fate < 0.15) {
      fates.late++;
      held.push(send);
    } else send();
    if (fate > 0.95) {
      fates.twice++;
      send();
    }
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
    report: () => `webhooks: ${JSON.stringify(fates)}`,
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
  readonly data: { readonly receipt_id: string; readonly payment_url: string; readonly cents: number };
}
interface Order {
  readonly id: string;
  readonly status: string;
  readonly payment_status: string;
  readonly total: number;
  readonly summary: { readonly paid_total: number };
}

const newCart = (buyer: number): Promise<Cart> =>
  until(async () => {
    const { cart } = await shop.call<{ cart?: Cart }>('POST', '/store/carts', {
      ...{ region_id: shop.seed.region, sales_channel_id: shop.seed.channel, email: `buyer-${buyer}@shop.test` },
      items: [{ variant_id: shop.seed.variant, quantity: 1 }],
    });
    return cart;
  });

/** Begins to pay the cart, again after a failure; its session. */
const begin = (cart: Cart, provider = OURS): Promise<Session> =>
  until(async () => {
    const { payment_collection } = await shop.call<{ payment_collection?: { id: string } }>(
      ...(['POST', '/store/payment-collections', { cart_id: cart.id }] as const),
    );
    if (!payment_collection) return null;
    const path = `/store/payment-collections/${payment_collection.id}/payment-sessions`;
    const answer = await shop.call<Pick<Cart, 'payment_collection'>>('POST', path, { provider_id: provider });
    return answer.payment_collection?.payment_sessions.find(({ provider_id }) => provider_id === provider);
  });

/** Places the order; tried again while one of the servers is away. */
const complete = (cart: Cart): Promise<Order> =>
  until(async () => (await shop.call<{ order?: Order }>('POST', `/store/carts/${cart.id}/complete`)).order);
const addOne = (cart: Cart) =>
  shop.call('POST', `/store/carts/${cart.id}/line-items/${cart.items[0]!.id}`, { quantity: 2 });

/** What the page of a payment asks for; asked again while the server is away. */
const requestOf = (receiptId: string): Promise<Request> =>
  until(async () => (await server.isUp()) && readRequest(server, receiptId).catch(() => null));
const send = ({ token, payTo, amount }: Request) =>
  payFromTestWallet(chain.chain, { token, to: payTo, amount: BigInt(amount) });
const pay = async (receiptId: string) => send(await requestOf(receiptId));

/** Those who pay at the very end. */
const late: (() => Promise<unknown>)[] = [];

/** What one buyer does. */
const BUYERS = {
  async pays(cart: Cart) {
    const { data } = await begin(cart);
    await complete(cart);
    await pay(data.receipt_id);
  },
  async paysBeforeTheOrder(cart: Cart) {
    const { data } = await begin(cart);
    await pay(data.receipt_id);
  },
  async paysLate(cart: Cart) {
    const { data } = await begin(cart);
    await complete(cart);
    late.push(() => pay(data.receipt_id));
  },
  async changesTheCart(cart: Cart) {
    const before = (await begin(cart)).data;
    await addOne(cart);
    const { data } = await begin(cart);
    // The page that is still open leads to the payment of the changed cart.
    const page = () => fetch(before.payment_url).then((answer) => answer.text());
    await until(async () => (await page().catch(() => '')).includes(data.receipt_id));
    await complete(cart);
    await pay(data.receipt_id);
  },
  async changesWhilePaying(cart: Cart) {
    const request = await requestOf((await begin(cart)).data.receipt_id);
    await Promise.all([send(request), addOne(cart)]);
  },
  async leaves(cart: Cart) {
    await begin(cart);
    await complete(cart);
  },
  /** Has the page open, takes a card, and then pays on the page that was open. */
  async takesACard(cart: Cart) {
    const request = await requestOf((await begin(cart)).data.receipt_id);
    await begin(cart, 'pp_system_default');
    await complete(cart);
    await send(request);
  },
  async cancels(cart: Cart) {
    const request = await requestOf((await begin(cart)).data.receipt_id);
    const order = await complete(cart);
    await shop.call('POST', `/admin/orders/${order.id}/cancel`);
    // Medusa may refuse to cancel an order again whose cancellation a kill has cut off: that order stays open.
    const seen = await shop.call<{ order: { status: string } }>('GET', `/admin/orders/${order.id}`);
    if (seen.order.status === 'canceled') cancelled.add(cart.id);
    await send(request);
  },
};
/** The carts whose order was cancelled before it was paid. */
const cancelled = new Set<string>();
type Kind = keyof typeof BUYERS;
const MIX: readonly Kind[] = [
  ...(['pays', 'pays', 'pays', 'paysLate', 'paysBeforeTheOrder', 'changesTheCart'] as const),
  ...(['changesWhilePaying', 'leaves', 'takesACard', 'cancels'] as const),
];
/** Whose money is in time for what it is for. */
const BOOKED: readonly Kind[] = ['pays', 'paysLate', 'paysBeforeTheOrder', 'changesTheCart'];

test(`of ${CARTS} carts none is unpaid though money came, fulfilled without money, paid twice or opened again`, async () => {
  const carts = new Map<string, Kind>();
  const begun = performance.now();
  let next = 0;
  const buyer = async () => {
    for (let i = next++; i < CARTS; i = next++) {
      const kind = MIX[i % MIX.length]!;
      const cart = await newCart(i);
      carts.set(cart.id, kind);
      await BUYERS[kind](cart);
      if (carts.size % 50 === 0) note(`${carts.size} carts after ${Math.round((performance.now() - begun) / 1_000)} s`);
    }
  };
  const all = Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buyer));
  await Promise.all([all, killBoth(() => next)]);
  await Promise.all(late.splice(0).map((paid) => paid()));
  // The job of the plugin reads the feed each minute: what no webhook reported is right after it.
  const judge = async () => {
    await chain.control.mine({ blocks: 1 });
    return faultsOf(carts);
  };
  const right = { unpaid: [], withoutMoney: [], twice: [], reopened: [] };
  await expect.poll(judge, { interval: 5_000, timeout: 900_000 }).toEqual(right);
  const { rows } = await shop.database.query(SESSIONS);
  const booked = rows.filter(({ captured }) => captured !== null).length;
  note(
    `${carts.size} carts, ${rows.length} payments of ours, ${booked} booked, ${cancelled.size} orders cancelled, ${hooks.report()}`,
  );
});

const note = (text: string) => process.stderr.write(`${text}\n`);

/** Kills both servers, each in turn, at even distances among the carts. */
async function killBoth(reached: () => number): Promise<void> {
  for (let kill = 1; kill <= KILLS * 2; kill++) {
    await until(() => reached() >= (CARTS * kill) / (KILLS * 2 + 1), { timeoutMs: 7_200_000 });
    if (kill % 2 === 0) await server.process.kill();
    else {
      await shop.kill();
      await shop.start();
    }
  }
}

const SESSIONS = `
  select s.id, cpc.cart_id, o.status, s.amount,
         (select sum(c.amount) from capture c where c.payment_id = p.id and c.deleted_at is null) as captured,
         (select sum(t.amount) from order_transaction t
           where t.order_id = o.id and t.reference = 'capture' and t.deleted_at is null) as booked,
         (select count(*)::int from refund r where r.payment_id = p.id and r.deleted_at is null) as refunds
    from payment_session s
    left join payment p on p.payment_session_id = s.id
    left join cart_payment_collection cpc on cpc.payment_collection_id = s.payment_collection_id
    left join order_payment_collection opc
      on opc.payment_collection_id = s.payment_collection_id and opc.deleted_at is null
    left join "order" o on o.id = opc.order_id
   where s.provider_id = '${OURS}'`;

/** What is wrong, from what the server knows of the money and Medusa's tables of the orders. */
async function faultsOf(carts: ReadonlyMap<string, Kind>): Promise<Record<string, string[]>> {
  const { rows } = await shop.database.query(SESSIONS);
  const sessions = new Map(rows.map((row) => [row.id, row]));
  const { changes } = await connect.reconcile(null);
  const paid = changes.filter(({ state }) => state === 'paid');
  const faults = { unpaid: [], withoutMoney: [], twice: [], reopened: [] } as Record<
    'unpaid' | 'withoutMoney' | 'twice' | 'reopened',
    string[]
  >;
  for (const { order, cents, receiptId } of paid) {
    const row = sessions.get(order);
    const kind = carts.get(row?.cart_id);
    const [due, captured, booked] = [row?.amount, row?.captured, row?.booked].map((amount) =>
      Math.round(Number(amount) * 100),
    );
    const found = `${kind} ${receiptId}: paid ${cents}, due ${due}, captured ${captured}, booked ${booked}`;
    if (captured! > cents || booked! > cents) faults.twice.push(found);
    else if (due !== cents || captured !== cents || booked !== cents) faults.unpaid.push(found);
    if (row?.status === 'canceled' && row.refunds === 0) faults.unpaid.push(`${found}, cancelled and not returned`);
    if (kind === 'takesACard') faults.twice.push(`${found}, and by card`);
    if (cancelled.has(row?.cart_id) && row?.status !== 'canceled') faults.reopened.push(found);
  }
  const known = new Set(paid.map(({ order }) => order));
  const booked = new Set<string>();
  for (const { id, cart_id, captured, status } of rows) {
    if (captured === null) continue;
    const found = `${carts.get(cart_id)} ${id}`;
    if (!known.has(id)) faults.withoutMoney.push(found);
    if (booked.has(cart_id) && status !== 'canceled') faults.twice.push(found);
    booked.add(cart_id);
  }
  // Who pays in time is booked: without this, nothing at all would be right as well.
  for (const [cartId, kind] of carts)
    if (BOOKED.includes(kind) && !booked.has(cartId)) faults.unpaid.push(`${kind} ${cartId}: nothing is booked`);
  return faults;
}
