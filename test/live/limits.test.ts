import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { revokeKey } from '../../src/domain/access/keys/change-keys.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { CLOSES, LIVE_LIMITS } from '../../src/doors/http/server/live-connections.ts';
import { socketUrl } from '../graphql/ask.ts';
import { busyMs } from '../support/busy.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { append } from './events.ts';
import { openEvents } from './sse.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const newReceipt = () => makeReceipt(server, merchant);

/** A bare socket that speaks the protocol word by word. */
async function bare(protocols: string[] = ['graphql-transport-ws']) {
  const socket = new WebSocket(socketUrl(server), protocols);
  const messages: { id?: string; type: string; payload?: unknown }[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed,
    say: (message: object) => socket.send(JSON.stringify(message)),
    hears: (type: string, id?: string) =>
      expect.poll(() => messages.find((message) => message.type === type && message.id === id)).toBeDefined(),
  };
}

async function proven(params: Record<string, string> = merchant.auth) {
  const client = await bare();
  client.say({ type: 'connection_init', payload: params });
  await client.hears('connection_ack');
  return client;
}

const subscribe = (id: string, receiptId: string, fields = 'seq') => ({
  id,
  type: 'subscribe',
  payload: {
    query: `subscription ($r: ID!) { receiptStatus(receiptId: $r, afterSeq: 0) { ${fields} } }`,
    variables: { r: receiptId },
  },
});

describe('the protocol', () => {
  test('answers pings, completes what is completed, and lets an id be used again', async () => {
    const id = await newReceipt();
    const client = await proven();
    client.say({ type: 'ping', payload: { a: 1 } });
    await client.hears('pong');
    expect(client.messages.at(-1)).toEqual({ type: 'pong', payload: { a: 1 } });
    client.say(subscribe('one', id));
    await client.hears('next', 'one');
    client.say({ id: 'one', type: 'complete' });
    client.say(subscribe('one', id));
    await expect.poll(() => client.messages.filter(({ type }) => type === 'next').length).toBe(2);
    await append(server.deps.db, server.deps.bus, merchant.wallet, id);
    await expect.poll(() => client.messages.filter(({ type }) => type === 'next').length).toBe(3);
    client.say({ id: 'q', type: 'subscribe', payload: { query: '{ siteConfig { brandKey } }' } });
    await client.hears('complete', 'q');
    expect(client.messages.find((message) => message.id === 'q')).toMatchObject({
      type: 'next',
      payload: { data: {} },
    });
    client.socket.close();
  });

  const cases: [why: keyof typeof CLOSES, say: (client: Awaited<ReturnType<typeof bare>>, id: string) => void][] = [
    ['badRequest', ({ socket }) => socket.send('{')],
    ['badRequest', ({ say }) => say({ type: 'next', id: '1', payload: {} })],
    ['badRequest', ({ say }, id) => say(subscribe('x'.repeat(LIVE_LIMITS.idCharacters + 1), id))],
    ['secondInit', ({ say }) => say({ type: 'connection_init', payload: merchant.auth })],
    ['tooLarge', ({ socket }) => socket.send('x'.repeat(LIVE_LIMITS.messageBytes + 1))],
    [
      'duplicate',
      ({ say }, id) => {
        say(subscribe('1', id));
        say(subscribe('1', id));
      },
    ],
  ];
  test.each(cases)('closes with the code of %s', async (why, say) => {
    const client = await proven();
    say(client, await newReceipt());
    expect(await client.closed).toBe(CLOSES[why].code);
  });

  test('closes what proves nothing, what subscribes first, what speaks another protocol and what says nothing', async () => {
    const anonymous = await bare();
    anonymous.say({ type: 'connection_init' });
    expect(await anonymous.closed).toBe(CLOSES.forbidden.code);
    const hasty = await bare();
    hasty.say(subscribe('1', 'x'));
    expect(await hasty.closed).toBe(CLOSES.unauthorized.code);
    expect(await (await bare([])).closed).toBe(CLOSES.protocol.code);
    expect(await (await bare()).closed).toBe(CLOSES.initTimeout.code);
  });
});

