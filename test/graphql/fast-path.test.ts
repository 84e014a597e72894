import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { type Callers, callersOf, type Recorded, recordedRequests, TRUSTED } from './recorded-requests.ts';

const NOW = 1_900_000_000_000;
const secret = 'a secret for tests, thirty-two bytes';
/** Errors name it, so both servers have the same. */
const BASE_URL = 'https://pay.test';

type Database = Awaited<ReturnType<typeof createDatabase>>;

let database: Database;
let fast: TestServer;
let plain: TestServer;
let merchant: TestMerchant;
let callers: Callers;
const folder = mkdtempSync(join(tmpdir(), 'quittance-documents-'));

beforeAll(async () => {
  for (const [name, text] of Object.entries(TRUSTED)) writeFileSync(join(folder, `${name}.graphql`), text);
  database = await createDatabase();
  const start = (env: Record<string, string>) =>
    startTestServer({
      databaseUrl: database.databaseUrl,
      clock: () => NOW,
      env: { JWT_SECRET: secret, BASE_URL, TRUSTED_DOCUMENTS: folder, ...env },
    });
  fast = await start({ GRAPHQL_FAST_PATH: 'on' });
  plain = await start({ GRAPHQL_FAST_PATH: 'off' });
  merchant = await fast.merchant();
  callers = await callersOf(fast, merchant);
});
afterAll(async () => {
  await fast.stop();
  await plain.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Headers that differ between two equal answers. */
const VARYING = new Set(['date', 'connection', 'keep-alive']);

const open = ({ url }: TestServer, { method, query, headers, body }: Recorded, signal?: AbortSignal) =>
  fetch(`${url}/api/graphql${query}`, {
    method,
    headers: { ...headers, 'x-correlation-id': 'recorded' },
    body,
    signal,
  });

const headOf = (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries([...response.headers].filter(([name]) => !VARYING.has(name))),
});

async function send(server: TestServer, request: Recorded) {
  const response = await open(server, request);
  return { ...headOf(response), body: await response.text() };
}

describe('with and without the fast path', () => {
  test('at least 300 different requests have the same status, headers and body', async () => {
    const requests = recordedRequests(callers);
    expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length);
    expect(requests.length).toBeGreaterThanOrEqual(300);
    const statuses = new Set<number>();
    for (const request of requests) {
      const expected = await send(plain, request);
      expect(await send(fast, request), request.name).toStrictEqual(expected);
      statuses.add(expected.status);
    }
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 405, 406, 413, 415]);
  });

  test('rate limits are counted and reported the same, and refuse at the same request', async () => {
    const env = { JWT_SECRET: secret, BASE_URL, RATE_LIMITS: '{"reads":8,"others":8}' };
    const start = (path: string) =>
      startTestServer({
        databaseUrl: database.databaseUrl,
        clock: () => NOW,
        env: { ...env, GRAPHQL_FAST_PATH: path },
      });
    const servers = [await start('on'), await start('off')] as const;
    try {
      const read = { query: '{ receipts { nodes { receiptId } } }' };
      const invalid = { query: '{ nothing }' };
      const seen: number[] = [];
      for (const [name, headers] of Object.entries({ developer: callers.developer, anonymous: callers.anonymous })) {
        for (let i = 0; i < 12; i++) {
          const body = JSON.stringify(name === 'developer' ? read : invalid);
          const request = {
            name,
            method: 'POST',
            query: '',
            headers: { ...headers, 'content-type': 'application/json', 'x-graphql-cost': '1' },
            body,
          };
          const expected = await send(servers[1], request);
          expect(await send(servers[0], request), `${name} ${i}`).toStrictEqual(expected);
          seen.push(expected.status);
          if (name === 'developer') expect(expected.headers['x-ratelimit-remaining']).toMatch(/^\d$/);
        }
      }
      expect(seen.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
    } finally {
      for (const server of servers) await server.stop();
    }
  });

  test('event streams have the same head and the same first events', async () => {
    await fast.call('POST', '/api/receipts', {
      headers: merchant.auth,
      body: { id: 'recorded', lineItems: [{ label: 'x', priceUsd: 5 }] },
    });
    const subscription = 'subscription { receiptStatus(receiptId: "recorded") { seq status } }';
    const accept = 'text/event-stream';
    const requests: Omit<Recorded, 'name'>[] = [
      {
        method: 'POST',
        query: '',
        headers: { ...callers.developer, accept, 'content-type': 'application/json' },
        body: JSON.stringify({ query: subscription }),
      },
      {
        method: 'GET',
        query: `?query=${encodeURIComponent(subscription)}`,
        headers: { ...callers.developer, accept: 'text/event-stream, application/json' },
        body: null,
      },
    ];
    for (const request of requests) {
      const [expected, given] = await Promise.all([plain, fast].map((server) => firstEvent(server, request)));
      expect(given).toStrictEqual(expected);
      expect(given).toMatchObject({
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-store' },
        text: ':\n\nevent: next\nid: 1\ndata: {"data":{"receiptStatus":{"seq":1,"status":"pending"}}}\n\n',
      });
    }
  });
});

/** The head and the text of a stream up to its first event. */
async function firstEvent(server: TestServer, request: Omit<Recorded, 'name'>) {
  const abort = new AbortController();
  const response = await open(server, { name: '', ...request }, abort.signal);
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/data: .*\n\n$/.test(text)) break;
  }
  abort.abort();
  return { ...headOf(response), text };
}
