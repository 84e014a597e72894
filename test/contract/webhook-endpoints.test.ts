import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { revokeKey, rotateKey } from '../../src/domain/access/keys/change-keys.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { ask } from '../graphql/ask.ts';
import { isSignedWith, openEventReceiver } from '../support/event-receiver.ts';
import { newMember } from '../support/members.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
let other: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  other = await server.signIn((await server.merchant({ name: 'Other' })).account);
});
afterAll(() => server.stop());

const PATH = '/api/webhooks/endpoints';
const send = (method: string, path: string, body?: unknown, headers = session) =>
  server.call(method, path, { headers, body });

async function register(url: string, kinds: readonly string[] = ['*']) {
  const { status, body } = await send('POST', PATH, { url, kinds });
  expect(status).toBe(201);
  return body as { endpoint: { id: string }; secret: string };
}

test('an endpoint is registered, read, listed, changed and deleted, and shows its secret once', async () => {
  const { body } = await send('POST', PATH, { url: 'https://shop.test/a', kinds: ['receipt.*'], description: 'A' });
  const { id } = body.endpoint;
  expect(body).toEqual({
    ok: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    endpoint: {
      ...{ id, url: 'https://shop.test/a', description: 'A', kinds: ['receipt.*'], enabled: true },
      ...{ disabledReason: null, disabledAt: null, failingSince: null, previousSecretUntil: null },
      ...{ createdAt: expect.any(Number), updatedAt: expect.any(Number) },
    },
  });
  const read = await send('GET', `${PATH}/${id}`);
  expect(read.body).toEqual({ endpoint: body.endpoint });
  expect((await send('GET', PATH)).body.endpoints).toContainEqual(body.endpoint);
  expect(JSON.stringify([read.body, (await send('GET', PATH)).body])).not.toContain('whsec_');

  const changed = await send('PUT', `${PATH}/${id}`, { enabled: false, kinds: ['stock.short'] });
  expect(changed.body.endpoint).toMatchObject({
    ...{ url: 'https://shop.test/a', kinds: ['stock.short'], enabled: false, disabledReason: 'by_admin' },
    disabledAt: expect.any(Number),
  });
  const enabled = await send('PUT', `${PATH}/${id}`, { enabled: true });
  expect(enabled.body.endpoint).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null });
  expect((await send('DELETE', `${PATH}/${id}`)).body).toEqual({ ok: true });
  for (const method of ['GET', 'DELETE']) expect((await send(method, `${PATH}/${id}`)).status).toBe(404);
});

test('a key, whatever its scopes, changes no endpoint, and writes none over GraphQL', async () => {
  for (const [method, path] of [
    ['GET', `${PATH}/we_x`],
    ['PUT', `${PATH}/we_x`],
    ['POST', `${PATH}/we_x/rotate`],
    ['POST', `${PATH}/we_x/test`],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    const answer = await send(method, path, body, merchant.auth as unknown as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([403, refusal('forbidden', { reason: 'session_required' })]);
  }
  const { body } = await ask(server, merchant.auth, 'mutation { deleteWebhookEndpoint(endpointId: "we_x") }');
  expect(body.errors[0].extensions).toMatchObject({ code: 'forbidden' });
});

test('another merchant’s endpoint is not found, by any route', async () => {
  const { endpoint } = await register('https://shop.test/mine');
  const path = `${PATH}/${endpoint.id}`;
  for (const [method, where, body] of [
    ['GET', path, undefined],
    ['PUT', path, { enabled: false }],
    ['DELETE', path, undefined],
    ['POST', `${path}/rotate`, {}],
    ['POST', `${path}/test`, {}],
  ] as const)
    expect((await send(method, where, body, other)).status, `${method} ${where}`).toBe(404);
  expect((await send('GET', PATH, undefined, other)).body).toEqual({ endpoints: [] });
  expect((await send('GET', path)).body.endpoint).toMatchObject({ enabled: true });
  await send('DELETE', path);
});

test.each([
  [{ kinds: ['*'] }, 'url'],
  [{ url: 'ftp://shop.test', kinds: ['*'] }, 'url'],
  [{ url: 'https://user:pass@shop.test', kinds: ['*'] }, 'url'],
  [{ url: `https://shop.test/${'x'.repeat(2_048)}`, kinds: ['*'] }, 'url'],
  [{ url: 5, kinds: ['*'] }, 'url'],
  [{ url: 'https://shop.test' }, 'kinds'],
  [{ url: 'https://shop.test', kinds: [] }, 'kinds'],
  [{ url: 'https://shop.test', kinds: 'receipt.paid' }, 'kinds'],
  [{ url: 'https://shop.test', kinds: ['receipt.paid', 'receipt.unknown'] }, 'kinds[1]'],
  [{ url: 'https://shop.test', kinds: ['*.paid'] }, 'kinds[0]'],
  [{ url: 'https://shop.test', kinds: ['ping'] }, 'kinds[0]'],
  [{ url: 'https://shop.test', kinds: ['*'], description: 'x'.repeat(501) }, 'description'],
  [{ url: 'https://shop.test', kinds: ['*'], description: 'a\0b' }, 'description'],
  [{ url: 'https://shop.test', kinds: ['*'], enabled: 'yes' }, 'enabled'],
])('%o is refused, naming %s', async (body, field) => {
  const answer = await send('POST', PATH, body);
  expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ error: 'invalid_input', field })]);
});

