import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemberRole, permissionsOf, ROLE_NAMES } from '../../src/base/core/roles.ts';
import { SCOPES } from '../../src/base/core/scopes.ts';
import { nameOfWord } from '../../src/base/graphql/vocabulary.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { signingKey } from '../../src/domain/access/keys/signing.ts';
import { follow, socketClient } from '../graphql/ask.ts';
import { newMember } from '../support/members.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Headers = Record<string, string>;

let server: TestServer;
let clockMs = 0;
beforeAll(async () => {
  server = await startTestServer({ worker: true, clock: () => Date.now() + clockMs });
});
afterAll(() => server.stop());

/** The data of an operation, or the extensions of its error. */
async function run(headers: Headers, query: string, variables: object = {}) {
  const { body } = await server.call('POST', '/api/graphql', { headers, body: { query, variables } });
  return body.errors ? body.errors[0].extensions : body.data;
}

const ISSUE = 'mutation($input: IssueKeyInput!) { issueKey(input: $input) { secret key { keyId issuer } } }';
const ROTATE = 'mutation($id: ID!) { rotateKey(keyId: $id, overlapHours: 0) { secret key { keyId issuer } } }';
const CREATE = `mutation($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { secret endpoint { id issuer } } }`;
const UPDATE = `mutation($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(endpointId: $id, input: $input) { id enabled issuer } }`;
const SECRET = 'mutation($id: ID!) { rotateWebhookSecret(endpointId: $id) { secret } }';
const REMOVE = `mutation($wallet: Wallet!, $keepKeys: [ID!], $keepEndpoints: [ID!]) {
  removeMember(wallet: $wallet, keepKeys: $keepKeys, keepEndpoints: $keepEndpoints) }`;
const CHANGE = `mutation($wallet: Wallet!, $role: MemberRole!) {
  changeMemberRole(wallet: $wallet, role: $role) { role } }`;
const ISSUED = 'query($wallet: Wallet!) { issuedBy(wallet: $wallet) { keys { keyId } endpoints { id } } }';
const ENDPOINTS = '{ webhookEndpoints { id issuer url } }';
const READS = { scopes: ['receipts_read', 'graphql_read'] };
const HOOK = { url: 'https://shop.test/hooks', kinds: ['*'] };

const scene = async (role: MemberRole) => {
  const shop = await server.merchant();
  const owner = await server.signIn(shop.account);
  return { shop, owner, member: await newMember(server, shop.wallet, role) };
};
const issue = async (session: Headers, input: object = READS) => (await run(session, ISSUE, { input })).issueKey;
const create = async (session: Headers) =>
  (await run(session, CREATE, { input: HOOK })).createWebhookEndpoint.endpoint.id as string;
const use = async (key: string) =>
  (await server.call('GET', '/api/receipts', { headers: { 'x-api-key': key } })).status;
const missing = { code: 'forbidden', reason: 'role_missing' };

test.each(ROLE_NAMES)('no key or endpoint that a %s makes exceeds its role', async (role) => {
  const { owner, member } = await scene(role);
  const held = permissionsOf(role);
  const may = { receipts: held.has('receipts:read'), keys: held.has('keys'), reports: held.has('reports') };
  for (const scope of SCOPES) {
    const { issueKey: made } = await run(member.session, ISSUE, { input: { scopes: [nameOfWord(scope)] } });
    const opened =
      may.keys &&
      (/write|create|void|request/.test(scope)
        ? role === 'owner'
        : /users|graphql/.test(scope) || (may.receipts && may.reports));
    expect(made !== undefined, scope).toBe(opened);
  }
  const theirs = await issue(owner);
  const hook = await create(owner);
  for (const kind of ['*', 'receipt.*', 'receipt.paid', 'refund.completed', 'stock.short', 'payout.released']) {
    const made = await run(member.session, CREATE, { input: { ...HOOK, kinds: [kind] } });
    expect('createWebhookEndpoint' in made, kind).toBe(held.has('webhooks') && may.receipts);
  }
  const allowed = may.keys && may.receipts;
  const attempts: [string, object][] = [
    [ROTATE, { id: theirs.key.keyId }],
    [SECRET, { id: hook }],
    [UPDATE, { id: hook, input: { url: 'https://other.test/' } }],
    [UPDATE, { id: hook, input: { kinds: ['stock.short'] } }],
    [UPDATE, { id: hook, input: { enabled: true } }],
  ];
  for (const [query, variables] of attempts) {
    const answer = await run(member.session, query, variables);
    if (allowed) expect(answer.reason, query).toBeUndefined();
    else expect(answer, query).toMatchObject(missing);
  }
});

