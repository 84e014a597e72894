import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { printedSchema } from '../../src/doors/http/server/schema.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

describe.each(['on', 'off'])('the audits of GraphQL over HTTP, with the fast path %s', (fastPath) => {
  let audited: TestServer;
  let developer: TestMerchant;
  beforeAll(async () => {
    audited = await startTestServer({ env: { GRAPHQL_FAST_PATH: fastPath } });
    developer = await audited.merchant();
  });
  afterAll(() => audited.stop());

  const audits = serverAudits({
    url: () => `${audited.url}/api/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...developer.auth } }),
  });

  test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
    const result = await audit.fn();
    expect(result.status, result.status === 'ok' ? '' : result.reason).toBe('ok');
  });
});

describe('GraphQL over HTTP', () => {
  // Contract: graphql.methods
  test('GET works for queries, and refuses mutations with 405', async () => {
    const get = (query: string, headers: Record<string, string>) =>
      server.call('GET', `/api/graphql?query=${encodeURIComponent(query)}`, { headers });
    const read = await get('{ receipts { nodes { receiptId } } }', merchant.auth);
    expect([read.status, read.body]).toEqual([200, { data: { receipts: { nodes: [] } } }]);
    const session = await server.signIn(merchant.account);
    const write = await get('mutation { deleteInventoryItem(id: "x") }', session);
    expect([write.status, write.body.error, codeOf(write)]).toEqual([405, 'method_not_allowed', 'method_not_allowed']);
    expect(write.headers.get('allow')).toBe('POST');
  });

  // Contract: errors.form
  test('GET refuses with the status and the code of the contract, in both forms of an error', async () => {
    const path = `/api/graphql?query=${encodeURIComponent('{ receipts { nodes { receiptId } } }')}`;
    const anonymous = await server.call('GET', path);
    expect([anonymous.status, anonymous.body.error, codeOf(anonymous)]).toEqual([401, 'unauthorized', 'unauthorized']);
    const { auth } = await server.merchant({ scopes: ['receipts:read'] });
    const unscoped = await server.call('GET', path, { headers: auth });
    expect([unscoped.status, unscoped.body.error, codeOf(unscoped)]).toEqual([403, 'forbidden', 'forbidden']);
  });

  test('a request without a query is refused with what to send, after authentication', async () => {
    const { auth } = await server.merchant({ scopes: ['receipts:read'] });
    const ways = [
      ['POST', '', {}],
      ['POST', '', { query: 5 }],
      ['POST', '', { query: '{ __typename }', variables: 'x' }],
      ['GET', '', undefined],
      ['GET', '?query={__typename}&variables=x', undefined],
    ] as const;
    for (const [method, query, body] of ways) {
      const send = (headers: Record<string, string>) => server.call(method, `/api/graphql${query}`, { headers, body });
      const asked = await send(merchant.auth);
      expect([asked.status, asked.body.error, codeOf(asked)]).toEqual([400, 'invalid_input', 'invalid_input']);
      expect(asked.body.message).toContain('query');
      expect((await send(auth)).status).toBe(403);
      expect((await send({})).status).toBe(401);
    }
  });

  test('a foreign origin is not reflected', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await server.call(method, '/api/graphql?query={__typename}', {
        headers: { ...merchant.auth, origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        body: method === 'POST' ? { query: '{ __typename }' } : undefined,
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('forms and other content types run nothing', async () => {
    const session = await server.signIn(merchant.account);
    const query = 'mutation { updateShopConfig(input: { bio: "form" }) { bio } }';
    const forms: [string, string][] = [
      ['application/x-www-form-urlencoded', `query=${encodeURIComponent(query)}`],
      [
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query })}\r\n--b--`,
      ],
      ['application/graphql', query],
      ['text/plain', JSON.stringify({ query })],
    ];
    for (const [type, raw] of forms) {
      const answer = await server.call('POST', '/api/graphql', { headers: { ...session, 'content-type': type }, raw });
      expect([answer.status, answer.body.error], type).toEqual([415, 'unsupported_media_type']);
    }
    const shop = await ask(server, merchant.auth, '{ shopConfig { bio } }');
    expect(shop.body.data.shopConfig.bio).toBeNull();
  });

  test('a session’s mutation needs the CSRF token and a page of ours', async () => {
    const session = await server.signIn(merchant.account);
    const query = 'mutation { updateShopConfig(input: { bio: "csrf" }) { bio } }';
    const refused: Record<string, string>[] = [
      { cookie: session.cookie as string },
      { ...session, origin: 'https://evil.example' },
      { ...session, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of refused) expect(codeOf(await ask(server, headers, query))).toBe('forbidden');
    expect((await ask(server, merchant.auth, '{ shopConfig { bio } }')).body.data.shopConfig.bio).toBeNull();
    expect((await ask(server, session, query)).body.data.updateShopConfig.bio).toBe('csrf');
  });

  test('batches are refused', async () => {
    const answer = await server.call('POST', '/api/graphql', {
      headers: merchant.auth,
      body: [{ query: '{ __typename }' }],
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input']);
  });

  test('a caller without credentials gets 401 with both forms of the error, and every response has a correlation id', async () => {
    const answer = await ask(server, {}, '{ receipts { nodes { receiptId } } }');
    expect(answer.status).toBe(401);
    expect(answer.body).toStrictEqual({
      error: 'unauthorized',
      message: 'Missing or invalid subscription key',
      errors: [
        {
          message: 'Missing or invalid subscription key',
          extensions: {
            code: 'unauthorized',
            http: { status: 401 },
            correlationId: answer.headers.get('x-correlation-id'),
            docs: `${server.url}/docs/errors#unauthorized`,
          },
        },
      ],
    });
    expect(answer.headers.get('x-correlation-id')).toMatch(/./);
  });

  // Contract: auth.expired
  test('an ended session is reported as such and does not prevent public operations', async () => {
    const session = await server.signIn(merchant.account);
    await server.call('POST', '/api/auth/logout', { headers: session });
    const extensions = { code: 'unauthorized', reason: 'session_ended', action: 'Sign in again' };
    const ended = { message: 'JWT authentication failed', extensions };
    const asked = await ask(server, session, '{ receipts { nodes { receiptId } } }');
    expect([asked.status, asked.body.errors]).toMatchObject([401, [ended]]);
    const written = await ask(server, session, 'mutation { logout }');
    expect([written.status, written.body.errors]).toMatchObject([401, [ended]]);
    expect((await ask(server, session, '{ siteConfig { brandKey } }')).status).toBe(200);
    const both = await ask(server, { ...session, ...merchant.auth }, '{ shopConfig { bio } }');
    expect(both.body.errors).toBeUndefined();
  });
});

const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: 's'.repeat(32),
  KEY_ENCRYPTION_KEY: 's'.repeat(32),
  CRON_SECRET: 's'.repeat(32),
};

