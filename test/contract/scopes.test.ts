import { type DocumentNode, type FieldNode, Kind } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/base/core/scopes.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { describeApi } from '../../src/doors/rest/openapi/document.ts';
import { isRetired } from '../../src/doors/rest/routes/route.ts';
import { parts, routes } from '../../src/doors/rest/routes.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { noSession, refusal } from './catalog.ts';

/** Every route that takes a developer key, and the one scope it asks for; null: any valid key will do. */
const DEVELOPER: Readonly<Record<string, Scope | null>> = {
  'GET /api/status/ping': null,
  'GET /api/inventory': 'inventory:read',
  'POST /api/inventory': 'inventory:write',
  'DELETE /api/inventory': 'inventory:write',
  'POST /api/orders': 'orders:create',
  'GET /api/receipts': 'receipts:read',
  'POST /api/receipts': 'receipts:write',
  'GET /api/receipts/:id': 'receipts:read',
  'GET /api/receipts/status': 'receipts:read',
  'GET /api/exports/receipts': 'receipts:read',
  'POST /api/receipts/status': 'receipts:write',
  'POST /api/receipts/void': 'receipts:void',
  'POST /api/receipts/refund-requests': 'refunds:request',
  'GET /api/webhooks/endpoints': 'webhooks:write',
  'POST /api/webhooks/endpoints': 'webhooks:write',
  'POST /api/webhooks/endpoints/delete': 'webhooks:write',
  'DELETE /api/webhooks/endpoints/:id': 'webhooks:write',
  'GET /api/shop/config': 'shop:read',
  'GET /api/pricing/config': 'shop:read',
  'GET /api/billing/balance': 'shop:read',
  'GET /api/tax/catalog': 'shop:read',
  'GET /api/reserve/balances': 'shop:read',
  'GET /api/reserve/recommend': 'shop:read',
  'GET /api/terminal/check-payment': 'receipts:read',
  'GET /api/split/deploy': 'split:read',
  'GET /api/split/transactions': 'split:read',
  'GET /api/payouts': 'split:read',
  'GET /api/events': 'receipts:read',
  'POST /api/split/withdraw': null,
  'GET /api/users/search': 'users:read',
  'GET /api/users/live': 'users:read',
};
/** Routes that ask for two scopes. */
const BOTH = { 'POST /api/receipts/replace': ['receipts:void', 'orders:create'] } as const;
/** Routes that never open to a key, whatever its scopes. */
const ADMIN = [
  'POST /api/receipts/refund',
  'POST /api/receipts/terminal',
  'POST /api/shop/config',
  'POST /api/pricing/config',
  'POST /api/split/deploy',
  'POST /api/subscriptions/plans',
  'PUT /api/subscriptions/plans',
  'DELETE /api/subscriptions/plans',
  'GET /api/webhooks/endpoints/:id',
  'PUT /api/webhooks/endpoints/:id',
  'POST /api/webhooks/endpoints/:id/rotate',
  'POST /api/webhooks/endpoints/:id/test',
  'GET /api/keys',
  'POST /api/keys',
  'POST /api/keys/:id/rotate',
  'DELETE /api/keys/:id',
];
const SESSION = ['POST /api/auth/logout', 'GET /api/auth/me'];
/** Any key, any signed-in wallet, or the page of a plan; what of whom they see, the domain says. */
const SUBSCRIBING = [
  'GET /api/subscriptions/plans',
  'POST /api/subscriptions/create',
  'GET /api/subscriptions/status',
  'POST /api/subscriptions/cancel',
];
/** The operator's timer alone. */
const TIMER = ['POST /api/subscriptions/charge', 'POST /api/cron/charge-subscriptions'];
/** Routes outside the table, with the status for anonymous callers. */
const BESIDE: Readonly<Record<string, number>> = {
  'GET /healthz': 200,
  'GET /readyz': 200,
  'GET /api/openapi.json': 200,
  'GET /api/schema.graphql': 200,
  'GET /api/graphql': 401,
  'POST /api/graphql': 401,
};
const OPEN = ['GET /api/site/config', 'POST /api/auth/nonce', 'POST /api/auth/login', 'POST /api/connect/token'];