test('a merchant has at most 20 endpoints, also when they are registered at once', async () => {
  const full = await server.merchant({ name: 'Full' });
  const headers = await server.signIn(full.account);
  const body = { url: 'https://shop.test/many', kinds: ['*'] };
  const one = async () => (await send('POST', PATH, body, headers)).status;
  for (let i = 0; i < 18; i++) expect(await one()).toBe(201);
  expect((await Promise.all([one(), one(), one(), one(), one()])).sort()).toEqual([201, 201, 400, 400, 400]);
});

test('an endpoint receives the events of its kinds since it was registered, signed with its own secret', async () => {
  const before = await makeReceipt(server, merchant);
  const [all, failures] = [await openEventReceiver(), await openEventReceiver()];
  const [first, second] = [await register(all.url, ['receipt.*']), await register(failures.url, ['receipt.failed'])];
  const id = await makeReceipt(server, merchant);
  const done = await ask(server, session, 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }', { id });
  expect(done.body.errors).toBeUndefined();

  const [created] = await all.of('receipt.created');
  const [failed] = await all.of('receipt.failed');
  expect(created!.event).toEqual({
    id: created!.headers['webhook-id'],
    type: 'receipt.created',
    createdAt: expect.any(Number),
    data: expect.objectContaining({ receiptId: id, status: 'pending', previousStatus: null, totalUsd: 5, seq: 1 }),
  });
  expect(failed!.event.data).toMatchObject({
    ...{ receiptId: id, previousStatus: 'pending', failureCode: 'PORTAL_SESSION_CANCELLED' },
    failureCategory: 'session',
  });
  expect(created!.headers).toMatchObject({ 'x-service-event': 'receipt.created', 'content-type': 'application/json' });
  expect(isSignedWith(first.secret, created!)).toBe(true);
  expect(isSignedWith(second.secret, created!)).toBe(false);

  const [same] = await failures.of('receipt.failed');
  expect(same!.body).toBe(failed!.body);
  expect(same!.headers['webhook-id']).toBe(failed!.headers['webhook-id']);
  expect(same!.headers['x-service-delivery']).not.toBe(failed!.headers['x-service-delivery']);
  expect(isSignedWith(second.secret, same!)).toBe(true);
  const LIST = `query ($id: ID!) { webhookDeliveries(endpointId: $id) {
    nodes { id receiptId seq endpointId eventId event body } } }`;
  const listed = (await ask(server, session, LIST, { id: second.endpoint.id })).body.data.webhookDeliveries.nodes;
  expect(listed).toEqual([
    {
      ...{ id: same!.headers['x-service-delivery'], eventId: same!.event.id, event: 'receipt_failed' },
      ...{ receiptId: null, seq: null, endpointId: second.endpoint.id, body: same!.body },
    },
  ]);
  const theirs = (await ask(server, other, LIST, { id: second.endpoint.id })).body.data;
  expect(theirs.webhookDeliveries.nodes).toEqual([]);
  expect(failures.types()).toEqual(['receipt.failed']);
  expect(all.received.map(({ event }) => event.data.receiptId)).not.toContain(before);
  for (const { endpoint } of [first, second]) await send('DELETE', `${PATH}/${endpoint.id}`);
});