describe('the schema as text', () => {
  const path = '/api/schema.graphql';

  test('is open in development, and answers 304 to a client that has it', async () => {
    const first = await server.call('GET', path);
    expect([first.status, first.headers.get('content-type'), first.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      printedSchema(),
    ]);
    const etag = first.headers.get('etag') as string;
    const again = await server.call('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('is refused to the keys that may not introspect', async () => {
    const { auth } = await server.merchant({ scopes: ['receipts:read'] });
    const unscoped = await server.call('GET', path, { headers: auth });
    expect([unscoped.status, unscoped.body.reason, unscoped.body.scope]).toEqual([
      403,
      'scope_missing',
      'graphql:read',
    ]);
    const scopes = ['graphql:read'];
    const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes, trustedOnly: true });
    const limited = await server.call('GET', path, { headers: { 'x-api-key': key } });
    expect([limited.status, limited.body.reason]).toEqual([403, 'trusted_document_required']);
    const unknown = await server.call('GET', path, { headers: { 'x-api-key': `qk_${'x'.repeat(43)}` } });
    expect(unknown.status).toBe(401);
  });
});

describe('GraphiQL with GRAPHIQL=admins', () => {
  test('opens in production for signed-in admins only, under a policy', async () => {
    const production = await startTestServer({ env: { ...PRODUCTION, GRAPHIQL: 'admins' } });
    try {
      const open = (headers: Record<string, string>) =>
        fetch(`${production.url}/api/graphql`, { headers: { ...headers, accept: 'text/html,*/*;q=0.8' } });
      const { account, auth } = await production.merchant();
      for (const [headers, reason] of [
        [{}, 'session_required'],
        [auth, 'session_required'],
        [await production.signIn(newAccount()), 'role_missing'],
      ] as const) {
        const refused = await open(headers);
        expect([refused.status, (await refused.json()).reason]).toEqual([403, reason]);
      }
      const session = await production.signIn(account);
      const page = await open({ cookie: session.cookie as string });
      const text = await page.text();
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = page.headers.get('content-security-policy') as string;
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
      expect(policy).toContain("default-src 'none'");
      expect(text.match(/<script[^>]*>/)?.[0]).toBe(`<script nonce="${nonce}">`);
      expect(text).toContain(session['x-csrf-token']);
    } finally {
      await production.stop();
    }
  });
});

