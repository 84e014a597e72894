import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { MILLIS, refusal } from './catalog.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const SECRET = 's'.repeat(40);
const dependencies = { database: 'up', redis: 'off', chain: 'up', watcher: expect.stringMatching(/^(up|off)$/) };

describe('GET /healthz', () => {
  // Contract: routes.health
  test('answers 200 with a status to anyone', async () => {
    const { status, body, headers } = await server.call('GET', '/healthz');
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ok: true, status: 'ok', time: MILLIS, dependencies });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});

test('a coin that production prices by a static rate is a warning', async () => {
  const env = { NODE_ENV: 'production', CHAIN_ID: String(inject('chainId')), FX_RATES: 'ETH=3100' };
  const secrets = { JWT_SECRET: SECRET, KEY_ENCRYPTION_KEY: SECRET, CRON_SECRET: SECRET };
  const production = await startTestServer({ env: { ...env, ...secrets } });
  onTestFinished(() => production.stop());
  const { body } = await production.call('GET', '/healthz');
  expect(body).toMatchObject({ status: 'ok', warnings: ['ETH has a static rate'] });
});

test('a thousand health requests read the database and the chain only a few times', async () => {
  const rows = vi.spyOn(server.deps.db, 'run');
  const started = performance.now();
  const reads = () => rows.mock.calls.filter(([{ name }]) => name === 'alive').length;
  // The first answers may still be those of an earlier test.
  for (let i = 0; i < 10 || reads() === 0; i++)
    await Promise.all(Array.from({ length: 100 }, (_, n) => server.call('GET', n % 2 ? '/healthz' : '/readyz')));
  const asked = reads();
  rows.mockRestore();
  expect(asked).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / 1_000));
});

describe('GET /api/status/ping', () => {
  // Contract: routes.ping, auth.wallet-from-key
  test('describes the service and the key to any valid key', async () => {
    const merchant = await server.merchant({ scopes: ['users:read'] });
    const { status, body } = await server.call('GET', '/api/status/ping', { headers: merchant.auth });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ok: true,
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      time: MILLIS,
      merchant: merchant.wallet,
      scopes: ['users:read'],
      dependencies,
    });
  });

  // Contract: routes.ping, auth.x-api-key, auth.bearer
  test('takes the key as x-api-key and as bearer', async () => {
    const { key, wallet } = await server.merchant();
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }] as Record<string, string>[]) {
      const answer = await server.call('GET', '/api/status/ping', { headers });
      expect(answer.status).toBe(200);
      expect(answer.body.merchant).toBe(wallet);
    }
  });

  test('refuses a missing or invalid key with 401 unauthorized', async () => {
    for (const headers of [{}, { 'x-api-key': 'qk_wrong' }, { authorization: 'Bearer nothing' }]) {
      const answer = await server.call('GET', '/api/status/ping', { headers: headers as Record<string, string> });
      expect(answer.status).toBe(401);
      expect(answer.body).toStrictEqual(refusal('unauthorized'));
    }
  });
});