/** Over GraphQL every key with `graphql:read` reads these. */
const ANY_KEY = ['user', 'follows', 'liveUsers', 'leaderboard'];
/** All that the field of such a route is guarded by. */
const EXACTLY: Readonly<Record<string, object>> = {
  public: { public: true },
  till: { mayWrite: 'till', platformSign: true },
  scheduler: { scheduler: true },
};

/** The root fields of an operation, with their guards. */
function fieldsOf({ definitions }: DocumentNode): [name: string, guards: Record<string, unknown>][] {
  return definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const root = schema.getRootType(definition.operation)!.getFields();
    return definition.selectionSet.selections.map((selection): [string, Record<string, unknown>] => {
      const name = (selection as FieldNode).name.value;
      return [name, (root[name]!.extensions.pothosOptions as { authScopes: Record<string, unknown> }).authScopes];
    });
  });
}

let server: TestServer;
let merchant: TestMerchant;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  for (const scope of SCOPES) {
    const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: [scope] });
    keys.set(scope, key);
  }
});
afterAll(() => server.stop());

/** An empty body: permitted callers pass authentication and fail validation. */
function attempt(row: string, headers: Record<string, string>) {
  const [method, path] = row.split(' ') as [string, string];
  return server.call(method, path.replace(':id', 'R-none'), { headers, body: method === 'GET' ? undefined : {} });
}

