import { expect, test } from 'vitest';
import { readConfig } from '../../../base/platform/config/config.ts';
import { csrfToken, isCsrfProven } from './csrf.ts';
import { enforceEdge } from './edge.ts';
import type { GatewayRequest } from './request.ts';

const [before, after, later] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const request = (headers: Record<string, string>): GatewayRequest => ({
  ...{ method: 'POST', host: 'pay.test', path: '/api/orders', address: '127.0.0.1', headers },
});

test('while the secret of the edge is replaced, both values are proof, and no other is', () => {
  const settings = { edgeSecret: after, previousEdgeSecret: before };
  for (const secret of [before, after]) {
    const given = request({ 'x-edge-secret': secret });
    expect(enforceEdge(settings, given)).toBe(true);
    expect(given.headers).toEqual({});
  }
  for (const headers of [{ 'x-edge-secret': later }, { 'x-edge-secret': '' }, {}] as Record<string, string>[])
    expect(() => enforceEdge(settings, request(headers))).toThrow('origin enforcement failed');
  const ended = { edgeSecret: after, previousEdgeSecret: null };
  expect(() => enforceEdge(ended, request({ 'x-edge-secret': before }))).toThrow('origin enforcement failed');
});

test('a page that was loaded before JWT_SECRET was replaced can still change something, until the former value goes', () => {
  const shared = { baseUrl: 'https://pay.test', partnerHosts: new Map(), environment: 'production' } as const;
  const settings = { ...shared, jwtSecret: after, previousJwtSecret: before };
  const proven = (of: typeof settings | (typeof shared & { jwtSecret: string }), secret: string, session = 's1') =>
    isCsrfProven(of, request({ 'x-csrf-token': csrfToken({ jwtSecret: secret }, 's1') }), session);
  expect([before, after, later].map((secret) => proven(settings, secret))).toEqual([true, true, false]);
  expect(proven(settings, before, 's2')).toBe(false);
  expect(proven({ ...shared, jwtSecret: after }, before)).toBe(false);
});

test.each([
  [{ JWT_SECRET_PREVIOUS: before }, 'JWT_SECRET_PREVIOUS: must be set together with JWT_SECRET'],
  [{ JWT_SECRET: after, JWT_SECRET_PREVIOUS: after }, 'JWT_SECRET_PREVIOUS: must differ from JWT_SECRET'],
  [
    { KEY_ENCRYPTION_KEY_PREVIOUS: before },
    'KEY_ENCRYPTION_KEY_PREVIOUS: must be set together with KEY_ENCRYPTION_KEY',
  ],
  [{ EDGE_SECRET_PREVIOUS: before }, 'EDGE_SECRET_PREVIOUS: must be set together with EDGE_SECRET'],
  [{ EDGE_SECRET: after, EDGE_SECRET_PREVIOUS: after }, 'EDGE_SECRET_PREVIOUS: must differ from EDGE_SECRET'],
])('a former value without a new one is refused: %o', (environment, fault) => {
  expect(() => readConfig(environment)).toThrow(fault);
});
