import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { noSession, refusal } from './catalog.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PATH = '/api/subscriptions/plans';
const COFFEE = { name: 'Coffee club', description: 'A bag a month', priceUsd: 14.5, period: 'MONTHLY' };

async function newMerchant() {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const call = (method: string, body: unknown, headers: Record<string, string> = session) =>
    server.call(method, PATH, { headers, body });
  return {
    merchant,
    session,
    call,
    list: async () => {
      const { body } = await server.call('GET', `${PATH}?wallet=${merchant.wallet}`, { headers: merchant.auth });
      return body.plans;
    },
    plan: async (body: object = {}) => (await call('POST', { wallet: merchant.wallet, ...COFFEE, ...body })).body.plan,
  };
}

describe('POST /api/subscriptions/plans', () => {
  // Contract: subscriptions.plan-fields, subscriptions.plan-create, states.plan-made
  test('makes a plan: 201 with exactly the record of the contract', async () => {
    const { merchant, call, list } = await newMerchant();
    const before = Date.now();
    const { status, body } = await call('POST', { wallet: merchant.wallet, ...COFFEE });
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        plan: { planId: expect.stringMatching(/^plan_/), ...COFFEE, active: true, createdAt: expect.any(Number) },
      },
    ]);
    expect(body.plan.createdAt).toBeGreaterThanOrEqual(before);
    expect(await list()).toStrictEqual([body.plan]);
  });

  // Contract: subscriptions.period
  test.each(['WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'])('a plan may be %s', async (period) => {
    const { plan } = await newMerchant();
    expect((await plan({ period })).period).toBe(period);
  });

  // Contract: subscriptions.period, subscriptions.plan-fields
  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(257) }, 'name'],
    ['a description that is too long', { description: 'x'.repeat(4001) }, 'description'],
    ['a NUL character', { description: 'a\0' }, 'description'],
    ['no price', { priceUsd: undefined }, 'priceUsd'],
    ['a price of nothing', { priceUsd: 0 }, 'priceUsd'],
    ['a price below nothing', { priceUsd: -1 }, 'priceUsd'],
    ['a price in quotes', { priceUsd: '5' }, 'priceUsd'],
    ['a price of three decimals', { priceUsd: 1.005 }, 'priceUsd'],
    ['a price beyond the bound', { priceUsd: 10_000_000.01 }, 'priceUsd'],
    ['no period', { period: undefined }, 'period'],
    ['an unknown period', { period: 'DAILY' }, 'period'],
    ['a period in small letters', { period: 'monthly' }, 'period'],
  ])('refuses %s with 400 invalid_input naming the field', async (_, change, field) => {
    const { call, list } = await newMerchant();
    const answer = await call('POST', { ...COFFEE, ...change });
    expect([answer.status, answer.body]).toEqual([400, refusal('invalid_input', { field })]);
    expect(await list()).toEqual([]);
  });

  // Contract: subscriptions.plan-create
  test('needs the merchant’s own session with its CSRF token: no key, no other wallet, no anonymous caller', async () => {
    const [{ merchant, call, list }, other] = [await newMerchant(), await newMerchant()];
    const { cookie } = await server.signIn(merchant.account);
    expect((await call('POST', COFFEE, merchant.auth)).status).toBe(403);
    expect((await call('POST', COFFEE, { cookie: cookie as string })).status).toBe(403);
    expect((await call('POST', COFFEE, {})).body).toEqual(noSession('session_missing'));
    const foreign = await other.call('POST', { ...COFFEE, wallet: merchant.wallet });
    expect([foreign.status, foreign.body.error]).toEqual([403, 'forbidden']);
    const wrong = await call('POST', { ...COFFEE, wallet: '0x12' });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_wallet']);
    expect(await list()).toEqual([]);
  });
});