test('a session without a fresh signature makes nothing that outlives it, also by REST', async () => {
  const { owner, shop } = await scene('manager');
  const { key } = await issue(owner);
  const id = await create(owner);
  clockMs = 5 * 60_000 + 30_000;
  try {
    const attempts: [string, object][] = [
      [ISSUE, { input: READS }],
      [ISSUE, { input: { scopes: ['users_read'] } }],
      [ROTATE, { id: key.keyId }],
      [CREATE, { input: HOOK }],
      [SECRET, { id }],
      [UPDATE, { id, input: { url: 'https://thief.test/' } }],
      [UPDATE, { id, input: { kinds: ['receipt.*'] } }],
      [UPDATE, { id, input: { enabled: true } }],
    ];
    for (const [query, variables] of attempts)
      expect(await run(owner, query, variables), query).toMatchObject({ reason: 'signature_required' });
    const routes: [string, string, object][] = [
      ['POST', '/api/keys', { scopes: ['receipts:read'] }],
      ['POST', `/api/keys/${key.keyId}/rotate`, {}],
      ['POST', '/api/webhooks/endpoints', HOOK],
      ['POST', '/api/split/deploy', {}],
    ];
    for (const [method, path, body] of routes) {
      const answer = await server.call(method, path, { headers: owner, body });
      expect([path, answer.status, answer.body.reason]).toEqual([path, 403, 'signature_required']);
    }
    // What takes rights away needs none.
    expect((await run(owner, UPDATE, { id, input: { enabled: false } })).updateWebhookEndpoint.enabled).toBe(false);
    expect(await run(owner, 'mutation($id: ID!) { revokeKey(keyId: $id) { state } }', { id: key.keyId })).toEqual({
      revokeKey: { state: 'revoked' },
    });
    const fresh = await server.signIn(shop.account);
    expect((await server.call('POST', '/api/split/deploy', { headers: fresh, body: {} })).status).toBe(200);
  } finally {
    clockMs = 0;
  }
});

test('a removed member leaves no key that is accepted and no endpoint, unless the remover takes it over', async () => {
  const { shop, owner, member } = await scene('manager');
  const [ends, kept] = [await issue(member.session), await issue(member.session)];
  const [endsHook, keptHook] = [await create(member.session), await create(member.session)];
  const byOperator = (await issueKey(server.deps, { merchant: shop.wallet, scopes: ['receipts:read'] })).key;
  expect(ends.key.issuer).toBe(member.wallet);
  expect(await use(ends.secret)).toBe(200);
  const { wallet } = member;
  const listed = await run(owner, ISSUED, { wallet });
  expect(listed.issuedBy.keys).toHaveLength(2);
  expect(listed.issuedBy.endpoints).toHaveLength(2);
  const others = { wallet, keepKeys: [(await issue(owner)).key.keyId] };
  expect(await run(owner, REMOVE, others)).toMatchObject({ code: 'not_found', field: 'keepKeys' });
  expect(await use(ends.secret)).toBe(200);

  const choice = { wallet, keepKeys: [kept.key.keyId], keepEndpoints: [keptHook] };
  expect(await run(owner, REMOVE, choice)).toEqual({ removeMember: true });
  expect([await use(ends.secret), await use(kept.secret), await use(byOperator)]).toEqual([401, 200, 200]);
  expect(await signingKey(server.deps.db, server.deps.settings, ends.key.keyId)).toBe(ends.secret);
  const { webhookEndpoints } = await run(owner, ENDPOINTS);
  expect(webhookEndpoints).toEqual([{ id: keptHook, issuer: shop.wallet, url: HOOK.url }]);
  const { auditLog } = await run(owner, '{ auditLog(first: 5) { nodes { action objectId } } }');
  expect(auditLog.nodes).toEqual(
    expect.arrayContaining([
      { action: 'key_revoked', objectId: ends.key.keyId },
      { action: 'key_changed', objectId: kept.key.keyId },
      { action: 'webhook_deleted', objectId: endsHook },
      { action: 'webhook_changed', objectId: keptHook },
    ]),
  );
});