describe('sockets that say nothing', () => {
  test('before they have proven themselves only so many are kept: one more closes the oldest', async () => {
    // No late subscriber is closed.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [oldest, next] = [await bare(), await bare()];
    const others: WebSocket[] = [];
    for (let left: number = LIVE_LIMITS.unprovenSockets - 1; left > 0; left -= 100) {
      const some = Array.from(
        { length: Math.min(left, 100) },
        () => new WebSocket(socketUrl(server), 'graphql-transport-ws'),
      );
      await Promise.all(some.map((socket) => once(socket, 'open')));
      others.push(...some);
    }
    await expect.poll(() => oldest.socket.readyState).toBe(WebSocket.CLOSED);
    expect(await oldest.closed).toBe(CLOSES.initTimeout.code);
    expect(next.socket.readyState).toBe(WebSocket.OPEN);
    for (const socket of [next.socket, ...others]) socket.terminate();
  }, 240_000);

  test('and answer no ping until the next are cut; those that answer stay', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = await startTestServer();
    onTestFinished(() => own.stop());
    const { auth } = await own.merchant();
    const open = async (autoPong: boolean) => {
      const socket = new WebSocket(socketUrl(own), 'graphql-transport-ws', { autoPong });
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload: auth }));
      await once(socket, 'message');
      return socket;
    };
    const [dead, alive] = [await open(false), await open(true)];
    const cut = once(dead, 'close');
    for (let n = 0; n < 3; n++) {
      const pinged = once(alive, 'ping');
      vi.advanceTimersByTime(LIVE_LIMITS.pingMs);
      await pinged;
      // Its answer to the ping is there before this one.
      alive.ping();
      await once(alive, 'pong');
    }
    expect((await cut)[0]).toBe(1006);
    expect(alive.readyState).toBe(WebSocket.OPEN);
    alive.close();
  });
});

test('a subscription over the socket’s limit is refused and the others continue', async () => {
  const id = await newReceipt();
  const client = await proven();
  const { streamsPerSocket } = LIVE_LIMITS;
  for (let i = 0; i <= streamsPerSocket; i++) client.say(subscribe(`s${i}`, id));
  await client.hears('error', `s${streamsPerSocket}`);
  expect(client.messages.find(({ type }) => type === 'error')?.payload).toMatchObject([
    { extensions: { code: 'too_many_streams' } },
  ]);
  const heard = () => client.messages.filter(({ type }) => type === 'next').length;
  await expect.poll(heard).toBe(streamsPerSocket);
  await append(server.deps.db, server.deps.bus, merchant.wallet, id);
  await expect.poll(heard).toBe(2 * streamsPerSocket);
  client.socket.close();
});

