import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvents } from '../live/sse.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody, type TestPlan, walletOf } from '../support/subscriber.ts';
import { follow, socketClient } from './ask.ts';

const STREAM =
  'subscription ($after: String) { subscriptionEvents(after: $after) { subscriptionId kind status at cursor } }';

interface StreamEvent {
  subscriptionEvents: { subscriptionId: string; kind: string; status: string; at: number; cursor: string };
}

interface Shop extends TestMerchant {
  readonly plan: TestPlan;
}

let server: TestServer;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  server = await startTestServer();
  [shop, other] = [await newShop(), await newShop()];
});
afterAll(() => server.stop());

async function newShop(): Promise<Shop> {
  const merchant = await server.merchant();
  return { ...merchant, plan: await makePlan(server, merchant) };
}

/** Somebody subscribes, and cancels with a session of its own: two events. The subscription's id. */
async function comeAndGo(to: Shop): Promise<string> {
  const customer = newAccount();
  const made = await subscribe(server, to, await subscriptionBody(server, to.plan, { customer }));
  const { subscriptionId } = made.body.subscription;
  const cancelled = await server.call('POST', '/api/subscriptions/cancel', {
    headers: await server.signIn(customer),
    body: { subscriptionId, wallet: walletOf(customer) },
  });
  expect(cancelled.status).toBe(200);
  return subscriptionId;
}

/** The two ways to the stream, each as one who reads event after event. */
const streams = {
  async 'a websocket'(headers: Record<string, string>, after: string | null) {
    const client = socketClient(server, headers);
    const { next } = follow<StreamEvent>(client, STREAM, { after });
    return { next, end: () => void client.dispose() };
  },
  'an event stream': (headers: Record<string, string>, after: string | null) =>
    openEvents<StreamEvent>(server, headers, STREAM, { after }),
};

test.each(Object.entries(streams))(
  'over %s a merchant follows its own subscriptions as things happen, and resumes after a cursor without gap or repetition',
  async (_, open) => {
    const heard: string[] = [];
    let cursor = '0.0';
    const hear = async ({ next }: { next(): Promise<StreamEvent> }, count: number) => {
      for (let n = 0; n < count; n++) {
        const { subscriptionEvents: event } = await next();
        heard.push(`${event.subscriptionId} ${event.kind} ${event.status}`);
        cursor = event.cursor;
      }
    };
    const own = await newShop();
    const expected: string[] = [];
    const happens = async () => {
      await comeAndGo(other);
      const id = await comeAndGo(own);
      expected.push(`${id} created active`, `${id} cancelled cancelled`);
    };
    await happens();
    const first = await open(own.auth, cursor);
    await hear(first, 2);
    await happens();
    // Between the two events of what comes next it is cut off.
    await hear(first, 1);
    first.end();
    await happens();
    const second = await open(own.auth, cursor);
    await hear(second, 3);
    await happens();
    await hear(second, 2);
    second.end();
    expect(heard).toEqual(expected);
  },
);

test('without a cursor it begins with what happens from now on, also while an older transaction is open', async () => {
  const holder = server.deps.db.orm.em.fork();
  await holder.begin();
  await holder.getConnection().execute('select pg_current_xact_id()', [], 'all', holder.getTransactionContext());
  await comeAndGo(shop);
  const stream = await openEvents<StreamEvent>(server, shop.auth, STREAM);
  let received = false;
  const heard = stream.next().finally(() => {
    received = true;
  });
  await holder.commit();
  const later: string[] = [];
  // The stream starts once it is open. Earlier events may or may not be delivered.
  await expect
    .poll(async () => {
      later.push(await comeAndGo(shop));
      return received;
    })
    .toBe(true);
  expect(later).toContain((await heard).subscriptionEvents.subscriptionId);
  stream.end();
});

test('it is for the merchant alone: a missing scope, another’s session and a wrong cursor are refused', async () => {
  const unscoped = await server.merchant({ scopes: ['graphql:read'] });
  const codeOf = async (headers: Record<string, string>, after: string | null = null) => {
    const client = socketClient(server, headers);
    const refused = await follow(client, STREAM, { after })
      .next()
      .catch((error: { errors: { extensions: { code: string } }[] }) => error.errors[0]?.extensions.code);
    await client.dispose();
    return refused;
  };
  expect(await codeOf(unscoped.auth)).toBe('forbidden');
  expect(await codeOf(shop.auth, 'yesterday')).toBe('bad_cursor');
  expect((await openEvents(server, {}, STREAM)).status).toBe(401);
  const { cookie } = await server.signIn(newAccount());
  const theirs = await fetch(`${server.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', cookie: cookie as string },
    body: JSON.stringify({ query: STREAM }),
  });
  expect(await theirs.text()).toContain('"code":"forbidden"');
});
