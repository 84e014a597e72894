import { describe, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { cronSecret, dropIdentityHeaders, isIdentityHeader, merchantAt, schedulerSecret } from './authenticate.ts';
import { csrfToken, isCsrfProven, isOwnHost, isOwnOrigin } from './csrf.ts';
import { enforceEdge } from './edge.ts';
import type { GatewayRequest } from './request.ts';

const asking = (headers: GatewayRequest['headers'] = {}, path = '/api/receipts'): GatewayRequest => ({
  ...{ method: 'POST', host: 'pay.test', path, address: '127.0.0.1', headers },
});
const codeOf = (task: () => unknown): unknown => {
  try {
    return task();
  } catch (error) {
    const { code, message, extra } = error as { code: string; message: string; extra?: { reason?: string } };
    return extra?.reason ?? (code === 'forbidden' || code === 'unauthorized' ? message : code);
  }
};

describe('the edge', () => {
  const settings = { edgeSecret: 'edge secret' };

  test('proves a request by its secret, which nothing later can read', () => {
    const request = asking({ 'x-edge-secret': 'edge secret', other: '1' });
    expect(enforceEdge(settings, request)).toBe(true);
    expect(request.headers).toEqual({ other: '1' });
    expect(codeOf(() => enforceEdge(settings, asking()))).toBe('origin enforcement failed');
    expect(codeOf(() => enforceEdge(settings, asking({ 'x-edge-secret': 'other' })))).toBe('origin enforcement failed');
    expect(enforceEdge(settings, asking({}, '/healthz'))).toBe(false);
    const unenforced = asking({ 'x-edge-secret': 'edge secret' });
    expect(enforceEdge({ edgeSecret: null }, unenforced)).toBe(false);
    expect(unenforced.headers).toEqual({});
  });
});

describe('the timer', () => {
  const deps = { settings: { cronSecret: 'cron secret' } } as Parameters<typeof cronSecret>[0];
  const withSecret = (secret: string, path?: string) => asking({ 'x-cron-secret': secret }, path);

  test('is proven by its secret on any path, and first on its own paths', () => {
    expect(cronSecret(deps, withSecret('cron secret'))).toEqual({ kind: 'scheduler' });
    expect(cronSecret(deps, asking())).toBeNull();
    expect(codeOf(() => cronSecret(deps, withSecret('guess')))).toBe('Invalid cron secret');
    for (const path of ['/api/subscriptions/charge', '/api/cron/charge-subscriptions']) {
      expect(schedulerSecret(deps, withSecret('cron secret', path))).toEqual({ kind: 'scheduler' });
      expect(schedulerSecret(deps, withSecret('guess', path))).toBeNull();
      expect(schedulerSecret(deps, asking({}, path))).toBeNull();
    }
    expect(schedulerSecret(deps, withSecret('cron secret'))).toBeNull();
  });
});

describe('identity headers', () => {
  const own = `0x${'1'.repeat(40)}` as Wallet;
  const other = `0x${'2'.repeat(40)}` as Wallet;

  test('are claims, and nothing later can read them', () => {
    const names = ['wallet', 'x-wallet', 'x-wallet-address', 'x-merchant-wallet', 'x-subscription-id', 'x-user-role'];
    for (const name of names) expect([name, isIdentityHeader(name)]).toEqual([name, true]);
    for (const name of ['x-wallets', 'user', 'x-api-key', 'a-x-user-b']) expect(isIdentityHeader(name)).toBe(false);
    const request = asking({ 'x-wallet': own, 'x-user-id': '7', wallet: undefined, accept: '*/*' });
    expect(dropIdentityHeaders(request)).toEqual({ any: true, wallet: own });
    expect(request.headers).toEqual({ accept: '*/*' });
    expect(dropIdentityHeaders(asking({ 'x-user-id': '7' }))).toEqual({ any: true, wallet: undefined });
    expect(dropIdentityHeaders(asking({ accept: '*/*', wallet: undefined }))).toEqual({
      any: false,
      wallet: undefined,
    });
  });

  test('choose a merchant on the routes of the terminal only', () => {
    const member = { merchant: own, role: 'cashier', platformAdmin: false } as const;
    const admin = { merchant: own, role: 'cashier', platformAdmin: true } as const;
    const [terminal, check] = ['/api/receipts/terminal', '/api/terminal/check-payment'];
    const asMember = { merchant: own, role: 'cashier' };
    expect(merchantAt('/api/orders', admin, other)).toEqual(asMember);
    expect(merchantAt(check!, admin, undefined)).toEqual(asMember);
    expect(merchantAt(check!, admin, other)).toEqual({ merchant: other, role: 'owner' });
    expect(merchantAt(terminal!, member, undefined)).toEqual(asMember);
    expect(merchantAt(terminal!, member, own)).toEqual(asMember);
    expect(merchantAt(terminal!, admin, own)).toEqual(asMember);
    expect(merchantAt(terminal!, admin, other)).toEqual({ merchant: other, role: 'owner' });
    expect(merchantAt(terminal!, admin, undefined)).toEqual({ merchant: null, role: null });
    expect(codeOf(() => merchantAt(terminal!, member, other))).toBe('wallet_not_own');
    expect(codeOf(() => merchantAt(terminal!, admin, 'nonsense'))).toBe('invalid_wallet');
  });
});

describe('the CSRF token', () => {
  const settings = {
    ...{ jwtSecret: 'a secret', baseUrl: 'https://pay.test', environment: 'production' as const },
    partnerHosts: new Map([['shop.test', null]]),
  };
  const local = { ...settings, baseUrl: 'http://localhost:4000', environment: 'development' as const };

  test('is of its session and its secret, the first time as later', () => {
    const token = csrfToken(settings, 's1');
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(csrfToken(settings, 's1')).toBe(token);
    expect(csrfToken({ ...settings }, 's1')).toBe(token);
    expect(csrfToken(settings, 's2')).not.toBe(token);
    expect(csrfToken({ jwtSecret: 'another' }, 's1')).not.toBe(token);
  });

  test('counts in its header, from our own pages', () => {
    const token = csrfToken(settings, 's1');
    const proven = (headers: GatewayRequest['headers']) => isCsrfProven(settings, asking(headers), 's1');
    expect(proven({ 'x-csrf-token': token })).toBe(true);
    expect(proven({ 'x-csrf-token': token, origin: 'https://pay.test' })).toBe(true);
    expect(proven({ 'x-csrf-token': token, origin: 'https://evil.test' })).toBe(false);
    expect(proven({ 'x-csrf-token': 'guess' })).toBe(false);
    expect(proven({})).toBe(false);
  });

  test('own origins are those of the base URL and the partners, in development over http too', () => {
    const own = (of: typeof settings | typeof local, origin: string) => isOwnOrigin(of, asking({ origin }));
    expect(['https://pay.test', 'HTTPS://PAY.TEST', 'https://shop.test'].map((one) => own(settings, one))).toEqual([
      ...[true, true, true],
    ]);
    const foreign = ['http://pay.test', 'http://shop.test', 'https://pay.test:8443', 'https://localhost', 'null', ''];
    for (const origin of foreign) expect([origin, own(settings, origin)]).toEqual([origin, false]);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(own(local, `http://${name}:4000`)).toBe(true);
    expect(own(local, 'http://shop.test')).toBe(true);
    expect(own(local, 'http://localhost:4001')).toBe(false);
  });

  test('without an origin the browser’s word counts', () => {
    const site = (value?: string) => isOwnOrigin(settings, asking(value ? { 'sec-fetch-site': value } : {}));
    expect([undefined, 'same-origin', 'none', 'same-site', 'cross-site'].map(site)).toEqual([
      ...[true, true, true, false, false],
    ]);
  });

  test('own hosts are named exactly in production, and any host in development', () => {
    const hosts = ['pay.test', 'shop.test', 'localhost:1234', '127.0.0.1', 'evil.test', 'pay.test:8443'];
    expect(hosts.map((host) => isOwnHost(settings, host))).toEqual([true, true, true, true, false, false]);
    expect(isOwnHost(local, 'evil.test')).toBe(true);
  });
});