test('a page token’s connection limit covers sockets and event streams together, and a closed connection frees a place', async () => {
  const receiptId = await newReceipt();
  const token = await issuePageToken(server.deps.settings, { merchant: merchant.wallet, receiptId }, Date.now());
  const params = { Authorization: `Bearer ${token}` };
  const query = `subscription { receiptStatus(receiptId: "${receiptId}") { seq } }`;
  const clients = await Promise.all(Array.from({ length: LIVE_LIMITS.pageConnections - 1 }, () => proven(params)));
  const events = await openEvents(server, params, query);
  await events.next();
  const late = await bare();
  late.say({ type: 'connection_init', payload: params });
  expect(await late.closed).toBe(CLOSES.crowded.code);
  expect((await openEvents(server, params, query)).status).toBe(429);
  clients[0]?.socket.close();
  await clients[0]?.closed;
  await expect
    .poll(() =>
      proven(params).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  events.end();
  for (const { socket } of clients) socket.close();
});

const seqOf = (payload: unknown): number[] => {
  const seq = (payload as { data?: { receiptStatus?: { seq: number } } } | undefined)?.data?.receiptStatus?.seq;
  return seq === undefined ? [] : [seq];
};

/** An event stream over a bare connection. `tail` is the end of what was read. */
async function bareEvents(query: string) {
  const { hostname, port } = new URL(server.url);
  const connection = connect(Number(port), hostname).setEncoding('utf8');
  const closed = once(connection, 'close');
  let tail = '';
  connection.on('data', (text: string) => {
    tail = (tail + text).slice(-200);
  });
  connection.on('error', () => {});
  const body = JSON.stringify({ query });
  const headers = { ...merchant.auth, accept: 'text/event-stream', 'content-type': 'application/json' };
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  connection.write(`POST /api/graphql HTTP/1.1\r\n${head}\r\n${body}`);
  return { connection, closed, tail: () => tail };
}

describe('a client that stops reading', () => {
  test('is closed, a socket with its own code and a stream without complete, while others receive everything', async () => {
    const id = await newReceipt();
    const slow = await proven();
    const healthy = await proven();
    // Much text in few events.
    const fields = `seq ${Array.from({ length: 25 }, (_, i) => `cursor${i}: cursor`).join(' ')}`;
    for (const client of [slow, healthy]) {
      client.say(subscribe('1', id, fields));
      await client.hears('next', '1');
    }
    const stream = await bareEvents(`subscription { receiptStatus(receiptId: "${id}", afterSeq: 0) { ${fields} } }`);
    await expect.poll(stream.tail).toContain('cursor24');
    stream.connection.pause();
    slow.socket.pause();
    let last = 1;
    const seqs = () => healthy.messages.flatMap(({ payload }) => seqOf(payload));
    const write = async () => {
      last = await append(server.deps.db, server.deps.bus, merchant.wallet, id, 2_500);
      await expect.poll(() => seqOf(healthy.messages.at(-1)?.payload), { timeout: 60_000 }).toEqual([last]);
    };
    const closing = vi.spyOn(WebSocket.prototype, 'close');
    onTestFinished(() => closing.mockRestore());
    while (!closing.mock.calls.some(([code]) => code === CLOSES.slow.code)) await write();
    // A client that does not answer the close frame within 30 s is cut off without a code.
    slow.socket.resume();
    expect(await slow.closed).toBe(CLOSES.slow.code);
    while (last < 20_000) await write();
    expect(seqs()).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    stream.connection.resume();
    await stream.closed;
    expect(stream.tail()).not.toContain('event: complete');
    healthy.socket.close();
  }, 240_000);
});

test('an event stream ends within 5 s when its key is revoked, without saying that it is complete', async () => {
  const id = await newReceipt();
  const { key, id: keyId } = await issueKey(server.deps, {
    merchant: merchant.wallet,
    scopes: ['graphql:read', 'receipts:read'],
  });
  const events = await openEvents(
    server,
    { 'x-api-key': key },
    `subscription { receiptStatus(receiptId: "${id}") { seq } }`,
  );
  await events.next();
  const begun = performance.now();
  await revokeKey(server.deps, { id: keyId });
  expect(await events.over).toBe(false);
  expect(performance.now() - begun).toBeLessThan(busyMs(5_000));
});

test('a stopping server closes its sockets with 1001 and cuts its event streams at once', async () => {
  const own = await startTestServer();
  const someone = await own.merchant();
  const body = { id: 'x', lineItems: [{ label: 'x', priceUsd: 5 }] };
  await own.call('POST', '/api/receipts', { headers: someone.auth, body });
  const socket = new WebSocket(socketUrl(own), 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: someone.auth }));
  await once(socket, 'message');
  const events = await openEvents(own, someone.auth, 'subscription { receiptStatus(receiptId: "x") { seq } }');
  await events.next();
  const begun = performance.now();
  const [[code]] = await Promise.all([once(socket, 'close'), events.over, own.stop()]);
  expect(code).toBe(CLOSES.goingAway.code);
  expect(performance.now() - begun).toBeLessThan(busyMs(5_000));
}, 240_000);