test('during the overlap of a rotation both secrets verify, after it only the new one', async () => {
  const receiver = await openEventReceiver();
  const { endpoint, secret } = await register(receiver.url, ['receipt.created']);
  const path = `${PATH}/${endpoint.id}`;
  const rotated = (await send('POST', `${path}/rotate`, { overlapHours: 2 })).body;
  expect(rotated.endpoint.previousSecretUntil).toBeGreaterThan(Date.now() + 7_000_000);
  await makeReceipt(server, merchant);
  const [during] = await receiver.of('receipt.created');
  expect(during!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
  expect([isSignedWith(secret, during!), isSignedWith(rotated.secret, during!)]).toEqual([true, true]);

  const last = (await send('POST', `${path}/rotate`, { overlapHours: 0 })).body;
  expect(last.endpoint.previousSecretUntil).toBeNull();
  await makeReceipt(server, merchant);
  const after = (await receiver.of('receipt.created', 2))[1]!;
  expect([secret, rotated.secret, last.secret].map((one) => isSignedWith(one, after))).toEqual([false, false, true]);
  for (const overlapHours of [-1, 169, 1.5, '24'])
    expect((await send('POST', `${path}/rotate`, { overlapHours })).body).toMatchObject({ field: 'overlapHours' });
  await send('DELETE', path);
});

test('a test event is signed as every event, and the answer of the endpoint is shown', async () => {
  const receiver = await openEventReceiver(({ event }) => (event.type === 'ping' ? 410 : 204));
  const { endpoint, secret } = await register(receiver.url, ['stock.short']);
  const { body } = await send('POST', `${PATH}/${endpoint.id}/test`);
  expect(body).toMatchObject({ ok: false, statusCode: 410, error: null, body: receiver.received[0]!.body });
  expect(receiver.received[0]!.event).toMatchObject({ type: 'ping', data: { endpointId: endpoint.id } });
  expect(isSignedWith(secret, receiver.received[0]!)).toBe(true);
  await send('DELETE', `${PATH}/${endpoint.id}`);
});

test('a disabled endpoint receives nothing, and an enabled one only what happens from then on', async () => {
  const receiver = await openEventReceiver();
  const control = await openEventReceiver();
  const { endpoint } = await register(receiver.url, ['receipt.created']);
  await register(control.url, ['receipt.created']);
  await send('PUT', `${PATH}/${endpoint.id}`, { enabled: false });
  await makeReceipt(server, merchant);
  await control.of('receipt.created', 1);
  await send('PUT', `${PATH}/${endpoint.id}`, { enabled: true });
  const id = await makeReceipt(server, merchant);
  const [first] = await receiver.of('receipt.created');
  expect(first!.event.data).toMatchObject({ receiptId: id });
});

/** A key of a merchant, or of one of its members. */
async function keyOf(scopes: readonly Scope[], of = merchant, issuer: Wallet | null = null) {
  const issued = await issueKey(server.deps, { merchant: of.wallet, scopes, issuer });
  return { ...issued, headers: { 'x-api-key': issued.key } };
}
const SHOP = ['orders:create', 'receipts:read', 'webhooks:write'] as const;
const listed = async (headers: Record<string, string>): Promise<{ id: string; enabled: boolean }[]> =>
  (await send('GET', PATH, undefined, headers)).body.endpoints;

test('a key registers, lists and deletes endpoints of its own, and no others', async () => {
  const key = await keyOf(SHOP);
  const byPerson = (await register('https://shop.test/person')).endpoint.id;
  const neighbour = await keyOf(SHOP);
  const { status, body } = await send(
    'POST',
    PATH,
    { url: 'https://shop.test/key', events: ['receipt.paid'] },
    key.headers,
  );
  expect([status, body]).toMatchObject([201, { ok: true, secret: expect.stringMatching(/^whsec_/) }]);
  expect(body.endpoint.kinds).toEqual(['receipt.paid']);
  const { endpoint: usual } = (await send('POST', PATH, { url: 'https://shop.test/usual' }, key.headers)).body;
  expect(usual.kinds).toEqual(['receipt.*', 'refund.*']);
  expect((await listed(key.headers)).map(({ id }) => id)).toEqual([body.endpoint.id, usual.id]);
  expect(await listed(neighbour.headers)).toEqual([]);
  expect((await listed(session)).map(({ id }) => id)).toEqual(expect.arrayContaining([byPerson, usual.id]));
  for (const [headers, id] of [
    [key.headers, byPerson],
    [neighbour.headers, usual.id],
  ] as const) {
    expect((await send('POST', `${PATH}/delete`, { endpointId: id }, headers)).status).toBe(404);
    expect((await send('DELETE', `${PATH}/${id}`, undefined, headers)).status).toBe(404);
  }
  expect((await send('POST', `${PATH}/delete`, {}, key.headers)).body).toMatchObject({ field: 'endpointId' });
  expect((await send('POST', `${PATH}/delete`, { endpointId: usual.id }, key.headers)).body).toEqual({ ok: true });
  expect((await send('DELETE', `${PATH}/${body.endpoint.id}`, undefined, key.headers)).body).toEqual({ ok: true });
  expect(await listed(key.headers)).toEqual([]);
});

test('a key without webhooks:write has no endpoints, and none receives what the scopes of its key do not read', async () => {
  const reader = await keyOf(['receipts:read', 'graphql:read']);
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['POST', `${PATH}/delete`],
  ] as const) {
    const answer = await send(method, path, method === 'GET' ? undefined : {}, reader.headers);
    expect(answer.body).toEqual(refusal('forbidden', { reason: 'scope_missing', scope: 'webhooks:write' }));
  }
  expect((await ask(server, reader.headers, '{ webhookEndpoints { id } }')).body.errors).toBeDefined();
  const bare = await keyOf(['webhooks:write', 'receipts:read']);
  for (const [kinds, scope] of [
    [['*'], 'split:read'],
    [['payout.released'], 'split:read'],
    [['receipt.*', 'stock.short'], 'inventory:read'],
  ]) {
    const answer = await send('POST', PATH, { url: 'https://shop.test/x', kinds }, bare.headers);
    expect([answer.status, answer.body]).toEqual([403, refusal('forbidden', { reason: 'scope_missing', scope })]);
  }
  const blind = await keyOf(['webhooks:write']);
  expect((await send('POST', PATH, { url: 'https://shop.test/x' }, blind.headers)).status).toBe(403);
  expect([...(await listed(bare.headers)), ...(await listed(blind.headers))]).toEqual([]);
});

