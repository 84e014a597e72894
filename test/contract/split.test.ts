import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { noSession, refusal, WALLET } from './catalog.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { SPLIT_VERIFICATION: 'lenient' } });
});
afterAll(() => server.stop());

const A = `0x${'a1'.repeat(20)}`;
const B = `0x${'b2'.repeat(20)}`;

async function newMerchant(on = server) {
  const merchant = await on.merchant({ split: false });
  const session = await on.signIn(merchant.account);
  return {
    merchant,
    deploy: (body: unknown, headers: Record<string, string> = session) =>
      on.call('POST', '/api/split/deploy', { headers, body }),
    read: () => on.call('GET', '/api/split/deploy', { headers: merchant.auth }),
  };
}

describe('GET /api/split/deploy', () => {
  // Contract: split.not-configured, split.read
  test('not configured is 200 with address null and no recipients', async () => {
    const { read } = await newMerchant();
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toStrictEqual({ split: { address: null, recipients: [] } });
  });
});

describe('POST /api/split/deploy', () => {
  // Contract: split.write, split.write-idempotent, split.read, split.recipients
  test('configures the split; a second call answers it with idempotent: true, also for another body', async () => {
    const { merchant, deploy, read } = await newMerchant();
    const first = await deploy({
      recipients: [
        { address: A, sharesBps: 6000 },
        { address: B.toUpperCase().replace('0X', '0x'), sharesBps: 3950 },
      ],
    });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const platform = server.deps.settings.platformRecipient;
    expect(first.body).toStrictEqual({
      ok: true,
      split: {
        address: WALLET,
        recipients: [
          { address: A, sharesBps: 6000 },
          { address: B, sharesBps: 3950 },
          { address: platform, sharesBps: 50 },
        ],
      },
    });
    const second = await deploy({});
    expect(second.body).toStrictEqual({ ...first.body, idempotent: true });
    expect((await read()).body).toStrictEqual({ split: first.body.split });
    expect(merchant.split).toBeNull();
  });

  test('without recipients the merchant has 9950 and the platform 50', async () => {
    const { merchant, deploy } = await newMerchant();
    const { body } = await deploy({});
    expect(body.split.recipients).toEqual([
      { address: merchant.wallet, sharesBps: 9950 },
      { address: server.deps.settings.platformRecipient, sharesBps: 50 },
    ]);
  });

  test('lenient verification takes an address as it is; it belongs to one merchant', async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    const splitAddress = `0x${'c3'.repeat(20)}`;
    const taken = await one.deploy({ splitAddress });
    expect([taken.status, taken.body.split.address]).toEqual([200, splitAddress]);
    const refused = await two.deploy({ splitAddress });
    expect(refused.status).toBe(400);
    expect(refused.body).toStrictEqual(refusal('invalid_input', { field: 'splitAddress', reason: 'split_taken' }));
  });

  // Contract: split.write-recipient, split.write-invalid, limits.shares, split.recipients
  test.each([
    ['shares of 10000 without the platform', [{ address: A, sharesBps: 10_000 }]],
    ['shares below 9950', [{ address: A, sharesBps: 9_000 }]],
    [
      'a duplicate address',
      [
        { address: A, sharesBps: 5_000 },
        { address: A, sharesBps: 4_950 },
      ],
    ],
    ['the zero address', [{ address: `0x${'0'.repeat(40)}`, sharesBps: 9_950 }]],
    [
      'a share of 0',
      [
        { address: A, sharesBps: 0 },
        { address: B, sharesBps: 9_950 },
      ],
    ],
    ['half a basis point', [{ address: A, sharesBps: 9_949.5 }]],
    ['no share', [{ address: A }]],
    ['no address', [{ sharesBps: 9_950 }]],
    ['an address that is none', [{ address: '0x12', sharesBps: 9_950 }]],
  ])('refuses %s with 400 invalid_input', async (_, recipients) => {
    const { deploy, read } = await newMerchant();
    const answer = await deploy({ recipients });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_input');
    expect(answer.body.message).toMatch(/recipients|shares|10000|9950/);
    expect((await read()).body.split.address).toBeNull();
  });

  test('10000 without the platform is refused with both solutions', async () => {
    const { deploy } = await newMerchant();
    const { body } = await deploy({ recipients: [{ address: A, sharesBps: 10_000 }] });
    expect(body.message).toContain('9950');
    expect(body.message).toContain(server.deps.settings.platformRecipient);
  });

  // Contract: split.write-admin, service.admin-only
  test('a developer key cannot write a split, nor can a session without CSRF token', async () => {
    const { merchant, deploy, read } = await newMerchant();
    const byKey = await deploy({}, merchant.auth);
    expect(byKey.status).toBe(403);
    expect(byKey.body).toStrictEqual(refusal('forbidden', { reason: 'session_required' }));
    const { cookie } = await server.signIn(merchant.account);
    expect((await deploy({}, { cookie: cookie as string })).status).toBe(403);
    const anonymous = await deploy({}, {});
    expect([anonymous.status, anonymous.body]).toEqual([401, noSession('session_missing')]);
    expect((await read()).body.split.address).toBeNull();
  });

  // Contract: errors.platform-recipient
  test('a server without a platform recipient refuses with 400 platform_recipient_not_configured', async () => {
    // No chain but the local one has a recipient by default.
    const bare = await startTestServer({ env: { CHAIN_ID: '8453', RPC_URL: 'http://127.0.0.1:1' } });
    const { deploy } = await newMerchant(bare);
    for (const body of [{}, { recipients: [{ address: A, sharesBps: 9_950 }] }]) {
      const answer = await deploy(body);
      expect([answer.status, answer.body]).toEqual([400, refusal('platform_recipient_not_configured')]);
    }
    await bare.stop();
  });

  test('strict verification refuses an address that is no known splitter with these shares', async () => {
    const strict = await startTestServer({ env: { SPLIT_VERIFICATION: 'strict' } });
    try {
      const { deploy, read } = await newMerchant(strict);
      const answer = await deploy({ splitAddress: A });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'splitAddress', reason: 'split_differs' }));
      expect((await read()).body.split.address).toBeNull();
      expect((await deploy({})).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});