describe('GET /api/subscriptions/plans', () => {
  // Contract: subscriptions.plans
  test('lists active plans only, the oldest first, also to any session', async () => {
    const { merchant, plan, call, list } = await newMerchant();
    const [one, two, three] = [await plan({ name: 'one' }), await plan({ name: 'two' }), await plan({ name: 'three' })];
    await call('DELETE', { planId: two.planId, wallet: merchant.wallet });
    expect(await list()).toEqual([one, three]);
    const other = await newMerchant();
    const upper = merchant.wallet.toUpperCase().replace('0X', '0x');
    const seen = await server.call('GET', `${PATH}?wallet=${upper}`, { headers: other.session });
    expect([seen.status, seen.body]).toEqual([200, { success: true, plans: [one, three] }]);
  });

  // Contract: subscriptions.plans-wallet
  test('needs a wallet, and its form: wallet_required, invalid_wallet', async () => {
    const { merchant } = await newMerchant();
    for (const [query, code] of [
      ['', 'wallet_required'],
      ['?wallet=', 'wallet_required'],
      ['?wallet=0x12', 'invalid_wallet'],
    ]) {
      const answer = await server.call('GET', PATH + query, { headers: merchant.auth });
      expect([query, answer.status, answer.body.error]).toEqual([query, 400, code]);
    }
  });

  test('a key sees only its own merchant’s plans, and a caller without credentials sees none', async () => {
    const [{ merchant }, other] = [await newMerchant(), await newMerchant()];
    const answer = await server.call('GET', `${PATH}?wallet=${merchant.wallet}`, { headers: other.merchant.auth });
    expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
    expect((await server.call('GET', `${PATH}?wallet=${merchant.wallet}`)).status).toBe(401);
  });
});

describe('PUT /api/subscriptions/plans', () => {
  // Contract: subscriptions.plan-update, states.plan-changed
  test('changes what is sent and keeps the rest; active may be taken back', async () => {
    const { call, plan, list } = await newMerchant();
    const made = await plan();
    const priced = await call('PUT', { planId: made.planId, priceUsd: 20.25 });
    expect([priced.status, priced.body]).toEqual([200, { success: true, plan: { ...made, priceUsd: 20.25 } }]);
    const off = await call('PUT', { planId: made.planId, active: false, name: 'Off', description: '' });
    expect(off.body.plan).toEqual({ ...made, priceUsd: 20.25, active: false, name: 'Off', description: '' });
    expect(await list()).toEqual([]);
    const on = await call('PUT', { planId: made.planId, active: true, period: 'YEARLY' });
    expect(on.body.plan).toMatchObject({ active: true, period: 'YEARLY', name: 'Off' });
  });

  test('refuses wrong changes as creation does, and changes nothing', async () => {
    const { call, plan, list } = await newMerchant();
    const made = await plan();
    for (const [field, value] of [
      ['priceUsd', 0],
      ['name', ''],
      ['period', 'DAILY'],
      ['active', 'yes'],
    ] as const) {
      const answer = await call('PUT', { planId: made.planId, [field]: value });
      expect([answer.status, answer.body]).toEqual([400, refusal('invalid_input', { field })]);
    }
    const unnamed = await call('PUT', { name: 'x' });
    expect(unnamed.body).toEqual(refusal('invalid_input', { field: 'planId' }));
    expect(await list()).toEqual([made]);
  });

  test('another merchant’s plan is 404 plan_not_found, as one that never was', async () => {
    const [{ plan, list }, other] = [await newMerchant(), await newMerchant()];
    const made = await plan();
    for (const planId of [made.planId, 'plan_nothing'])
      for (const method of ['PUT', 'DELETE']) {
        const answer = await other.call(method, { planId, name: 'Stolen' });
        expect([answer.status, answer.body]).toEqual([404, refusal('plan_not_found')]);
      }
    expect(await list()).toEqual([made]);
  });
});

describe('DELETE /api/subscriptions/plans', () => {
  // Contract: subscriptions.plan-delete, states.plan-deactivated
  test('deactivates, and again changes nothing', async () => {
    const { merchant, call, plan, list } = await newMerchant();
    const made = await plan();
    for (let time = 0; time < 2; time++) {
      const answer = await call('DELETE', { planId: made.planId, wallet: merchant.wallet });
      expect([answer.status, answer.body]).toEqual([200, { success: true, plan: { ...made, active: false } }]);
    }
    expect(await list()).toEqual([]);
  });
});
