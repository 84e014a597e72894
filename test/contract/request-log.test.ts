import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const lines: string[] = [];
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  server = await startTestServer({ env: { LOG_LEVEL: 'debug' } });
});
afterAll(async () => {
  await server.stop();
  vi.restoreAllMocks();
});

const logged = () =>
  lines
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('at level debug each request is a line with the correlation id that the client received, and without its query', async () => {
  const merchant = await server.merchant();
  const answer = await fetch(`${server.url}/api/receipts/status?receiptId=secret-id`, { headers: merchant.auth });
  const correlationId = answer.headers.get('x-correlation-id');
  await expect
    .poll(() => logged().find((line) => line.correlationId === correlationId))
    .toMatchObject({ level: 20, msg: 'request', method: 'GET', route: '/api/receipts/status', status: answer.status });
  expect(lines.join('')).not.toContain('secret-id');
});

test('the line of a failed request carries the correlation id that the client received', async () => {
  const merchant = await server.merchant();
  const original = server.deps.db.run;
  Object.assign(server.deps.db, { run: () => Promise.reject(new Error('broken on purpose')) });
  const headers = { ...merchant.auth, 'x-correlation-id': 'the-failed-one' };
  const answer = await fetch(`${server.url}/api/inventory?q=${Date.now()}`, { headers });
  Object.assign(server.deps.db, { run: original });
  expect([answer.status, answer.headers.get('x-correlation-id')]).toEqual([500, 'the-failed-one']);
  expect(logged().filter(({ level }) => level === 50)).toContainEqual(
    expect.objectContaining({ msg: 'operation failed', correlationId: 'the-failed-one' }),
  );
});
