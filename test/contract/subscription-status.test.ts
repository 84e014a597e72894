import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVOKE_QUEUE } from '../../src/base/platform/jobs.ts';
import { cancelTypedData } from '../../src/domain/recurring/subscriptions/cancel.ts';
import {
  newAccount,
  startTestServer,
  type TestAccount,
  type TestMerchant,
  type TestServer,
} from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';
import { makePlan, subscribe, subscriptionBody, type TestPlan, walletOf } from '../support/subscriber.ts';
import { MILLIS, refusal } from './catalog.ts';

const platform = newAccount();

let server: TestServer;
let merchant: TestMerchant;
let other: TestMerchant;
let plan: TestPlan;
beforeAll(async () => {
  server = await startTestServer({ env: { PLATFORM_ADMINS: platform.address } });
  [merchant, other] = [await server.merchant(), await server.merchant()];
  plan = await makePlan(server, merchant);
});
afterAll(() => server.stop());

type Headers = Record<string, string>;

async function subscribed(customer: TestAccount = newAccount()) {
  const body = await subscriptionBody(server, plan, { customer });
  const answer = await subscribe(server, merchant, body);
  const { subscriptionId } = answer.body.subscription as { subscriptionId: string };
  return { customer, wallet: walletOf(customer), subscriptionId, start: body.permissionData.start };
}

const status = (query: string, headers: Headers = merchant.auth) =>
  server.call('GET', `/api/subscriptions/status${query}`, { headers });
const cancel = (body: unknown, headers: Headers = merchant.auth) =>
  server.call('POST', '/api/subscriptions/cancel', { headers, body });

/** The token that the page of a plan hands to its script. */
async function pageHeaders(planId: string): Promise<Headers> {
  const { body } = await server.call('GET', `/subscribe/${planId}`);
  const token = /<meta name="page-token" content="([^"]+)">/.exec(body)?.[1];
  return { authorization: `Bearer ${token}` };
}

