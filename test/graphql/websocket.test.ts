import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { revokeKey } from '../../src/domain/access/keys/change-keys.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { busyMs } from '../support/busy.ts';
import { testDatabase } from '../support/database.ts';
import { newMember } from '../support/members.ts';
import { makeReceipt } from '../support/receipt.ts';
import { openRelay } from '../support/relay.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { follow, socketClient, socketUrl } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const newReceipt = (of = merchant) => makeReceipt(server, of);
const report = (receiptId: string, status: string, of = merchant) =>
  server.call('POST', '/api/receipts/status', { headers: of.auth, body: { receiptId, wallet: of.wallet, status } });

const STATUS =
  'subscription ($id: ID!, $after: Int) { receiptStatus(receiptId: $id, afterSeq: $after) { seq kind status tracking } }';
interface StatusResult {
  receiptStatus: { seq: number; kind: string; status: string; tracking: string | null };
}

/** Opens a bare socket, says `connection_init` with a payload, and answers how it ends: a message or a close code. */
async function init(
  payload: unknown,
  headers: Record<string, string> = {},
  first?: string,
  of = server,
): Promise<string | number> {
  const socket = new WebSocket(socketUrl(of), 'graphql-transport-ws', { headers });
  await once(socket, 'open');
  socket.send(first ?? JSON.stringify({ type: 'connection_init', payload }));
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      resolve(JSON.parse(String(data)).type);
      socket.close();
    });
    socket.on('close', (code) => resolve(code));
    socket.on('error', () => {});
  });
}

describe('receiptStatus', () => {
  test('without a cursor begins with the current state, then tells each change in order', async () => {
    const id = await newReceipt();
    await report(id, 'link_opened');
    const client = socketClient(server, merchant.auth);
    const stream = follow<StatusResult>(client, STATUS, { id });
    expect((await stream.next()).receiptStatus).toEqual({
      seq: 2,
      kind: 'tracking',
      status: 'pending',
      tracking: 'link_opened',
    });
    await report(id, 'buyer_logged_in');
    expect((await stream.next()).receiptStatus).toMatchObject({ seq: 3, tracking: 'buyer_logged_in' });
    await client.dispose();
  });

  test('with afterSeq resumes without a gap and without a repetition', async () => {
    const id = await newReceipt();
    for (const status of ['link_opened', 'buyer_logged_in', 'checkout_initialized']) await report(id, status);
    for (const after of [0, 1, 3]) {
      const client = socketClient(server, merchant.auth);
      const stream = follow<StatusResult>(client, STATUS, { id, after });
      for (let seq = after + 1; seq <= 4; seq++) expect((await stream.next()).receiptStatus.seq).toBe(seq);
      await client.dispose();
    }
  });

  test('two subscriptions on one socket are independent', async () => {
    const [one, two] = [await newReceipt(), await newReceipt()];
    const client = socketClient(server, merchant.auth);
    const streams = [one, two].map((id) => follow<StatusResult>(client, STATUS, { id }));
    for (const stream of streams) expect((await stream.next()).receiptStatus.seq).toBe(1);
    await report(two, 'link_opened');
    expect((await streams[1]!.next()).receiptStatus).toMatchObject({ seq: 2, tracking: 'link_opened' });
    await report(one, 'buyer_logged_in');
    expect((await streams[0]!.next()).receiptStatus).toMatchObject({ seq: 2, tracking: 'buyer_logged_in' });
    await client.dispose();
  });

  test('an unknown receipt is refused with not_found, a missing scope with forbidden', async () => {
    const client = socketClient(server, merchant.auth);
    await expect(follow(client, STATUS, { id: 'nothing' }).next()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'not_found' } }],
    });
    await client.dispose();
    const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: ['graphql:read'] });
    const unscoped = socketClient(server, { 'x-api-key': key });
    await expect(follow(unscoped, STATUS, { id: await newReceipt() }).next()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'forbidden' } }],
    });
    await unscoped.dispose();
  });
});