describe('GET /api/split/transactions', () => {
  // Contract: split.transactions
  test('answers an array, also with an address to filter by', async () => {
    const merchant = await server.merchant();
    for (const query of ['', `?address=${merchant.split}`, `?address=${merchant.wallet}`]) {
      const { status, body } = await server.call('GET', `/api/split/transactions${query}`, { headers: merchant.auth });
      expect([status, body]).toEqual([200, []]);
    }
    const wrong = await server.call('GET', '/api/split/transactions?address=0x12', { headers: merchant.auth });
    expect(wrong.status).toBe(400);
    expect(['invalid_input', 'invalid_wallet']).toContain(wrong.body.error);
  });
});

describe('POST /api/split/withdraw', () => {
  // Contract: split.withdraw, split.withdraw-correlation, errors.deprecated
  test('is 410 deprecated: use_connected_wallet', async () => {
    const merchant = await server.merchant({ scopes: ['split:read'] });
    for (const headers of [merchant.auth, await server.signIn(merchant.account)] as Record<string, string>[]) {
      const answer = await server.call('POST', '/api/split/withdraw', { headers, body: {} });
      expect(answer.status).toBe(410);
      expect(answer.body).toStrictEqual({
        error: 'deprecated',
        reason: 'use_connected_wallet',
        message: expect.stringMatching(/collect, then .*release/),
      });
      expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(answer.headers.get('x-correlation-id')).toMatch(/./);
    }
  });

  test('needs a key or a session like every route', async () => {
    const answer = await server.call('POST', '/api/split/withdraw', { body: {} });
    expect(answer.status).toBe(401);
    expect(answer.body).toStrictEqual(refusal('unauthorized'));
  });
});
