import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const open = (query: string, headers: Record<string, string>, signal?: AbortSignal, variables?: object) =>
  fetch(`${server.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal,
  });

/** The `data:` of each `next` event as it comes. */
async function* events(
  response: Response,
): AsyncGenerator<{ data?: Record<string, { seq: number }>; errors?: unknown[] }> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() as string;
    for (const part of parts) {
      const line = part.split('\n').find((candidate) => candidate.startsWith('data: {'));
      if (line) yield JSON.parse(line.slice(6));
    }
  }
}

test('the same subscription comes as an event stream', async () => {
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: 'sse', lineItems: [{ label: 'x', priceUsd: 5 }] },
  });
  const abort = new AbortController();
  const response = await open('subscription { receiptStatus(receiptId: "sse") { seq } }', merchant.auth, abort.signal);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('x-correlation-id')).toMatch(/./);
  const stream = events(response);
  expect((await stream.next()).value?.data).toEqual({ receiptStatus: { seq: 1 } });
  await server.call('POST', '/api/receipts/status', {
    headers: merchant.auth,
    body: { receiptId: 'sse', wallet: merchant.wallet, status: 'link_opened' },
  });
  expect((await stream.next()).value?.data).toEqual({ receiptStatus: { seq: 2 } });
  abort.abort();
});

test('a client that reconnects with Last-Event-ID resumes after that event, if the cursor is a variable', async () => {
  const query = 'subscription S($after: Int) { receiptStatus(receiptId: "sse", afterSeq: $after) { seq } }';
  for (const [lastEventId, seq] of [
    ['0', 1],
    ['1', 2],
  ] as const) {
    const abort = new AbortController();
    const headers = { ...merchant.auth, 'last-event-id': lastEventId };
    const stream = events(await open(query, headers, abort.signal, { after: 0 }));
    expect((await stream.next()).value?.data).toEqual({ receiptStatus: { seq } });
    abort.abort();
  }
});

test('an anonymous subscribe is refused at once with 401', async () => {
  const response = await open('subscription { receiptStatuses { seq } }', {});
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('"code":"unauthorized"');
});

test('a foreign or unknown receipt, a missing scope and a mutation are refused in the stream, which ends', async () => {
  const { auth } = await server.merchant();
  const theirs = await open('subscription { receiptStatus(receiptId: "sse") { seq } }', auth);
  expect(await theirs.text()).toContain('"code":"not_found"');
  const unscoped = await server.merchant({ scopes: ['graphql:read'] });
  const scopeless = await open('subscription { receiptStatuses { seq } }', unscoped.auth);
  expect(await scopeless.text()).toContain('"code":"forbidden"');
  const mutation = await open('mutation { logout }', auth);
  expect(await mutation.text()).toContain('"code":"forbidden"');
});

test.each([
  'receiptStatuses(after: "nonsense") { cursor }',
  'subscriptionEvents(after: "1.x") { cursor }',
  'payouts(after: "nonsense") { cursor }',
  'auditEntries(after: "nonsense") { cursor }',
])('a damaged cursor is refused with bad_cursor, as in lists: %s', async (field) => {
  const session = await server.signIn(merchant.account);
  const stream = events(await open(`subscription { ${field} }`, session));
  expect((await stream.next()).value?.errors).toMatchObject([{ extensions: { code: 'bad_cursor', field: 'after' } }]);
});

test('HEAD opens no stream', async () => {
  const query = new URLSearchParams({ query: 'subscription { receiptStatuses { seq } }' });
  const headers = { accept: 'text/event-stream', ...merchant.auth };
  const response = await fetch(`${server.url}/api/graphql?${query}`, { method: 'HEAD', headers });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('a subscription sent as a plain request is refused with the accepted transports', async () => {
  const answer = await server.call('POST', '/api/graphql', {
    headers: merchant.auth,
    body: { query: 'subscription { receiptStatuses { seq } }' },
  });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input']);
  expect(answer.body.message).toContain('text/event-stream');
});
