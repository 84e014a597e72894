import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROLE_NAMES } from '../../src/base/core/roles.ts';
import { KEPT_MS, LIST_MAX } from '../../src/base/platform/recent-lists.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { newMember } from '../support/members.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

type Headers = Record<string, string>;

const FIELDS = 'id at operation status code field correlationId keyId keyLabel';
const LIST = `{ failedRequests { ${FIELDS} } }`;

describe.each([
  ['in Redis', true],
  ['in the process', false],
])('the list of failed requests %s', (_where, redis) => {
  let server: TestServer;
  let merchant: TestMerchant;
  let owner: Headers;
  let clockMs = 0;
  beforeAll(async () => {
    server = await startTestServer({ redis, clock: () => Date.now() + clockMs });
    merchant = await server.merchant();
    owner = await server.signIn(merchant.account);
  });
  afterAll(() => server.stop());

  const listOf = async (headers: Headers) => (await ask(server, headers, LIST)).body.data.failedRequests;
  const shop = async () => {
    const other = await server.merchant();
    return { ...other, session: await server.signIn(other.account) };
  };

  test('has what failed and who sent it, the newest first, and nothing of the content', async () => {
    const { wallet, session, auth } = await shop();
    const { id: keyId, key } = await issueKey(server.deps, {
      merchant: wallet,
      scopes: ['graphql:read'],
      label: 'till',
    });
    const before = Date.now();
    const refused = await server.call('POST', '/api/orders?note=secret-query', {
      headers: { ...auth, 'x-correlation-id': 'the-order' },
      body: { items: [{ sku: 'secret-sku', qty: 'secret-qty' }] },
    });
    expect(refused.status).toBe(400);
    await expect.poll(() => listOf(session)).toHaveLength(1);
    const denied = await ask(server, { 'x-api-key': key }, 'query Mine { mine: keys { totalCount } }');
    expect(codeOf(denied)).toBe('forbidden');
    await expect.poll(() => listOf(session)).toHaveLength(2);
    await server.call('GET', '/api/receipts/status?receiptId=secret-id', { headers: auth });
    await expect.poll(() => listOf(session)).toHaveLength(3);
    await ask(server, session, 'mutation { revokeKey(keyId: "secret-key") { keyId } }');
    await expect.poll(() => listOf(session)).toHaveLength(4);
    const list = await listOf(session);
    expect(list).toMatchObject([
      { operation: 'mutation revokeKey', status: 404, code: 'not_found', keyId: null, keyLabel: null },
      { operation: 'GET /api/receipts/status', status: 404, code: 'not_found' },
      { operation: 'query keys', status: 403, code: 'forbidden', keyId, keyLabel: 'till' },
      { operation: 'POST /api/orders', status: 400, correlationId: 'the-order', keyId: expect.any(String) },
    ]);
    expect(list[3]).toMatchObject({ code: refused.body.error, field: refused.body.field });
    expect(list[3].at).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(list)).not.toMatch(/secret/);
    expect(JSON.stringify(list)).not.toContain(key);
  });

  test('has bodies and documents that do not parse, and refused operations', async () => {
    const { session, auth } = await shop();
    const headers = { ...auth, 'content-type': 'application/json' };
    await fetch(`${server.url}/api/orders`, { method: 'POST', headers, body: '{' });
    await expect.poll(() => listOf(session)).toMatchObject([{ operation: 'POST /api/orders', code: 'invalid_input' }]);
    await ask(server, session, '{ nothing }');
    await expect.poll(() => listOf(session)).toMatchObject([{ operation: 'GraphQL', status: 400 }, {}]);
    await ask(server, auth, 'mutation { revokeKey(keyId: "x") { keyId } }');
    await expect
      .poll(() => listOf(session))
      .toMatchObject([{ operation: 'mutation revokeKey', status: 403, keyId: expect.any(String) }, {}, {}]);
  });

  test('has no requests of another merchant, and none without a valid key', async () => {
    const [one, other] = [await shop(), await shop()];
    await server.call('GET', '/api/receipts/status?receiptId=x', { headers: one.auth });
    await server.call('GET', '/api/receipts', { headers: { 'x-api-key': 'qk_wrong' } });
    await expect.poll(() => listOf(one.session)).toHaveLength(1);
    expect(await listOf(other.session)).toEqual([]);
  });

  test('is not touched by a request that succeeds', async () => {
    const { session, auth } = await shop();
    const add = vi.spyOn(server.deps.recentLists, 'add');
    expect((await server.call('GET', '/api/receipts', { headers: auth })).status).toBe(200);
    expect((await ask(server, session, '{ keys { totalCount } }')).body.errors).toBeUndefined();
    // A failure afterwards is the first call.
    await server.call('GET', '/api/receipts/status?receiptId=x', { headers: auth });
    await expect.poll(() => listOf(session)).toHaveLength(1);
    expect(add).toHaveBeenCalledOnce();
    add.mockRestore();
  });

  test(`keeps ${LIST_MAX} requests, and none that is older than a week`, async () => {
    const { session, auth } = await shop();
    const fail = () => server.call('GET', '/api/receipts/status?receiptId=x', { headers: auth });
    await Promise.all(Array.from({ length: LIST_MAX + 5 }, fail));
    await expect.poll(() => listOf(session)).toHaveLength(LIST_MAX);
    const fresh = await server.merchant();
    const headers = await server.signIn(fresh.account);
    await server.call('GET', '/api/receipts/status?receiptId=x', { headers: fresh.auth });
    await expect.poll(() => listOf(headers)).toHaveLength(1);
    clockMs = KEPT_MS + 1_000;
    // The session has ended by then.
    const later = await server.signIn(fresh.account);
    expect(await listOf(later)).toEqual([]);
    clockMs = 0;
  });

  test('is read by roles with the permission keys only', async () => {
    for (const role of ROLE_NAMES) {
      const member = role === 'owner' ? owner : (await newMember(server, merchant.wallet, role)).session;
      const answer = await ask(server, member, LIST);
      const mayRead = ['owner', 'manager', 'developer'].includes(role);
      expect(codeOf(answer), role).toBe(mayRead ? null : 'forbidden');
      if (!mayRead)
        expect(answer.body.errors[0].extensions).toMatchObject({ reason: 'role_missing', permission: 'keys' });
    }
    expect(codeOf(await ask(server, merchant.auth, LIST))).toBe('forbidden');
    expect(codeOf(await ask(server, {}, LIST))).toBe('unauthorized');
  });
});