describe('scope × route', () => {
  // Contract: auth.scopes, auth.key, routes.credential, errors.forbidden, orders.refused, receipts.create-refused
  // Contract: users.scope
  test.each(Object.entries(DEVELOPER))('%s opens to %s alone', async (row, needed) => {
    for (const scope of SCOPES) {
      const answer = await attempt(row, { 'Ocp-Apim-Subscription-Key': keys.get(scope) as string });
      const open = needed === null || scope === needed;
      expect(answer.status === 403 && answer.body.error === 'forbidden', `${row} with ${scope}: ${answer.status}`).toBe(
        !open,
      );
    }
    const anonymous = await attempt(row, {});
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toStrictEqual(refusal('unauthorized'));
  });

  test.each(SUBSCRIBING)('%s accepts any key and any session, and no anonymous caller', async (row) => {
    const stranger = await server.signIn(newAccount());
    for (const headers of [merchant.auth, { 'x-api-key': keys.get('inventory:read') as string }, stranger])
      expect((await attempt(row, headers)).status, row).toBe(400);
    const bare = await attempt(row, { cookie: stranger.cookie as string });
    expect(bare.status, row).toBe(row.startsWith('GET') ? 400 : 403);
    const anonymous = await attempt(row, {});
    expect([anonymous.status, anonymous.body]).toEqual([401, refusal('unauthorized')]);
  });

  test.each(Object.entries(BOTH))('%s opens to %s together', async (row, scopes) => {
    for (const scope of SCOPES)
      expect((await attempt(row, { 'x-api-key': keys.get(scope) as string })).status, scope).toBe(403);
    const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: [...scopes] });
    expect((await attempt(row, { 'x-api-key': key })).status).toBe(400);
    expect(await attempt(row, {})).toMatchObject({ status: 401, body: refusal('unauthorized') });
  });

  // Contract: auth.cron
  test.each(TIMER)('%s opens to the cron secret alone', async (row) => {
    for (const headers of [merchant.auth, await server.signIn(merchant.account)] as Record<string, string>[])
      expect([401, 403]).toContain((await attempt(row, headers)).status);
    expect((await attempt(row, {})).status).toBe(401);
    expect((await attempt(row, { 'x-cron-secret': 'guessed' })).status).toBe(401);
    const timer = await attempt(row, { 'x-cron-secret': server.deps.settings.cronSecret });
    expect([401, 403]).not.toContain(timer.status);
  });

  // Contract: service.admin-only, auth.expired
  test.each([...ADMIN, ...SESSION])('%s never opens to a key', async (row) => {
    const byKey = await attempt(row, merchant.auth);
    expect(byKey.status).toBe(403);
    expect(byKey.body).toStrictEqual(refusal('forbidden', { reason: 'session_required' }));
    const anonymous = await attempt(row, {});
    expect([anonymous.status, anonymous.body]).toEqual([401, noSession('session_missing')]);
  });

  test.each(OPEN)('%s is open to anyone', async (row) => {
    expect([401, 403]).not.toContain((await attempt(row, {})).status);
  });

  // Contract: auth.csrf, auth.no-key-needed
  test('an admin’s session reads with its cookie alone and writes with its CSRF token only', async () => {
    const session = await server.signIn(merchant.account);
    for (const row of [...Object.keys(DEVELOPER), ...ADMIN]) {
      const bare = await attempt(row, { cookie: session.cookie as string });
      const safe = row.startsWith('GET');
      expect(bare.status === 403 && bare.body.error === 'forbidden', `${row}: ${bare.status}`).toBe(!safe);
      const proven = await attempt(row, session);
      expect([401, 403], `${row}: ${proven.status}`).not.toContain(proven.status);
    }
  });

  // Contract: auth.key, errors.unauthorized
  test('a revoked or unknown key opens nothing', async () => {
    for (const row of Object.keys(DEVELOPER)) {
      const answer = await attempt(row, { 'Ocp-Apim-Subscription-Key': `${merchant.key}x` });
      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
    }
  });

  // Contract: routes.graphql-same, auth.scopes, service.admin-only
  test('each route asks for what the field that it runs is guarded by over GraphQL', () => {
    for (const row of routes) {
      if (isRetired(row)) continue;
      const fields = fieldsOf(row.operation);
      const { access } = row;
      for (const [name, guards] of fields) {
        const what = `${row.method} ${row.path} runs ${name}`;
        const guard = row.method === 'GET' ? /^may$/ : /^may(?:Write|Sign)$/;
        if (access.kind === 'admin')
          expect([what, Object.keys(guards)]).toEqual([what, [expect.stringMatching(guard)]]);
        else if (access.kind in EXACTLY) expect([what, guards]).toEqual([what, EXACTLY[access.kind]]);
        else if (access.kind !== 'scope') expect([what, guards.scope]).toEqual([what, undefined]);
        else if (!ANY_KEY.includes(name)) expect([what, guards.scope]).toEqual([what, access.scope]);
        expect([what, access.kind === 'public']).toEqual([what, guards.public === true]);
      }
    }
  });

  // Contract: routes.table
  test('the matrix above has every route of the table, and no other', () => {
    const served = routes.map(({ method, path }) => `${method} ${path}`);
    expect(
      [...Object.keys({ ...DEVELOPER, ...BOTH }), ...ADMIN, ...SESSION, ...SUBSCRIBING, ...TIMER, ...OPEN].sort(),
    ).toEqual(served.sort());
  });

  // Contract: routes.table, routes.credential, routes.health
  test('what the API document has beside the table is health, itself and GraphQL', async () => {
    const table = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`));
    const described = Object.entries(describeApi(parts, schema).paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.filter((row) => !table.has(row)).sort()).toEqual(Object.keys(BESIDE).sort());
    for (const [row, status] of Object.entries(BESIDE)) {
      const [method, path] = row.split(' ') as [string, string];
      const query = path.endsWith('graphql') ? '{ receipts { nodes { receiptId } } }' : undefined;
      const asked = method === 'GET' && query ? `${path}?query=${encodeURIComponent(query)}` : path;
      const answer = await server.call(method, asked, { body: method === 'POST' ? { query } : undefined });
      expect([row, answer.status]).toEqual([row, status]);
    }
  });
});