test('an endpoint belongs to its key after a rotation, and ends with the last one, until a person takes it over', async () => {
  const shop = await server.merchant({ name: 'Rotating' });
  const owner = await server.signIn(shop.account);
  const receiver = await openEventReceiver();
  const first = await keyOf(SHOP, shop);
  const { endpoint } = (await send('POST', PATH, { url: receiver.url }, first.headers)).body;
  const next = await rotateKey(server.deps, { id: first.id });
  const last = await rotateKey(server.deps, { id: next.id });
  const headers = { 'x-api-key': last.key };
  expect((await listed(headers)).map(({ id }) => id)).toEqual([endpoint.id]);
  await makeReceipt(server, shop);
  await receiver.of('receipt.created');
  await revokeKey(server.deps, { id: last.id });
  const watched = await openEventReceiver();
  await send('POST', PATH, { url: watched.url, kinds: ['*'] }, owner);
  await makeReceipt(server, shop);
  await watched.of('receipt.created');
  const ended = async () => (await listed(owner)).find(({ id }) => id === endpoint.id);
  await expect.poll(ended).toMatchObject({ enabled: false, disabledReason: 'key_ended' });
  expect(receiver.received).toHaveLength(1);
  await send('PUT', `${PATH}/${endpoint.id}`, { enabled: true }, owner);
  await makeReceipt(server, shop);
  await receiver.of('receipt.created', 2);
  expect(await ended()).toMatchObject({ enabled: true });
});

test('an endpoint of a key has no more rights than the member who issued it: it ends when that member leaves', async () => {
  const shop = await server.merchant({ name: 'Leaving' });
  const owner = await server.signIn(shop.account);
  const member = await newMember(server, shop.wallet, 'owner');
  const key = await keyOf(SHOP, shop, member.wallet);
  expect((await send('POST', PATH, { url: 'https://shop.test/left' }, key.headers)).status).toBe(201);
  const remove = 'mutation ($wallet: Wallet!) { removeMember(wallet: $wallet) }';
  expect((await ask(server, owner, remove, { wallet: member.wallet })).body.errors).toBeUndefined();
  expect((await send('GET', PATH, undefined, key.headers)).status).toBe(401);
  expect(await listed(owner)).toEqual([]);
});