describe('receiptStatuses', () => {
  const STREAM = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId seq cursor } }';
  interface StreamResult {
    receiptStatuses: { receiptId: string; seq: number; cursor: string };
  }

  test('follows all receipts of the merchant, and resumes after a cursor', async () => {
    const own = await server.merchant();
    const first = await newReceipt(own);
    const client = socketClient(server, own.auth);
    const probe = follow<StatusResult>(client, STATUS, { id: first });
    await probe.next();
    const stream = follow<StreamResult>(client, STREAM);
    const heard = stream.next();
    // The stream starts once it is open. Earlier reports of the first receipt may or may not be delivered.
    await expect
      .poll(async () => {
        await newReceipt(own);
        return Promise.race([heard.then(() => true), new Promise((resolve) => setTimeout(resolve, 100, false))]);
      })
      .toBe(true);
    const { cursor } = (await heard).receiptStatuses;
    await client.dispose();
    const [a, b] = [await newReceipt(own), await newReceipt(own)];
    await report(a, 'link_opened', own);
    const later = socketClient(server, own.auth);
    const resumed = follow<StreamResult>(later, STREAM, { after: cursor });
    const events: string[] = [];
    while (events.at(-1) !== `${a}:2`) {
      const { receiptId, seq } = (await resumed.next()).receiptStatuses;
      events.push(`${receiptId}:${seq}`);
    }
    expect(events.slice(-3)).toEqual([`${a}:1`, `${b}:1`, `${a}:2`]);
    expect(new Set(events).size).toBe(events.length);
    await later.dispose();
  });

  test('delivers events that an older transaction delayed once it ends', async () => {
    const own = await server.merchant();
    const holder = server.deps.db.orm.em.fork();
    await holder.begin();
    await holder.getConnection().execute('select pg_current_xact_id()', [], 'all', holder.getTransactionContext());
    const client = socketClient(server, own.auth);
    const heard = follow<StreamResult>(client, STREAM, { after: '0.0' }).next();
    const id = await newReceipt(own);
    const early = await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 600, 'nothing'))]);
    expect(early).toBe('nothing');
    await holder.commit();
    expect((await heard).receiptStatuses).toMatchObject({ receiptId: id, seq: 1 });
    await client.dispose();
  });
});

describe('connection_init', () => {
  test('takes a key under each of its names, in any letter case', async () => {
    const { key } = merchant;
    for (const payload of [
      { 'Ocp-Apim-Subscription-Key': key },
      { 'ocp-apim-subscription-key': key },
      { 'x-api-key': key },
      { Authorization: `Bearer ${key}` },
    ])
      expect(await init(payload)).toBe('connection_ack');
    expect(await init({}, merchant.auth)).toBe('connection_ack');
  });

  test('refuses missing credentials, a wrong key and spoofed identities at once', async () => {
    for (const payload of [
      undefined,
      {},
      { 'x-api-key': 'qk_wrong' },
      { 'x-wallet': merchant.wallet },
      { wallet: merchant.wallet },
      [],
      'x',
    ])
      expect(await init(payload)).not.toBe('connection_ack');
    expect(await init({}, { 'x-wallet': merchant.wallet })).toBe(4403);
    expect(await init({})).toBe(4403);
  });

  test('does not treat a credential as wrong if it cannot be looked up', async () => {
    const relay = await openRelay(await testDatabase());
    const away = await startTestServer({ databaseUrl: relay.url });
    onTestFinished(() => away.stop());
    const { auth } = await away.merchant();
    await relay.cut();
    expect(await init({}, auth, undefined, away)).toBe(4500);
    await relay.mend();
    await expect.poll(() => init({}, auth, undefined, away)).toBe('connection_ack');
  });

  test('an anonymous subscribe without connection_init is refused, not left hanging', async () => {
    const first = JSON.stringify({
      id: '1',
      type: 'subscribe',
      payload: { query: 'subscription { receiptStatuses { seq } }' },
    });
    expect(await init(null, {}, first)).toBe(4401);
  });

  test('takes a page token for its own receipt alone', async () => {
    const [own, other] = [await newReceipt(), await newReceipt()];
    const token = await issuePageToken(server.deps.settings, { merchant: merchant.wallet, receiptId: own }, Date.now());
    const client = socketClient(server, { Authorization: `Bearer ${token}` });
    expect((await follow<StatusResult>(client, STATUS, { id: own }).next()).receiptStatus.seq).toBe(1);
    await expect(follow(client, STATUS, { id: other }).next()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'forbidden' } }],
    });
    await expect(follow(client, 'subscription { receiptStatuses { seq } }').next()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'forbidden' } }],
    });
    await client.dispose();
  });

  test('takes a cookie only from a page of ours with the CSRF token', async () => {
    const session = await server.signIn(merchant.account);
    const cookie = session.cookie as string;
    const token = { 'x-csrf-token': session['x-csrf-token'] };
    const origin = server.url;
    expect(await init(token, { cookie, origin })).toBe('connection_ack');
    const refused: [unknown, Record<string, string>][] = [
      [{}, { cookie, origin }],
      [token, { cookie }],
      [token, { cookie, origin: 'https://evil.example' }],
      [{ 'x-csrf-token': 'x' }, { cookie, origin }],
    ];
    for (const [payload, headers] of refused) expect(await init(payload, headers), JSON.stringify(headers)).toBe(4403);
  });

  test('of 50 MB is cut', async () => {
    const big = JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': 'a'.repeat(50_000_000) } });
    expect([1006, 1009]).toContain(await init(null, {}, big));
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });

  test('an invalid message closes its own socket only', async () => {
    for (const text of ['{', 'null', '[]', '{"type":"nothing"}', '{"type":"subscribe"}', '[[[[[['])
      expect(await init(null, {}, text)).toBeTypeOf('number');
    expect(await init(merchant.auth)).toBe('connection_ack');
  });
});