describe('GET /api/subscriptions/status', () => {
  // Contract: subscriptions.status
  test('by id: the whole record, to a key of the merchant, any session, and the page of the plan', async () => {
    const { wallet, subscriptionId, start } = await subscribed();
    const callers = [merchant.auth, await server.signIn(newAccount()), await pageHeaders(plan.planId)] as Headers[];
    for (const headers of callers) {
      const answer = await status(`?subscriptionId=${subscriptionId}`, headers);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          success: true,
          subscription: {
            subscriptionId,
            planId: plan.planId,
            merchantWallet: merchant.wallet,
            customerWallet: wallet,
            priceUsd: 14.5,
            period: 'MONTHLY',
            chainId: 31_337,
            status: 'active',
            firstCharge: 'pending',
            nextChargeAt: start * 1000,
            lastChargedAt: null,
            chargeCount: 0,
            totalChargedUsd: 0,
            createdAt: MILLIS,
            updatedAt: MILLIS,
          },
        },
      ]);
    }
  });

  test('by id it is 404 for another merchant’s key and another plan’s page, like an unknown id, and 401 without credentials', async () => {
    const { subscriptionId } = await subscribed();
    const elsewhere = await makePlan(server, merchant);
    for (const headers of [other.auth, await pageHeaders(elsewhere.planId)] as Headers[]) {
      for (const id of [subscriptionId, 'sub_nothing']) {
        const answer = await status(`?subscriptionId=${id}`, headers);
        expect([answer.status, answer.body]).toEqual([404, refusal('not_found')]);
      }
    }
    expect((await status(`?subscriptionId=${subscriptionId}`, {})).status).toBe(401);
  });

  // Contract: subscriptions.status
  test('by customer: the newest first, to that wallet’s session and to a platform admin, page by page', async () => {
    const customer = newAccount();
    const [one, two] = [await subscribed(customer), await subscribed(customer)];
    const ids = [two.subscriptionId, one.subscriptionId];
    for (const account of [customer, platform]) {
      const answer = await status(`?customer=${customer.address}`, await server.signIn(account));
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['success', 'subscriptions']);
      expect(answer.body.subscriptions.map((each: { subscriptionId: string }) => each.subscriptionId)).toEqual(ids);
    }
    const paged = await status(`?customer=${customer.address}&limit=1&page=1`, await server.signIn(customer));
    expect(paged.body.subscriptions).toHaveLength(1);
    expect(paged.body.subscriptions[0].subscriptionId).toBe(one.subscriptionId);
  });

  // Contract: subscriptions.status
  test('by merchant: to its key, its session and a platform admin', async () => {
    const { subscriptionId } = await subscribed();
    const callers = [merchant.auth, await server.signIn(merchant.account), await server.signIn(platform)] as Headers[];
    for (const headers of callers) {
      const { body } = await status(`?merchant=${merchant.wallet}`, headers);
      expect(body.subscriptions[0].subscriptionId).toBe(subscriptionId);
    }
    expect((await status(`?merchant=${other.wallet}`, other.auth)).body).toEqual({ success: true, subscriptions: [] });
  });

  test('a caller cannot list another wallet’s subscriptions', async () => {
    const { wallet } = await subscribed();
    const callers = [other.auth, await server.signIn(newAccount()), await pageHeaders(plan.planId)] as Headers[];
    for (const headers of callers)
      for (const query of [`?customer=${wallet}`, `?merchant=${merchant.wallet}`]) {
        const answer = await status(query, headers);
        expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
      }
    // Not even its merchant: who else the customer pays is the customer's own.
    expect((await status(`?customer=${wallet}`, merchant.auth)).status).toBe(403);
  });

  // Contract: subscriptions.status
  test('asks for exactly one of the three: query_required', async () => {
    const { wallet, subscriptionId } = await subscribed();
    for (const query of [
      '',
      '?subscriptionId=',
      `?subscriptionId=${subscriptionId}&customer=${wallet}`,
      `?customer=${wallet}&merchant=${merchant.wallet}`,
      '?limit=1',
    ]) {
      const answer = await status(query);
      expect([query, answer.status, answer.body]).toEqual([query, 400, refusal('query_required')]);
    }
    for (const query of ['?customer=0x12', '?merchant=me']) {
      const answer = await status(query);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_wallet']);
    }
    for (const query of [`?merchant=${merchant.wallet}&limit=0`, `?merchant=${merchant.wallet}&limit=201`])
      expect((await status(query)).body.error).toBe('invalid_input');
  });
});

