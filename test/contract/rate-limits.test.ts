import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { rateOfRow } from '../../src/doors/rest/rate.ts';
import { routes } from '../../src/doors/rest/routes.ts';
import { follow, socketClient } from '../graphql/ask.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
let now = Date.now();
beforeAll(async () => {
  const limits = { inventoryWrites: 2, inventoryDeletes: 1, orders: 3, reads: 4, split: 1, others: 50 };
  server = await startTestServer({ env: { RATE_LIMITS: JSON.stringify(limits) }, clock: () => now });
});
afterAll(() => server.stop());

const ping = (headers: Record<string, string>) => server.call('GET', '/api/status/ping', { headers });

describe('rate limits', () => {
  // Contract: routes.rate-headers, limits.headers
  test('every response has limit, remaining and reset (epoch seconds)', async () => {
    const { auth } = await server.merchant();
    for (const left of [3, 2, 1, 0]) {
      const { status, headers } = await ping(auth);
      expect(status).toBe(200);
      expect(headers.get('x-ratelimit-limit')).toBe('4');
      expect(headers.get('x-ratelimit-remaining')).toBe(String(left));
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset).toBe(Math.ceil((now + 60_000) / 1000));
    }
  });

  // Contract: errors.rate-limited, limits.rate
  test('a request over the limit is 429 rate_limited with resetAt in ms and Retry-After, and succeeds after that time', async () => {
    const { auth } = await server.merchant();
    for (let i = 0; i < 4; i++) await ping(auth);
    const answer = await ping(auth);
    expect(answer.status).toBe(429);
    expect(answer.body).toStrictEqual(refusal('rate_limited', { resetAt: now + 60_000 }));
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(answer.headers.get('x-correlation-id')).toMatch(/./);
    now += 59_999;
    expect((await ping(auth)).status).toBe(429);
    now += 1;
    expect((await ping(auth)).status).toBe(200);
  });

  // Contract: limits.rate
  test('the merchant’s keys share one window; another merchant has its own', async () => {
    const [one, two] = [await server.merchant(), await server.merchant()];
    const second = await issueKey(server.deps, { merchant: one.wallet, scopes: ['users:read'] });
    for (const headers of [one.auth, { 'x-api-key': second.key }, one.auth, { 'x-api-key': second.key }])
      expect((await ping(headers as Record<string, string>)).status).toBe(200);
    for (const headers of [one.auth, { 'x-api-key': second.key }] as Record<string, string>[])
      expect((await ping(headers)).status).toBe(429);
    expect((await ping(two.auth)).status).toBe(200);
  });

  // Contract: limits.rate
  test('the sessions of a wallet share one window, and neither they nor other members use up that of the shop’s keys', async () => {
    const shop = await server.merchant();
    const member = newAccount();
    const [first, second] = [await server.signIn(shop.account), await server.signIn(shop.account)];
    const asked = { query: 'mutation { inviteMember(role: manager) { token } }' };
    const { body } = await server.call('POST', '/api/graphql', { headers: first, body: asked });
    const accept = { query: `mutation { acceptInvitation(token: "${body.data.inviteMember.token}") { merchant } }` };
    await server.call('POST', '/api/graphql', { headers: await server.signIn(member), body: accept });
    const colleague = await server.signIn(member);
    const statuses = async (headers: Record<string, string>, times: number) => {
      const found: number[] = [];
      for (let i = 0; i < times; i++) found.push((await ping(headers)).status);
      return found;
    };
    expect([...(await statuses(first, 2)), ...(await statuses(second, 3))]).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(colleague, 5)).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(shop.auth, 5)).toEqual([200, 200, 200, 200, 429]);
  });

  test('categories are counted separately', async () => {
    const { auth } = await server.merchant();
    const spend = async (method: string, path: string, allowed: number) => {
      for (let i = 0; i < allowed; i++)
        expect(
          (await server.call(method, path, { headers: auth, body: method === 'POST' ? {} : undefined })).status,
        ).toBe(400);
      const last = await server.call(method, path, { headers: auth, body: method === 'POST' ? {} : undefined });
      expect([last.status, last.body.error], path).toEqual([429, 'rate_limited']);
    };
    await spend('POST', '/api/inventory', 2);
    await spend('DELETE', '/api/inventory', 1);
    await spend('POST', '/api/orders', 3);
    expect((await ping(auth)).status).toBe(200);
  });

  test('a missing scope is 403 before the rate is counted, and the rate 429 before the body is validated', async () => {
    const { auth } = await server.merchant({ scopes: ['orders:create'] });
    for (let i = 0; i < 6; i++) expect((await server.call('GET', '/api/receipts', { headers: auth })).status).toBe(403);
    for (let i = 0; i < 3; i++) await server.call('POST', '/api/orders', { headers: auth, raw: '{' });
    expect((await server.call('POST', '/api/orders', { headers: auth, raw: '{' })).status).toBe(429);
  });

  test('split counts configuration writes', async () => {
    const merchant = await server.merchant({ split: false });
    const session = await server.signIn(merchant.account);
    const deploy = () => server.call('POST', '/api/split/deploy', { headers: session, body: {} });
    expect((await deploy()).status).toBe(200);
    expect((await deploy()).status).toBe(429);
    expect((await server.call('GET', '/api/split/deploy', { headers: merchant.auth })).status).toBe(200);
  });

  // Contract: limits.rate, errors.rate-limited, orders.refused, receipts.create-refused, refund.refused
  // Contract: terminal.refused, users.limited
  test('every route is 429 with resetAt once its category is used up', async () => {
    const merchant = await server.merchant();
    const session = await server.signIn(merchant.account);
    const headersFor = {
      public: {},
      key: merchant.auth,
      scope: merchant.auth,
      subscribing: merchant.auth,
      admin: session,
      till: session,
      session,
    };
    const rows = routes.flatMap((row) => {
      const { method, path, access } = row;
      if (access.kind === 'scheduler') return [];
      const rate = rateOfRow(schema, row);
      const headers = headersFor[access.kind];
      const who = access.kind === 'public' ? 'anyone' : headers === session ? 'session' : 'keys';
      return [{ method, path, rate, who, endsSession: path === '/api/auth/logout', headers }];
    });
    const ask = ({ method, path, headers }: (typeof rows)[number]) =>
      server.call(method, path.replace(/:\w+/, 'x'), {
        headers: headers as Record<string, string>,
        body: method === 'GET' ? undefined : {},
      });
    const spent = new Set<string>();
    for (const row of rows) {
      const window = `${row.rate} ${row.who}`;
      // Of the rows that count together one that changes nothing, or as little as can be, does the counting.
      const together = rows.filter(({ rate, who }) => rate === row.rate && who === row.who);
      const first =
        together.find(({ method }) => method === 'GET') ?? together.find(({ endsSession }) => !endsSession) ?? row;
      if (!spent.has(window)) for (let i = 0; i < 50 && (await ask(first)).status !== 429; i++);
      spent.add(window);
      const answer = await ask(row);
      expect([row.path, answer.status, answer.body]).toEqual([
        row.path,
        429,
        refusal('rate_limited', { resetAt: now + 60_000 }),
      ]);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    }
  });

  test('GraphQL counts by cost, and refuses with the same code, resetAt and Retry-After', async () => {
    const { auth } = await server.merchant();
    const ask = () =>
      server.call('POST', '/api/graphql', {
        headers: auth,
        body: { query: '{ receipts(first: 200) { nodes { receiptId totalUsd } } }' },
      });
    const first = await ask();
    expect(first.status).toBe(200);
    expect(Number(first.headers.get('x-ratelimit-remaining'))).toBeLessThan(3);
    const answer = await ask();
    expect(answer.status).toBe(429);
    expect(answer.body.errors[0].extensions).toMatchObject({ code: 'rate_limited', resetAt: answer.body.resetAt });
    expect(answer.headers.get('retry-after')).toBe('60');
  });

  test('each mutation field counts in the category of its REST route, whatever its alias', async () => {
    now += 60_000;
    const merchant = await server.merchant();
    const session = await server.signIn(merchant.account);
    const mutate = (count: number) =>
      server.call('POST', '/api/graphql', {
        headers: session,
        body: {
          query: `mutation { ${Array.from({ length: count }, (_, i) => `a${i}: deleteInventoryItem(id: "none")`).join(' ')} }`,
        },
      });
    // One delete a minute is allowed here: two never fit.
    expect((await mutate(2)).body.errors[0].extensions.code).toBe('rate_limited');
    expect((await mutate(1)).body.errors[0].extensions.code).toBe('not_found');
    expect((await mutate(1)).body.errors[0].extensions.code).toBe('rate_limited');
    const rest = await server.call('DELETE', '/api/inventory?id=none', { headers: session });
    expect(rest.status).toBe(429);
    expect((await mutate(11)).body.errors[0].extensions.code).toBe('query_too_complex');
  });

  test('each login challenge of a document counts against its address', async () => {
    const wallet = `0x${'1'.repeat(40)}`;
    const query = `mutation { ${Array.from({ length: 10 }, (_, i) => `a${i}: loginChallenge(wallet: "${wallet}") { nonce }`).join(' ')} }`;
    const quiet = await startTestServer({ env: { RATE_LIMITS: '{"others":50}' } });
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push((await quiet.call('POST', '/api/graphql', { body: { query } })).status);
    await quiet.stop();
    expect(answers.filter((status) => status === 200)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(7);
  });

  test('the same heavy query is refused as the first and as the second operation of its document', async () => {
    const { auth } = await server.merchant();
    const heavy = `query heavy { ${Array.from({ length: 12 }, (_, i) => `r${i}: receipts(first: 200) { nodes { history { seq kind status at } } }`).join(' ')} }`;
    const send = (query: string) =>
      server.call('POST', '/api/graphql', { headers: auth, body: { query, operationName: 'heavy' } });
    const answers = [await send(heavy), await send(`query cheap { __typename } ${heavy}`)];
    expect(answers.map(({ body }) => body.errors[0].extensions.code)).toEqual([
      'query_too_complex',
      'query_too_complex',
    ]);
    expect(answers[0]?.body.errors[0].message).toBe(answers[1]?.body.errors[0].message);
  });

  test('operations over a socket count like any others', async () => {
    const { auth } = await server.merchant();
    const client = socketClient(server, auth);
    const read = () => follow<object>(client, '{ receipts(first: 200) { nodes { receiptId totalUsd } } }').next();
    expect(await read()).toEqual({ receipts: { nodes: [] } });
    await expect(read()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'rate_limited', resetAt: expect.any(Number) } }],
    });
    await client.dispose();
  });

  test('an unlimited key is not counted', async () => {
    const { wallet } = await server.merchant();
    const { key } = await issueKey(server.deps, { merchant: wallet, scopes: ['users:read'], unlimited: true });
    for (let i = 0; i < 8; i++) {
      const answer = await ping({ 'x-api-key': key });
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
  });

  test('a browser over the limit gets an HTML page with the status and headers of the refusal', async () => {
    const visit = () => server.call('GET', '/portal/R-nothing', { headers: { accept: 'text/html' } });
    let answer = await visit();
    for (let i = 0; i < 50 && answer.status === 404; i++) answer = await visit();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    // It comes by itself once it may.
    expect(answer.headers.get('refresh')).toBe('60');
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.body).toContain('There were too many requests from your address.');
  });

  test('people behind one address use up their own limit when they open pages of the console, not each other’s', async () => {
    now += 60_000;
    const [one, two] = [await server.merchant(), await server.merchant()];
    const [mine, theirs] = [await server.signIn(one.account), await server.signIn(two.account)];
    const open = async (headers: Record<string, string>) =>
      (await server.call('GET', '/console/receipts', { headers: { ...headers, accept: 'text/html' } })).status;
    expect([await open(mine), await open(mine), await open(mine), await open(mine)]).toEqual([200, 200, 200, 200]);
    expect(await open(mine)).toBe(429);
    expect(await open(theirs)).toBe(200);
    // A client that is not signed in counts by address.
    expect(await open({})).toBe(200);
  });
});
