import { parseSignature, serializeErc6492Signature, serializeSignature } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { readHead } from '../../src/base/chain/blocks.ts';
import { deploymentTransaction } from '../../src/base/chain/create2.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { accountFactory, accountOf, createAccountTransaction } from '../../src/base/chain/spend-permission-account.ts';
import { hashSpendPermission, spendPermissionTypedData } from '../../src/base/chain/spend-permissions.ts';
import { isDeployed } from '../../src/base/chain/splitter.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { openSignature } from '../../src/domain/recurring/subscriptions/signature-encryption.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';
import {
  fittingPermission,
  makePlan,
  signPermission,
  subscribe,
  subscriptionBody,
  type TestPlan,
  tokenOf,
  walletOf,
} from '../support/subscriber.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let plan: TestPlan;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  plan = await makePlan(server, merchant);
});
afterAll(() => server.stop());

const PATH = '/api/subscriptions/create';
const countOf = async (customer: string) => {
  const query = statement('count-of-test', 'select count(*)::int as n from subscriptions where customer = $1');
  return (await runStatement<{ n: number }>(server.deps.db, query, [customer]))[0]?.n;
};

describe('POST /api/subscriptions/create', () => {
  // Contract: subscriptions.create, subscriptions.create-active, subscriptions.signature, states.subscription-active
  test('takes a permission that a plain wallet signed: 201 with exactly the three fields of the contract', async () => {
    const body = await subscriptionBody(server, plan);
    const answer = await subscribe(server, merchant, body);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        subscription: {
          subscriptionId: expect.stringMatching(/^sub_/),
          status: 'active',
          nextChargeAt: body.permissionData.start * 1000,
        },
      },
    ]);
  });

  // Contract: subscriptions.create-active, subscriptions.permission-times
  test('the first charge is due at the permission’s start, before or after now', async () => {
    const { timeMs } = await readHead(server.deps.chain);
    for (const ahead of [-40 * 86_400, 7 * 86_400]) {
      const start = Math.floor(timeMs / 1000) + ahead;
      const { body } = await subscribe(server, merchant, await subscriptionBody(server, plan, { start }));
      expect(body.subscription.nextChargeAt).toBe(start * 1000);
    }
  });

  // Contract: subscriptions.permission-allowance, subscriptions.permission-salt
  test('numbers may be written in hex, wallets in any letter case, and more may be allowed than the price', async () => {
    const customer = newAccount();
    const permission = await fittingPermission(server, plan, walletOf(customer), {
      allowance: '20000000',
      salt: '255',
    });
    const permissionSignature = await signPermission(server, customer, permission);
    const answer = await subscribe(server, merchant, {
      planId: plan.planId,
      customerWallet: customer.address,
      permissionSignature,
      permissionData: { ...permission, account: customer.address, allowance: '0x1312d00', salt: '0xff' },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  // Contract: subscriptions.signature
  test('a smart account’s signature counts, deployed (ERC-1271) or not yet (ERC-6492), and of its owner only', async () => {
    const sender = createSender(server.deps.chain, localAccount('buyer', 2).privateKey);
    const send = async (transaction: Parameters<typeof sender.send>[0]) => {
      const { hash } = await sender.send(transaction);
      await sender.waitFor(hash!);
    };
    if (!(await isDeployed(server.deps.chain, accountFactory.address)))
      await send(deploymentTransaction(accountFactory));
    const owner = newAccount();
    const [deployed, planned] = [accountOf([walletOf(owner)], 1n), accountOf([walletOf(owner)], 2n)];
    await send(createAccountTransaction([walletOf(owner)], 1n));
    const { to, data } = createAccountTransaction([walletOf(owner)], 2n);
    for (const [account, wrap] of [
      [deployed, (signature: `0x${string}`) => signature],
      [planned, (signature: `0x${string}`) => serializeErc6492Signature({ address: toAddress(to), data, signature })],
    ] as const) {
      const permissionData = await fittingPermission(server, plan, account);
      const body = { planId: plan.planId, customerWallet: account, permissionData };
      const foreign = wrap(await signPermission(server, newAccount(), permissionData));
      const refused = await subscribe(server, merchant, { ...body, permissionSignature: foreign });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_signature']);
      const own = wrap(await signPermission(server, owner, permissionData));
      const answer = await subscribe(server, merchant, { ...body, permissionSignature: own });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
  });

  describe('refuses, and writes nothing:', () => {
    const other = newAccount();
    test.each<[string, (head: number) => object, string]>([
      ['another account than the customer’s', () => ({ account: walletOf(other) }), 'account'],
      ['another spender', () => ({ spender: walletOf(other) }), 'spender'],
      ['an unknown token', () => ({ token: walletOf(other) }), 'token'],
      ['the native coin', () => ({ token: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee' }), 'token'],
      ['an allowance one unit below the price', () => ({ allowance: '14499999' }), 'allowance'],
      ['an allowance of nothing', () => ({ allowance: '0' }), 'allowance'],
      ['a shorter period than the plan’s', () => ({ period: 30 * 86_400 - 1 }), 'period'],
      ['a longer period than the plan’s', () => ({ period: 31 * 86_400 }), 'period'],
      ['an end that is the end of the first period', (head) => ({ start: head, end: head + 30 * 86_400 }), 'end'],
      ['an end before its start', (head) => ({ start: head, end: head - 1 }), 'end'],
      ['an end that has passed', (head) => ({ start: head - 40 * 86_400, end: head - 5 * 86_400 }), 'end'],
    ])('%s', async (_, change, field) => {
      const customer = newAccount();
      const head = Math.floor((await readHead(server.deps.chain)).timeMs / 1000);
      const body = await subscriptionBody(server, plan, { customer, ...change(head) });
      const answer = await subscribe(server, merchant, body);
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal('invalid_permission', { field: `permissionData.${field}` }),
      ]);
      expect(answer.body.message).toContain(`permissionData.${field}`);
      expect(await countOf(walletOf(customer))).toBe(0);
    });

    // Contract: subscriptions.permission-addresses, subscriptions.permission-allowance, subscriptions.permission-times
    // Contract: subscriptions.permission-salt, subscriptions.permission-extra
    test.each<[string, object | null, string]>([
      ['no permission', null, 'permissionData'],
      ['a permission that is a list', [], 'permissionData'],
      ['an account that is none', { account: '0x12' }, 'permissionData.account'],
      ['no spender', { spender: undefined }, 'permissionData.spender'],
      ['a token in words', { token: 'USDC' }, 'permissionData.token'],
      ['an allowance as a number', { allowance: 14_500_000 }, 'permissionData.allowance'],
      ['an allowance below nothing', { allowance: '-1' }, 'permissionData.allowance'],
      ['an allowance beyond 160 bits', { allowance: String(2n ** 160n) }, 'permissionData.allowance'],
      ['half a second', { period: 2_592_000.5 }, 'permissionData.period'],
      ['a start in milliseconds', { start: 1_790_000_000_000 }, 'permissionData.start'],
      ['an end beyond 48 bits', { end: 2 ** 48 }, 'permissionData.end'],
      ['an end in quotes', { end: '1890000000' }, 'permissionData.end'],
      ['a salt beyond 256 bits', { salt: String(2n ** 256n) }, 'permissionData.salt'],
      ['a salt in words', { salt: 'pepper' }, 'permissionData.salt'],
      ['no extraData', { extraData: undefined }, 'permissionData.extraData'],
      ['half a byte of extraData', { extraData: '0x1' }, 'permissionData.extraData'],
      ['too much extraData', { extraData: `0x${'00'.repeat(4097)}` }, 'permissionData.extraData'],
    ])('%s', async (_, change, field) => {
      const body = await subscriptionBody(server, plan);
      const permissionData = change === null || Array.isArray(change) ? change : { ...body.permissionData, ...change };
      const answer = await subscribe(server, merchant, { ...body, permissionData });
      expect([answer.status, answer.body]).toEqual([400, refusal('invalid_permission', { field })]);
      expect(await countOf(body.customerWallet)).toBe(0);
    });

    // Contract: subscriptions.signature
    test.each<[string, (body: Awaited<ReturnType<typeof subscriptionBody>>) => Promise<unknown> | unknown]>([
      ['no signature', () => undefined],
      ['a signature as a number', () => 7],
      ['an empty signature', () => '0x'],
      ['a signature in words', () => 'signed'],
      ['another wallet’s signature', ({ permissionData }) => signPermission(server, newAccount(), permissionData)],
      ['a signature cut short', ({ permissionSignature }) => permissionSignature.slice(0, -2)],
      ['a signature with something behind it', ({ permissionSignature }) => `${permissionSignature}00`],
    ])('%s: invalid_signature', async (_, sign) => {
      const body = await subscriptionBody(server, plan);
      const answer = await subscribe(server, merchant, { ...body, permissionSignature: await sign(body) });
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal('invalid_signature', { field: 'permissionSignature' }),
      ]);
      expect(await countOf(body.customerWallet)).toBe(0);
    });

    test.each([undefined, null, 5])(
      'a missing signature (%s) is invalid_signature, reported as required',
      async (none) => {
        const body = await subscriptionBody(server, plan);
        const answer = await subscribe(server, merchant, { ...body, permissionSignature: none });
        expect([answer.status, answer.body.error, answer.body.field]).toEqual([
          400,
          'invalid_signature',
          'permissionSignature',
        ]);
        expect(answer.body.message).toContain('must be a string');
      },
    );

    test.each([
      ['another chain', { chainId: 1 }],
      ['another version', { version: '2' }],
      ['another name', { name: 'Spend Permission Manager ' }],
      ['another contract', { verifyingContract: other.address }],
    ])('a signature in a domain of %s', async (_, domain) => {
      const customer = newAccount();
      const permissionData = await fittingPermission(server, plan, walletOf(customer));
      const typedData = spendPermissionTypedData(31337, spenderOf(server.deps).manager, permissionData);
      const permissionSignature = await customer.signTypedData({
        ...typedData,
        domain: { ...typedData.domain, ...domain },
      } as never);
      const answer = await subscribe(server, merchant, {
        planId: plan.planId,
        customerWallet: walletOf(customer),
        permissionSignature,
        permissionData,
      });
      expect(answer.body).toEqual(refusal('invalid_signature', { field: 'permissionSignature' }));
    });

    test.each([
      ['account', () => walletOf(newAccount()), 'invalid_permission'],
      ['allowance', () => '14500001', 'invalid_signature'],
      ['start', (value: number) => value - 1, 'invalid_signature'],
      ['end', (value: number) => value + 1, 'invalid_signature'],
      ['salt', () => '12345678901234567890', 'invalid_signature'],
      ['extraData', () => '0x00', 'invalid_signature'],
      ['token', () => tokenOf(server, 'USDT'), 'invalid_signature'],
    ] as const)('%s changed after it was signed', async (name, tamper, code) => {
      const body = await subscriptionBody(server, plan);
      const permissionData = { ...body.permissionData, [name]: tamper(body.permissionData[name] as never) };
      const answer = await subscribe(server, merchant, { ...body, permissionData });
      expect([answer.status, answer.body.error]).toEqual([400, code]);
      expect(await countOf(body.customerWallet)).toBe(0);
    });

    test('what is wrong outside of the permission, by its own code', async () => {
      const body = await subscriptionBody(server, plan);
      for (const [change, status, code] of [
        [{ planId: undefined }, 400, 'invalid_input'],
        [{ planId: 7 }, 400, 'invalid_input'],
        [{ planId: 'plan_nothing' }, 404, 'plan_not_found'],
        [{ customerWallet: undefined }, 400, 'invalid_wallet'],
        [{ customerWallet: '0x12' }, 400, 'invalid_wallet'],
      ] as const) {
        const answer = await subscribe(server, merchant, { ...body, ...change });
        expect([change, answer.status, answer.body.error]).toEqual([change, status, code]);
      }
      expect((await subscribe(server, merchant, undefined)).status).toBe(400);
      expect(await countOf(body.customerWallet)).toBe(0);
    });

    // Contract: states.plan-deactivated
    test('a plan that is not offered any more, and a merchant without a split', async () => {
      const headers = await server.signIn(merchant.account);
      const old = await makePlan(server, merchant);
      const kept = await subscriptionBody(server, old);
      const first = await subscribe(server, merchant, kept);
      await server.call('DELETE', '/api/subscriptions/plans', { headers, body: { planId: old.planId } });
      const refused = await subscribe(server, merchant, await subscriptionBody(server, old));
      expect([refused.status, refused.body]).toEqual([404, refusal('plan_not_found')]);
      // Who has subscribed before is not touched, and is answered the same.
      expect((await subscribe(server, merchant, kept)).body).toEqual(first.body);
      const { subscriptionId, nextChargeAt } = first.body.subscription;
      const path = `/api/subscriptions/status?subscriptionId=${subscriptionId}`;
      const { body } = await server.call('GET', path, { headers: merchant.auth });
      expect(body.subscription).toMatchObject({ status: 'active', nextChargeAt });

      const bare = await server.merchant({ split: false });
      const unpaid = await makePlan(server, bare);
      const without = await subscribe(server, bare, await subscriptionBody(server, unpaid));
      expect([without.status, without.body]).toEqual([403, refusal('split_required')]);
    });
  });

  test('the same permission again is the first subscription, also with the signature’s twin and fifty at once', async () => {
    const body = await subscriptionBody(server, plan);
    const { r, s, yParity } = parseSignature(body.permissionSignature);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const twin = serializeSignature({
      r,
      s: `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}`,
      yParity: 1 - yParity,
    });
    const bodies = Array.from({ length: 50 }, (_, i) => (i % 2 ? body : { ...body, permissionSignature: twin }));
    const answers = await Promise.all(bodies.map((each) => subscribe(server, merchant, each)));
    const ids = new Set(answers.map((answer) => answer.body.subscription?.subscriptionId));
    expect([answers.map(({ status }) => status).every((status) => status === 201), ids.size]).toEqual([true, 1]);
    expect(await countOf(body.customerWallet)).toBe(1);
  });

  test('a signature is stored encrypted, in the form that contracts accept', async () => {
    const body = await subscriptionBody(server, plan);
    const { r, s, yParity } = parseSignature(body.permissionSignature);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const high = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}` as const;
    // The twin, with its parity as 0 or 1: good to viem, and to no contract.
    const twin = `${serializeSignature({ r, s: high, yParity: 1 - yParity }).slice(0, -2)}0${1 - yParity}`;
    const { body: made } = await subscribe(server, merchant, { ...body, permissionSignature: twin });
    const query = statement(
      'sealed-of-test',
      'select s::text as row, sealed_signature as sealed from subscriptions s where id = $1',
    );
    const [kept] = await runStatement<{ row: string; sealed: string }>(server.deps.db, query, [
      made.subscription.subscriptionId,
    ]);
    expect(kept!.row).not.toContain(s.slice(2));
    expect(kept!.row).not.toContain(high.slice(2));
    const opened = openSignature(server.deps.settings, made.subscription.subscriptionId, kept!.sealed);
    expect(opened).toBe(body.permissionSignature);
  });

  test('one permission pays for one subscription: for another plan of the same terms it is invalid_permission', async () => {
    const body = await subscriptionBody(server, plan);
    expect((await subscribe(server, merchant, body)).status).toBe(201);
    const second = await makePlan(server, merchant);
    const answer = await subscribe(server, merchant, { ...body, planId: second.planId });
    expect([answer.status, answer.body]).toEqual([
      400,
      refusal('invalid_permission', { field: 'permissionData.salt' }),
    ]);
  });

  test('honours an Idempotency-Key: the same body the same answer, another body 400', async () => {
    const [one, two] = [await subscriptionBody(server, plan), await subscriptionBody(server, plan)];
    const headers = { ...merchant.auth, 'idempotency-key': crypto.randomUUID() };
    const send = (body: unknown) => server.call('POST', PATH, { headers, body });
    const [first, again, other] = [await send(one), await send(one), await send(two)];
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect([other.status, other.body.error]).toEqual([400, 'invalid_input']);
    expect(await countOf(two.customerWallet)).toBe(0);
  });

  test('any session may bring a permission, with its CSRF token; a key only to its own merchant’s plans', async () => {
    const body = await subscriptionBody(server, plan);
    const anyone = await server.signIn(newAccount());
    const bare = await server.call('POST', PATH, { headers: { cookie: anyone.cookie as string }, body });
    expect(bare.status).toBe(403);
    expect((await server.call('POST', PATH, { body })).status).toBe(401);
    const foreign = await subscribe(server, await server.merchant(), body);
    expect([foreign.status, foreign.body]).toEqual([404, refusal('plan_not_found')]);
    expect(await countOf(body.customerWallet)).toBe(0);
    expect((await server.call('POST', PATH, { headers: anyone, body })).status).toBe(201);
  });

  test('with the chain away it is 503 chain_unavailable, and nothing is written', async () => {
    const away = await startTestServer({ env: { RPC_URL: 'http://127.0.0.1:1' } });
    try {
      const shop = await away.merchant();
      const offered = await makePlan(away, shop);
      const body = await subscriptionBody(server, offered);
      const answer = await subscribe(away, shop, body);
      expect([answer.status, answer.body]).toEqual([503, refusal('chain_unavailable')]);
    } finally {
      await away.stop();
    }
  });

  test('the stored hash of a permission equals the manager’s own on the chain', async () => {
    const body = await subscriptionBody(server, plan);
    const { body: made } = await subscribe(server, merchant, body);
    const { manager } = spenderOf(server.deps);
    const answer = await server.call('POST', '/api/graphql', {
      headers: merchant.auth,
      body: { query: `{ subscription(subscriptionId: "${made.subscription.subscriptionId}") { permissionHash } }` },
    });
    expect(answer.body.data.subscription.permissionHash).toBe(hashSpendPermission(31337, manager, body.permissionData));
  });
});
