import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test.each([
  ['GET', '/healthz', ''],
  ['POST', '/api/graphql', JSON.stringify({ query: '{ siteConfig { brandKey } }' })],
])('%s %s that offers HTTP/2, as some clients always do, is answered by HTTP/1.1', async (method, path, body) => {
  const headers = {
    'content-type': 'application/json',
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  const sent = request(`${server.url}${path}`, { method, headers }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.httpVersion]).toEqual([200, '1.1']);
  expect(await json(answer)).not.toHaveProperty('errors');
});