describe('POST /api/subscriptions/cancel', () => {
  const revocations = async (subscriptionId: string) => {
    const jobs = await runStatement(
      server.deps.db,
      statement('the-revocations', `select id from jobs where queue = $1 and data ->> 'subscriptionId' = $2`),
      [REVOKE_QUEUE, subscriptionId],
    );
    return jobs.length;
  };

  // Contract: subscriptions.cancel
  test('by the customer’s session: at once, and again it changes nothing; its revocation is owed once', async () => {
    const { customer, wallet, subscriptionId } = await subscribed();
    const session = await server.signIn(customer);
    const first = await cancel({ subscriptionId, wallet }, session);
    expect([first.status, first.body.success]).toEqual([200, true]);
    expect(first.body.subscription).toMatchObject({ subscriptionId, status: 'cancelled', nextChargeAt: null });
    const again = await cancel({ subscriptionId, wallet: customer.address }, session);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await status(`?subscriptionId=${subscriptionId}`)).body.subscription).toEqual(first.body.subscription);
    expect(await revocations(subscriptionId)).toBe(1);
  });

  test('by the customer’s signature, sent by any caller', async () => {
    for (const headers of [
      merchant.auth,
      await server.signIn(newAccount()),
      await pageHeaders(plan.planId),
    ] as Headers[]) {
      const { customer, wallet, subscriptionId } = await subscribed();
      const asked = await server.call('POST', '/api/graphql', {
        headers,
        body: { query: `{ cancellationRequest(subscriptionId: "${subscriptionId}") { expiresAt typedData } }` },
      });
      const { expiresAt, typedData } = asked.body.data.cancellationRequest;
      const signature = await customer.signTypedData(typedData);
      const answer = await cancel({ subscriptionId, wallet, signature, expiresAt }, headers);
      expect([answer.status, answer.body.subscription.status]).toEqual([200, 'cancelled']);
    }
  });

  // Contract: subscriptions.cancel
  test('is refused to everyone else: 403 forbidden, and the subscription goes on', async () => {
    const { customer, wallet, subscriptionId } = await subscribed();
    const stranger = newAccount();
    const foreign = await server.signIn(stranger);
    const { cookie } = await server.signIn(customer);
    const now = Date.now();
    const sign = (account: TestAccount, change: object = {}) =>
      account.signTypedData(
        cancelTypedData(31337, { subscriptionId, wallet, expiresAt: now + 60_000, ...change }) as never,
      );
    const good = await sign(customer);
    const tries: [string, object, Headers][] = [
      ['the merchant’s key alone', { subscriptionId, wallet }, merchant.auth],
      ['the merchant’s session', { subscriptionId, wallet }, await server.signIn(merchant.account)],
      ['a platform admin', { subscriptionId, wallet }, await server.signIn(platform)],
      ['the page alone', { subscriptionId, wallet }, await pageHeaders(plan.planId)],
      ['another wallet’s session', { subscriptionId, wallet }, foreign],
      ['another wallet by its own name', { subscriptionId, wallet: walletOf(stranger) }, foreign],
      ['the customer’s cookie without its CSRF token', { subscriptionId, wallet }, { cookie: cookie as string }],
      [
        'a stranger’s signature',
        { subscriptionId, wallet, signature: await sign(stranger), expiresAt: now + 60_000 },
        merchant.auth,
      ],
      ['a signature without its time', { subscriptionId, wallet, signature: good }, merchant.auth],
      [
        'a signature with another time',
        { subscriptionId, wallet, signature: good, expiresAt: now + 60_001 },
        merchant.auth,
      ],
      [
        'a signature that has expired',
        { subscriptionId, wallet, signature: await sign(customer, { expiresAt: now - 1 }), expiresAt: now - 1 },
        merchant.auth,
      ],
      [
        'a signature for ever',
        { subscriptionId, wallet, signature: await sign(customer, { expiresAt: now + 1e10 }), expiresAt: now + 1e10 },
        merchant.auth,
      ],
      [
        'a signature over another subscription',
        {
          subscriptionId,
          wallet,
          signature: await sign(customer, { subscriptionId: 'sub_other' }),
          expiresAt: now + 60_000,
        },
        merchant.auth,
      ],
    ];
    for (const [who, body, headers] of tries) {
      const answer = await cancel(body, headers);
      expect([who, answer.status, answer.body.error]).toEqual([who, 403, 'forbidden']);
    }
    expect((await status(`?subscriptionId=${subscriptionId}`)).body.subscription.status).toBe('active');
    expect(await revocations(subscriptionId)).toBe(0);
  });

  test('what is missing or wrong has its own code', async () => {
    const { customer, wallet, subscriptionId } = await subscribed();
    const session = await server.signIn(customer);
    for (const [body, code, answered] of [
      [undefined, 'subscription_id_required', 400],
      [{ wallet }, 'subscription_id_required', 400],
      [{ subscriptionId: '', wallet }, 'subscription_id_required', 400],
      [{ subscriptionId: 7, wallet }, 'invalid_input', 400],
      [{ subscriptionId }, 'wallet_required', 400],
      [{ subscriptionId, wallet: '0x12' }, 'invalid_wallet', 400],
      [{ subscriptionId, wallet, signature: 7 }, 'invalid_signature', 400],
      [{ subscriptionId, wallet, expiresAt: 'soon' }, 'invalid_input', 400],
      [{ subscriptionId: 'sub_nothing', wallet }, 'not_found', 404],
    ] as const) {
      const answer = await cancel(body, session);
      expect([body, answer.status, answer.body.error]).toEqual([body, answered, code]);
    }
    const foreign = await cancel({ subscriptionId, wallet }, other.auth);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
  });
});