describe('introspection', () => {
  const query = '{ __schema { queryType { name } } }';

  test('is open in development, where a browser finds a page to ask from', async () => {
    expect((await ask(server, {}, query)).status).toBe(200);
    // A page is no answer of the API, so its document says nothing of it.
    const page = await fetch(`${server.url}/api/graphql`, { headers: { accept: 'text/html, */*;q=0.8' } });
    expect([page.status, (await page.text()).includes('GraphiQL')]).toEqual([200, true]);
    const program = await server.call('GET', '/api/graphql', { headers: { accept: 'text/plain, */*;q=0.8' } });
    expect([program.status, program.body.error]).toEqual([401, 'unauthorized']);
  });

  test('a text that asks for nothing opens nothing', async () => {
    for (const nothing of ['{ __typename }', '{ a: __typename ...F } fragment F on Query { __typename }']) {
      const answer = await ask(server, {}, nothing);
      expect([answer.status, codeOf(answer)], nothing).toEqual([401, 'unauthorized']);
      const got = await server.call('GET', `/api/graphql?query=${encodeURIComponent(nothing)}`);
      expect([got.status, codeOf(got)], nothing).toEqual([401, 'unauthorized']);
    }
    expect((await ask(server, {}, '{ __typename siteConfig { brandKey } }')).status).toBe(200);
  });

  test('in production needs a proof, as does the schema as text, and there is no GraphiQL', async () => {
    const production = await startTestServer({ env: PRODUCTION });
    try {
      const { auth } = await production.merchant();
      expect((await ask(production, {}, query)).status).toBe(401);
      const misspelt = await ask(production, {}, '{ receipt }');
      expect([misspelt.status, JSON.stringify(misspelt.body).includes('Did you mean')]).toEqual([401, false]);
      expect((await ask(production, auth, query)).body.data.__schema.queryType.name).toBe('Query');
      expect((await production.call('GET', '/api/schema.graphql')).status).toBe(401);
      expect((await production.call('GET', '/api/schema.graphql', { headers: auth })).body).toBe(printedSchema());
      const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
      const opened = await production.call('GET', '/api/graphql', { headers: browser });
      expect([opened.status, opened.body.error, codeOf(opened)]).toEqual([401, 'unauthorized', 'unauthorized']);
      const page = await production.call('GET', '/api/graphql', { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type'), page.body]).toMatchObject([
        406,
        'application/json; charset=utf-8',
        { error: 'not_acceptable' },
      ]);
    } finally {
      await production.stop();
    }
  });
});