test('the streams of a removed member’s key end at once, by websocket and by server-sent events', async () => {
  const { owner, member } = await scene('manager');
  const { secret } = await issue(member.session);
  const closed = Promise.withResolvers<number>();
  const client = socketClient(server, { 'x-api-key': secret });
  client.on('closed', (event) => closed.resolve((event as { code: number }).code));
  const stream = follow(client, 'subscription { receiptStatuses { receiptId } }');
  stream.next().catch(() => undefined);
  await new Promise((resolve) => client.on('connected', resolve));
  const events = await fetch(`${server.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': secret },
    body: JSON.stringify({ query: 'subscription { receiptStatuses { receiptId } }' }),
  });
  expect(events.status).toBe(200);
  expect(await run(owner, REMOVE, { wallet: member.wallet })).toEqual({ removeMember: true });
  const removedAt = performance.now();
  expect(await closed.promise).toBe(4403);
  await events.text().catch(() => undefined);
  expect(performance.now() - removedAt).toBeLessThan(5_000);
});

test('a member with a lower role keeps only the keys that the role covers', async () => {
  const { owner, member } = await scene('manager');
  const [wide, narrow] = [await issue(member.session), await issue(member.session, { scopes: ['users_read'] })];
  await create(member.session);
  const search = async () =>
    (await server.call('GET', '/api/users/search?q=a', { headers: { 'x-api-key': narrow.secret } })).status;
  expect(await search()).toBe(200);
  await run(owner, CHANGE, { wallet: member.wallet, role: 'developer' });
  expect([await use(wide.secret), await search()]).toEqual([401, 200]);
  expect((await run(owner, ENDPOINTS)).webhookEndpoints).toEqual([]);
});

test('a member who leaves takes the own keys and endpoints along', async () => {
  const { owner, member } = await scene('manager');
  const { secret } = await issue(member.session);
  await create(member.session);
  expect(await run(member.session, 'mutation { leaveMerchant }')).toEqual({ leaveMerchant: true });
  expect(await use(secret)).toBe(401);
  expect((await run(owner, ENDPOINTS)).webhookEndpoints).toEqual([]);
});

test('a key that is issued while its issuer is removed does not stay', async () => {
  for (let round = 0; round < 5; round++) {
    const { owner, member } = await scene('manager');
    const made = await Promise.all([
      ...Array.from({ length: 4 }, () => run(member.session, ISSUE, { input: READS })),
      run(owner, REMOVE, { wallet: member.wallet }),
      ...Array.from({ length: 4 }, () => run(member.session, ISSUE, { input: READS })),
    ]);
    expect(made[4]).toEqual({ removeMember: true });
    for (const { issueKey: issued } of made) if (issued) expect(await use(issued.secret)).toBe(401);
  }
});

test('an endpoint whose address a removed member changed ends, also if an owner registered it', async () => {
  const { owner, member } = await scene('manager');
  const id = await create(owner);
  const moved = await run(member.session, UPDATE, { id, input: { url: 'https://elsewhere.test/' } });
  expect(moved.updateWebhookEndpoint.issuer).toBe(member.wallet);
  await run(owner, REMOVE, { wallet: member.wallet });
  expect((await run(owner, ENDPOINTS)).webhookEndpoints).toEqual([]);
});

test('a developer reads no receipt in the bodies of deliveries', async () => {
  const { shop, member, owner } = await scene('developer');
  await create(owner);
  const made = await server.call('POST', '/api/receipts', {
    headers: shop.auth,
    body: { id: 'seen', lineItems: [{ label: 'x', priceUsd: 5 }] },
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const bodies = async (session: Headers): Promise<string[]> =>
    (await run(session, '{ webhookDeliveries { nodes { body } } }')).webhookDeliveries.nodes.map(
      ({ body }: { body: string }) => body,
    );
  await expect.poll(() => bodies(owner)).toContainEqual(expect.stringContaining('receipt'));
  expect(new Set(await bodies(member.session))).toEqual(new Set(['']));
});