describe('an open socket', () => {
  test('is closed within 5 s when its key is revoked', async () => {
    const { key, id } = await issueKey(server.deps, {
      merchant: merchant.wallet,
      scopes: ['graphql:read', 'receipts:read'],
    });
    const client = socketClient(server, { 'x-api-key': key });
    const closed = new Promise<{ code: number }>((resolve) => {
      client.on('closed', (event) => resolve(event as { code: number }));
    });
    const stream = follow<StatusResult>(client, STATUS, { id: await newReceipt() });
    await stream.next();
    const ended = stream.next().catch((error: unknown) => error);
    const started = performance.now();
    await revokeKey(server.deps, { id });
    expect((await closed).code).toBe(4403);
    expect(performance.now() - started).toBeLessThan(busyMs(5_000));
    await ended;
    expect(await init({ 'x-api-key': key })).toBe(4403);
  });

  test('is closed within 5 s when its session ends', async () => {
    const session = await server.signIn(merchant.account);
    const socket = new WebSocket(socketUrl(server), 'graphql-transport-ws', {
      headers: { cookie: session.cookie as string, origin: server.url },
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-csrf-token': session['x-csrf-token'] } }));
    await once(socket, 'message');
    // The socket may be closed before the answer of the logout is here.
    const closed = once(socket, 'close');
    await server.call('POST', '/api/auth/logout', { headers: session });
    const [code] = await closed;
    expect(code).toBe(4403);
  });

  test.each([
    ['the role of its member changes', 'changeMemberRole(wallet: $wallet, role: bookkeeper) { role }'],
    ['its member is removed', 'removeMember(wallet: $wallet)'],
  ])('is closed within 5 s when %s, and the streams of other members stay', async (_, mutation) => {
    const owner = await server.signIn(merchant.account);
    const member = await newMember(server, merchant.wallet, 'manager');
    const open = (session: Record<string, string>) =>
      socketClient(
        server,
        { 'x-csrf-token': session['x-csrf-token'] as string },
        { cookie: session.cookie as string, origin: server.url },
      );
    const [theirs, ours] = [open(member.session), open(owner)];
    const closed = new Promise<{ code: number }>((resolve) => {
      theirs.on('closed', (event) => resolve(event as { code: number }));
    });
    const id = await newReceipt();
    const stream = follow<StatusResult>(theirs, STATUS, { id });
    const other = follow<StatusResult>(ours, STATUS, { id });
    await Promise.all([stream.next(), other.next()]);
    const ended = stream.next().catch((error: unknown) => error);
    const started = performance.now();
    const { body } = await server.call('POST', '/api/graphql', {
      headers: owner,
      body: { query: `mutation ($wallet: Wallet!) { ${mutation} }`, variables: { wallet: member.wallet } },
    });
    expect(body.errors).toBeUndefined();
    expect((await closed).code).toBe(4403);
    expect(performance.now() - started).toBeLessThan(busyMs(5_000));
    await ended;
    await report(id, 'link_opened');
    expect((await other.next()).receiptStatus).toMatchObject({ tracking: 'link_opened' });
    await ours.dispose();
  });

  test('runs no mutation for a key, and refuses bombs and unknown fields with a code', async () => {
    const client = socketClient(server, merchant.auth);
    const refusals: [string, string][] = [
      ['mutation { logout }', 'forbidden'],
      ['{ nope }', 'invalid_input'],
      ['{', 'invalid_input'],
      [
        `{ ${Array.from({ length: 60 }, (_, i) => `a${i}: receipts { nodes { seq } }`).join(' ')} }`,
        'query_too_complex',
      ],
      ['subscription ($n: Int!) { receiptStatus(receiptId: "x", afterSeq: $n) { seq } }', 'invalid_input'],
    ];
    for (const [query, code] of refusals)
      await expect(follow(client, query).next(), query.slice(0, 40)).rejects.toMatchObject({
        errors: [{ extensions: { code } }],
      });
    await client.dispose();
  });
});
