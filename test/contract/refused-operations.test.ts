import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';

const LIMIT = 5;
/** Members and keys have the limit of reads. */
const PROVEN_LIMIT = 8;
const env = { RATE_LIMITS: JSON.stringify({ others: LIMIT, reads: PROVEN_LIMIT }) };

type Headers = Record<string, string>;

async function open() {
  const server = await startTestServer({ env });
  onTestFinished(() => server.stop());
  return server;
}

async function post({ url }: TestServer, headers: Headers, body: string) {
  const response = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const query = (text: string) => JSON.stringify({ query: text });
/** Distinct documents, so that none is answered from what an earlier one left. */
const distinct = (text: string, n: number) => query(text.replace('#', `a${n}: `));

/** What is sent without end, and what it is answered with until the caller's window is full. */
const ANONYMOUS = [
  ['a body that is no JSON', 400, () => '{'],
  ['a body that is no request', 401, () => '[]'],
  ['a document that does not parse', 200, () => query('{')],
  ['a document of fields that it may not use', 401, (n: number) => distinct('{ #receipts { totalCount } }', n)],
] as const;

test.each(ANONYMOUS)('%s of an anonymous caller is refused with 429 before it is read', async (_name, status, body) => {
  const server = await open();
  for (let n = 0; n < LIMIT; n++) expect((await post(server, {}, body(n))).status).toBe(status);
  const late = await post(server, {}, body(LIMIT));
  expect(late).toMatchObject({ status: 429, body: { error: 'rate_limited', resetAt: expect.any(Number) } });
  // Whatever comes now is not even read.
  const unread = await post(server, {}, '{');
  expect(unread).toMatchObject({ status: 429, body: { error: 'rate_limited', resetAt: expect.any(Number) } });
  const merchant = await server.merchant();
  expect((await post(server, { 'x-api-key': merchant.key }, query('{ receipts { totalCount } }'))).status).toBe(200);
});

test('a wallet without a merchant has as many refused operations as an anonymous caller', async () => {
  const server = await open();
  const headers = await server.signIn(newAccount());
  for (let n = 0; n < LIMIT; n++) expect((await post(server, headers, query('{ noSuchField }'))).status).toBe(200);
  expect((await post(server, headers, query('{ noSuchField }'))).body).toMatchObject({
    errors: [{ extensions: { code: 'rate_limited', resetAt: expect.any(Number) } }],
  });
  expect((await post(server, headers, query('{ me { wallet } }'))).status).toBe(429);
  expect((await post(server, await server.signIn(newAccount()), query('{ __typename }'))).status).toBe(200);
});

const OF_KEYS = [
  ['documents that are not valid', 200, (n: number) => distinct('{ #noSuchField }', n)],
  ['mutations', 403, (n: number) => distinct('mutation { #endAllSessions }', n)],
  ['bodies that are no JSON', 400, () => '{'],
] as const;

test.each(OF_KEYS)(
  '%s of a key are refused with 429 once there were too many, and another key is answered',
  async (...row) => {
    const [, status, body] = row;
    const server = await open();
    const [merchant, other] = [await server.merchant(), await server.merchant()];
    for (let n = 0; n < PROVEN_LIMIT; n++)
      expect((await post(server, { 'x-api-key': merchant.key }, body(n))).status).toBe(status);
    await post(server, { 'x-api-key': merchant.key }, body(PROVEN_LIMIT));
    const late = await post(server, { 'x-api-key': merchant.key }, query('{ __typename }'));
    expect(late).toMatchObject({ status: 429, body: { error: 'rate_limited', resetAt: expect.any(Number) } });
    expect((await post(server, { 'x-api-key': other.key }, query('{ __typename }'))).status).toBe(200);
  },
);

test('a key that has used up its reads cannot make the server read more than so many further documents', async () => {
  const server = await open();
  const { key } = await server.merchant();
  const read = (n: number) => post(server, { 'x-api-key': key }, distinct('{ #__typename }', n));
  const codes: unknown[] = [];
  for (let n = 0; n < 3 * PROVEN_LIMIT; n++) codes.push((await read(n)).body.error ?? 'answered');
  expect(codes.slice(0, PROVEN_LIMIT)).toEqual(Array(PROVEN_LIMIT).fill('answered'));
  expect(codes.slice(PROVEN_LIMIT)).toEqual(Array(2 * PROVEN_LIMIT).fill('rate_limited'));
  const unread = await post(server, { 'x-api-key': key }, '{');
  expect(unread.status).toBe(429);
});

test('a body that its client cuts off is no error in the log', async () => {
  const server = await open();
  const errors: unknown[] = [];
  Object.assign(server.deps.log, { error: (fields: unknown) => errors.push(fields) });
  const { hostname, port } = new URL(server.url);
  for (let n = 0; n < 3; n++) {
    const socket = connect(Number(port), hostname);
    const head = `POST /api/graphql HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 100\r\n\r\n{"query":`);
    // The server has read the head once it has begun to count the request.
    await new Promise((resolve) => socket.once('connect', resolve));
    await server.call('GET', '/healthz');
    await new Promise((resolve) => socket.destroy().once('close', resolve));
    await server.call('GET', '/healthz');
  }
  // As many as were cut off have been counted as refused.
  expect((await post(server, {}, '{')).status).toBe(400);
  expect((await post(server, {}, '{')).status).toBe(400);
  await expect.poll(async () => (await post(server, {}, '{')).status).toBe(429);
  expect(errors).toEqual([]);
});
