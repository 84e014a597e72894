import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ErrorCode, errorCatalogue } from '../../src/base/core/errors.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, follow, socketClient } from './ask.ts';

let servers: TestServer[];
let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  servers = await Promise.all(
    ['on', 'off'].map((fastPath) => startTestServer({ env: { GRAPHQL_FAST_PATH: fastPath } })),
  );
  server = servers[0] as TestServer;
  merchant = await server.merchant();
});
afterAll(() => Promise.all(servers.map((each) => each.stop())));

const UNKNOWN = 'query R($id: ID!) { receipt(receiptId: $id) { receiptId } }';

/** What a refused stream throws. */
interface Fault {
  readonly errors: readonly { readonly extensions: object }[];
}

const extensions = ({ url }: TestServer, code: ErrorCode, more: Record<string, unknown> = {}) => ({
  ...more,
  code,
  http: { status: errorCatalogue[code][0] },
  correlationId: expect.stringMatching(/./),
  docs: `${url}/docs/errors#${code}`,
});

test('an error over HTTP names code, status, correlation id and documentation, with and without the fast path', async () => {
  for (const one of servers) {
    const { auth } = await one.merchant();
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const headers = { ...auth, accept, 'x-correlation-id': 'mine' };
      const unknown = await ask(one, headers, UNKNOWN, { id: 'R-unknown' });
      expect([unknown.status, unknown.body.errors[0].extensions]).toEqual([
        200,
        { ...extensions(one, 'not_found'), correlationId: 'mine' },
      ]);
      const broken = await ask(one, headers, '{ nothing }');
      expect([broken.status, broken.body.errors[0].extensions]).toEqual([
        accept === 'application/json' ? 200 : 400,
        { ...extensions(one, 'invalid_input'), correlationId: 'mine' },
      ]);
    }
    const streamed = await one.call('POST', '/api/graphql', {
      headers: { ...auth, accept: 'text/event-stream' },
      body: { query: UNKNOWN, variables: { id: 'R-unknown' } },
    });
    expect(JSON.stringify(streamed.body)).toContain('docs/errors#not_found');
    const refused = await ask(one, {}, '{ receipts { nodes { receiptId } } }');
    expect(refused.body).toEqual({
      error: 'unauthorized',
      message: errorCatalogue.unauthorized[1],
      errors: [{ message: errorCatalogue.unauthorized[1], extensions: extensions(one, 'unauthorized') }],
    });
  }
});

test('an error about a variable names the field, as REST does, with and without the compiled executor', async () => {
  const limit = 'query R($limit: Int!) { receipts(first: $limit) { nodes { receiptId } } }';
  const profile = 'mutation U($input: ShopConfigInput!) { updateShopConfig(input: $input) { bio } }';
  const session = await server.signIn(merchant.account);
  for (let i = 0; i < 5; i++) {
    const fieldOf = async (...[query, variables]: [string, Record<string, unknown>]) =>
      (await ask(server, session, query, variables)).body.errors[0].extensions.field;
    expect(await fieldOf(limit, { limit: 'x' })).toBe('limit');
    expect(await fieldOf(limit, {})).toBe('limit');
    expect(await fieldOf(profile, { input: { bio: 5 } })).toBe('bio');
    expect(await fieldOf(profile, { input: { slug: 'Not a slug!' } })).toBe('slug');
  }
});

test('an error of a websocket or an event stream has the same extensions', async () => {
  const subscription = 'subscription { receiptStatus(receiptId: "R-unknown") { seq } }';
  const client = socketClient(server, merchant.auth);
  const fault = await follow<Fault>(client, subscription)
    .next()
    .catch((error) => error as Fault);
  expect(fault.errors[0]?.extensions).toEqual(extensions(server, 'not_found'));
  const executed = await follow<Fault>(client, UNKNOWN, { id: 'R-unknown' })
    .next()
    .catch((error) => error as Fault);
  expect(executed.errors[0]?.extensions).toEqual(extensions(server, 'not_found'));
  await client.dispose();

  const response = await fetch(`${server.url}/api/graphql?query=${encodeURIComponent(subscription)}`, {
    headers: { ...merchant.auth, accept: 'text/event-stream', 'x-correlation-id': 'mine' },
  });
  const data = /^data: (.+)$/m.exec(await response.text())?.[1] as string;
  expect(JSON.parse(data).errors[0].extensions).toEqual({ ...extensions(server, 'not_found'), correlationId: 'mine' });
});

test('an error of REST keeps the form of the contract', async () => {
  const unknown = await server.call('GET', '/api/receipts/R-unknown', { headers: merchant.auth });
  expect([unknown.status, unknown.body]).toEqual([404, { error: 'not_found', message: expect.any(String) }]);
});

test('the page of errors has an entry for every code, without a script', async () => {
  const page = await fetch(`${server.url}/docs/errors`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await page.text();
  for (const code of Object.keys(errorCatalogue)) expect(text).toContain(`<section id="${code}">`);
  expect(text).not.toContain('<script');
});
