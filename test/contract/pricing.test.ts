import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server?.stop());

const read = (headers: Record<string, string> = merchant.auth) =>
  server.call('GET', '/api/pricing/config', { headers });
const write = (body: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/pricing/config', { headers, body });
const graphql = (query: string, variables: unknown, headers: Record<string, string>) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
const FIELDS = '{ nativeCurrency ethPer2Min minMinutes discountRules { minMinutes discountPct } updatedAt }';
const READ = `{ pricingConfig ${FIELDS} }`;
const WRITE = `mutation ($input: PricingConfigInput!) { updatePricingConfig(input: $input) ${FIELDS} }`;

const versionOf = async (wallet: string) => {
  const text = 'select version from merchants where wallet = $1';
  const [row] = await runStatement<{ version: number }>(server.deps.db, { name: 'test-version', text }, [wallet]);
  return row!.version;
};

describe('/api/pricing/config', () => {
  // Contract: merchant.pricing-read
  test('answers the defaults before the first write', async () => {
    const shop = await server.merchant();
    const config = { nativeCurrency: 'USD', ethPer2Min: null, minMinutes: null, discountRules: [], updatedAt: null };
    expect(await read(shop.auth)).toMatchObject({ status: 200, body: { config } });
    expect((await graphql(READ, {}, shop.auth)).body).toEqual({ data: { pricingConfig: config } });
  });

  // Contract: merchant.pricing-write
  test('a write merges, answers the whole and raises the version that orders are priced by', async () => {
    const before = await versionOf(merchant.wallet);
    const first = await write({ nativeCurrency: 'eur', ethPer2Min: 0.001, minMinutes: 2 });
    expect(first).toMatchObject({
      status: 200,
      body: { ok: true, config: { nativeCurrency: 'EUR', ethPer2Min: 0.001, minMinutes: 2, discountRules: [] } },
    });
    expect(first.body.config.updatedAt).toEqual(expect.any(Number));
    const rules = [
      { minMinutes: 60, discountPct: 12.5 },
      { minMinutes: 10, discountPct: 5 },
    ];
    const second = await write({ discountRules: rules, minMinutes: null });
    const config = {
      nativeCurrency: 'EUR',
      ethPer2Min: 0.001,
      minMinutes: null,
      discountRules: rules.toReversed(),
      updatedAt: second.body.config.updatedAt,
    };
    expect(second.body).toEqual({ ok: true, config });
    expect((await read()).body).toEqual({ config });
    expect((await read(session)).body).toEqual({ config });
    expect(await versionOf(merchant.wallet)).toBe(before + 2);

    const third = await graphql(WRITE, { input: { ethPer2Min: null } }, session);
    expect(third.body.data.updatePricingConfig).toMatchObject({
      ...config,
      ethPer2Min: null,
      updatedAt: expect.any(Number),
    });
  });

  test('the native currency is what a native terminal amount is in where nothing is said, at once', async () => {
    const shop = await server.merchant();
    const headers = await server.signIn(shop.account);
    const till = async () => {
      const { body } = await server.call('POST', '/api/receipts/terminal', { headers, body: { amount: 10 } });
      return body.receipt.currency;
    };
    expect(await till()).toBe('USD');
    await write({ nativeCurrency: 'EUR' }, headers);
    expect(await till()).toBe('EUR');
  });

  test.each([
    [{ nativeCurrency: 'GBP' }, 'nativeCurrency'],
    [{ ethPer2Min: -1 }, 'ethPer2Min'],
    [{ ethPer2Min: 1_000_001 }, 'ethPer2Min'],
    [{ minMinutes: 1.5 }, 'minMinutes'],
    [{ minMinutes: -1 }, 'minMinutes'],
    [{ discountRules: [{ minMinutes: 5, discountPct: 101 }] }, 'discountRules[0].discountPct'],
    [{ discountRules: [{ minMinutes: 5, discountPct: 1.005 }] }, 'discountRules[0].discountPct'],
    [
      {
        discountRules: [
          { minMinutes: 5, discountPct: 1 },
          { minMinutes: 5, discountPct: 2 },
        ],
      },
      'discountRules[1].minMinutes',
    ],
  ])('%j is refused, naming %s, and changes nothing', async (body, field) => {
    const before = (await read()).body;
    expect(await write(body)).toMatchObject({ status: 400, body: { error: 'invalid_input', field } });
    expect((await graphql(WRITE, { input: body }, session)).body.errors[0].extensions).toMatchObject({
      code: 'invalid_input',
    });
    expect((await read()).body).toEqual(before);
  });

  test.each(['1e400', '"2"', 'true'])('ethPer2Min %s is refused', async (text) => {
    const raw = `{"ethPer2Min":${text}}`;
    expect(await server.call('POST', '/api/pricing/config', { headers: session, raw })).toMatchObject({
      status: 400,
      body: { error: 'invalid_input' },
    });
  });

  // Contract: service.admin-only, merchant.pricing-write
  test('a developer key never writes, nor a session without its CSRF token or merchant', async () => {
    const { 'x-csrf-token': _, ...withoutCsrf } = session;
    const stranger = await server.signIn(newAccount());
    for (const headers of [merchant.auth, withoutCsrf, stranger] as Record<string, string>[]) {
      expect(await write({ minMinutes: 3 }, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
      const answer = await graphql(WRITE, { input: { minMinutes: 3 } }, headers);
      expect(answer.body.errors[0].extensions.code).toBe('forbidden');
    }
    expect(await write({ minMinutes: 3 }, {})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });

  test('reading needs shop:read, and a wallet in the body must be the own one', async () => {
    const { auth } = await server.merchant({ scopes: ['orders:create', 'graphql:read'] });
    expect(await read(auth)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await graphql(READ, {}, auth)).body.errors[0].extensions.code).toBe('forbidden');
    expect(await read({})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    expect(await write({ wallet: newAccount().address })).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect(await write({ wallet: 'me' })).toMatchObject({ status: 400, body: { error: 'invalid_wallet' } });
  });
});
