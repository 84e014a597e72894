import { afterAll, beforeAll, expect, test } from 'vitest';
import { follow, socketClient } from '../graphql/ask.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { append } from './events.ts';

const FUTURE_SEQ = 2_147_483_647;
const FUTURE_CURSORS = ['99999999999999999999.0', '18446744073709551615.9999999999999999999'];
const ONE = 'subscription ($id: ID!, $after: Int) { receiptStatus(receiptId: $id, afterSeq: $after) { seq } }';
const ALL = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId seq } }';
const FOLLOWERS = 5;

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

interface Heard {
  receiptStatus?: { seq: number };
  receiptStatuses?: { seq: number };
}

/** A follower that collects the `seq` of all that it hears. */
function listen(
  query: string,
  variables: Record<string, unknown>,
  { auth } = merchant,
): { heard: number[]; end(): void } {
  const client = socketClient(server, auth);
  const stream = follow<Heard>(client, query, variables);
  const heard: number[] = [];
  const read = async () => {
    for (;;) {
      const event = await stream.next();
      heard.push((event.receiptStatus ?? event.receiptStatuses)!.seq);
    }
  };
  read().catch(() => {});
  return { heard, end: () => void client.dispose() };
}

/** How many events of another merchant delimit the span in which statements are counted. */
const SPAN_EVENTS = 50;
/**
 * A tail reads once in ten seconds while idle. A follower that spins reads at least once for each event of the span.
 */
const IDLE_READS = 20;

/**
 * Counts the reads of a merchant's streams while another merchant's follower receives `SPAN_EVENTS` events, one after
 * the other. Reads that wait for an older open transaction (of any database of the server) are paced and not counted.
 */
async function readsWhileIdle(wallet: string): Promise<number> {
  const { deps } = server;
  const busy = await server.merchant();
  const id = await makeReceipt(server, busy);
  const follower = listen(ONE, { id }, busy);
  await expect.poll(() => follower.heard.length).toBe(1);
  const original = deps.db.run;
  let reads = 0;
  Object.assign(deps.db, {
    run: async (...given: Parameters<typeof original>) => {
      const rows = (await original(...given)) as { settled?: boolean }[];
      if (Object.values(given[1]).includes(wallet) && !rows.some(({ settled }) => settled === false)) reads += 1;
      return rows;
    },
  });
  for (let n = 0; n < SPAN_EVENTS; n += 1) {
    const seq = await append(deps.db, deps.bus, busy.wallet, id);
    await expect.poll(() => follower.heard.at(-1), { timeout: 60_000, interval: 1 }).toBe(seq);
  }
  Object.assign(deps.db, { run: original });
  follower.end();
  return reads;
}

test('a follower of one receipt from the future leaves the others idle, and all hear the next events once, in order', async () => {
  const id = await makeReceipt(server, merchant);
  const fromFuture = listen(ONE, { id, after: FUTURE_SEQ });
  // The one from the future opens the receipt's tail before the others come.
  await server.call('GET', `/api/receipts/status?receiptId=${id}`, { headers: merchant.auth });
  const others = Array.from({ length: FOLLOWERS }, () => listen(ONE, { id }));
  await expect.poll(() => others.map(({ heard }) => heard.length)).toEqual(others.map(() => 1));
  expect(await readsWhileIdle(merchant.wallet)).toBeLessThan(IDLE_READS);
  const [first] = others[0]!.heard as [number];
  await append(server.deps.db, server.deps.bus, merchant.wallet, id, 2);
  await append(server.deps.db, server.deps.bus, merchant.wallet, id);
  const next = [first + 1, first + 2, first + 3];
  await expect.poll(() => fromFuture.heard).toEqual(next);
  for (const { heard } of others) await expect.poll(() => heard).toEqual([first, ...next]);
  for (const { end } of [fromFuture, ...others]) end();
});

test('a follower of one receipt from the future that comes after the others hears the next event as they do', async () => {
  const id = await makeReceipt(server, merchant);
  const other = listen(ONE, { id });
  await expect.poll(() => other.heard.length).toBe(1);
  const fromFuture = listen(ONE, { id, after: FUTURE_SEQ });
  let seq = 0;
  // Its subscription has no first event, so events are written until it hears one.
  await expect
    .poll(
      async () => {
        seq = await append(server.deps.db, server.deps.bus, merchant.wallet, id);
        return fromFuture.heard.length;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  await expect.poll(() => fromFuture.heard.at(-1)).toBe(seq);
  const [from] = fromFuture.heard as [number];
  expect(fromFuture.heard).toEqual(Array.from({ length: seq - from + 1 }, (_, n) => from + n));
  await expect.poll(() => other.heard.at(-1)).toBe(seq);
  expect(other.heard).toEqual(Array.from({ length: seq - other.heard[0]! + 1 }, (_, n) => other.heard[0]! + n));
  for (const { end } of [fromFuture, other]) end();
});

test.each(FUTURE_CURSORS)(
  'a follower of a merchant after the cursor %s leaves the others idle, and all hear the next events',
  async (after) => {
    const own = await server.merchant();
    merchant = own;
    const id = await makeReceipt(server, own);
    const fromFuture = listen(ALL, { after });
    const others = Array.from({ length: FOLLOWERS }, () => listen(ALL, { after: '0.0' }));
    await expect.poll(() => others.map(({ heard }) => heard.length)).toEqual(others.map(() => 1));
    expect(await readsWhileIdle(own.wallet)).toBeLessThan(IDLE_READS);
    const [first] = others[0]!.heard as [number];
    const last = await append(server.deps.db, server.deps.bus, own.wallet, id, 3);
    const next = Array.from({ length: last - first }, (_, n) => first + 1 + n);
    // The end lies before the oldest open transaction of the server, so the first event may be repeated.
    const fresh = () => fromFuture.heard.filter((seq) => seq > first);
    await expect.poll(fresh).toEqual(next);
    for (const { heard } of others) await expect.poll(() => heard).toEqual([first, ...next]);
    for (const { end } of [fromFuture, ...others]) end();
  },
);
