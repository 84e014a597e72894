import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { MILLIS, refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ env: { PARTNER_HOSTS: 'pay.partner.test=partner' } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const read = () => server.call('GET', '/api/shop/config', { headers: merchant.auth });
const write = (body: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/shop/config', { headers, body });

const THEME = {
  primaryColor: null,
  secondaryColor: null,
  textColor: null,
  accentColor: null,
  brandLogoUrl: null,
  coverPhotoUrl: null,
  fontFamily: null,
  logoShape: null,
  heroFontSize: null,
};

describe('GET and POST /api/shop/config', () => {
  // Contract: merchant.shop-read
  test('answers the configuration', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      config: {
        name: expect.toSatisfy((name) => name === null || typeof name === 'string', 'a name or null'),
        description: null,
        bio: null,
        theme: THEME,
        arrangement: null,
        xpPerDollar: 0,
        slug: null,
        links: [],
        processingFeePct: 0,
        setupComplete: false,
        postPaymentScripts: false,
        allowRenewal: false,
        holdStock: false,
        gasless: true,
        paymentTokens: null,
        lateHours: 24,
        tolerancePct: 0,
        toleranceUsd: 0,
        createdAt: MILLIS,
        updatedAt: MILLIS,
      },
    });
  });

  // Contract: merchant.shop-write, merchant.processing-fee
  test('a write merges, and answers the whole configuration', async () => {
    const first = await write({
      processingFeePct: 1.5,
      theme: { primaryColor: '#112233' },
      links: [{ label: 'a', url: 'https://a.example/' }],
    });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      ok: true,
      config: { processingFeePct: 1.5, theme: { ...THEME, primaryColor: '#112233' } },
    });
    const second = await write({ description: 'Teas', theme: { textColor: '#000' } });
    expect(second.body.config).toMatchObject({
      processingFeePct: 1.5,
      description: 'Teas',
      theme: { ...THEME, primaryColor: '#112233', textColor: '#000' },
      links: [{ label: 'a', url: 'https://a.example/' }],
    });
    expect((await read()).body.config).toEqual(second.body.config);
  });

  // Contract: merchant.processing-fee
  test.each([
    [{ processingFeePct: 20.01 }, 'processingFeePct'],
    [{ processingFeePct: -1 }, 'processingFeePct'],
    [{ processingFeePct: '1' }, 'processingFeePct'],
    [{ processingFeePct: 1.005 }, 'processingFeePct'],
    [{ theme: { primaryColor: 'red;}' } }, 'theme.primaryColor'],
    [{ links: [{ label: 'x', url: 'javascript:alert(1)' }] }, 'links[0].url'],
    [{ slug: 'A b' }, 'slug'],
    [{ setupComplete: 1 }, 'setupComplete'],
    [{ postPaymentScripts: 'yes' }, 'postPaymentScripts'],
    [{ lateHours: -1 }, 'lateHours'],
    [{ lateHours: 721 }, 'lateHours'],
    [{ lateHours: 1.5 }, 'lateHours'],
    [{ lateHours: '24' }, 'lateHours'],
    [{ tolerancePct: 10.01 }, 'tolerancePct'],
    [{ tolerancePct: -1 }, 'tolerancePct'],
    [{ tolerancePct: 0.001 }, 'tolerancePct'],
    [{ toleranceUsd: 1000.01 }, 'toleranceUsd'],
    [{ toleranceUsd: -0.01 }, 'toleranceUsd'],
    [{ toleranceUsd: '1' }, 'toleranceUsd'],
  ])('refuses %j with 400 invalid_input and keeps what is there', async (body, field) => {
    const before = (await read()).body;
    const answer = await write(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field }));
    expect((await read()).body).toEqual(before);
  });

  test('late hours and tolerance are kept to the limits, over GraphQL as over REST', async () => {
    const most = { lateHours: 720, tolerancePct: 10, toleranceUsd: 1_000 };
    expect((await write(most)).body.config).toMatchObject(most);
    const least = { lateHours: 0, tolerancePct: 0.5, toleranceUsd: 0.01 };
    const query = `mutation ($input: ShopConfigInput!) {
      updateShopConfig(input: $input) { lateHours tolerancePct toleranceUsd } }`;
    const body = { query, variables: { input: least } };
    const answer = await server.call('POST', '/api/graphql', { headers: session, body });
    expect(answer.body.data.updateShopConfig).toEqual(least);
    expect((await read()).body.config).toMatchObject(least);
    const refused = { query, variables: { input: { tolerancePct: 11 } } };
    const { errors } = (await server.call('POST', '/api/graphql', { headers: session, body: refused })).body;
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'tolerancePct' });
    await write({ lateHours: 24, tolerancePct: 0, toleranceUsd: 0 });
  });

  test('scripts of orders are off until the admin switches them on; a key that reads the shop sees it, and cannot', async () => {
    expect((await read()).body.config.postPaymentScripts).toBe(false);
    const byKey = await write({ postPaymentScripts: true }, merchant.auth);
    expect([byKey.status, byKey.body.error]).toEqual([403, 'forbidden']);
    expect((await read()).body.config.postPaymentScripts).toBe(false);
    expect((await write({ postPaymentScripts: true })).body.config.postPaymentScripts).toBe(true);
    expect((await write({ description: 'Teas' })).body.config.postPaymentScripts).toBe(true);
    expect((await write({ postPaymentScripts: false })).body.config.postPaymentScripts).toBe(false);
  });

  // Contract: service.admin-only, merchant.shop-write
  test('only the admin writes: a key is 403, no proof 401, no CSRF token 403', async () => {
    expect((await write({ processingFeePct: 0 }, merchant.auth)).body).toStrictEqual(
      refusal('forbidden', { reason: 'session_required' }),
    );
    expect((await write({ processingFeePct: 0 }, {})).body.message).toBe('JWT authentication failed');
    const unproven = await write({ processingFeePct: 0 }, { cookie: session.cookie as string });
    expect([unproven.status, unproven.body.error]).toEqual([403, 'forbidden']);
    expect((await read()).body.config.processingFeePct).toBe(1.5);
  });
});

describe('GET /api/site/config', () => {
  // Contract: merchant.site
  test('answers anyone the platform defaults', async () => {
    const { status, body } = await server.call('GET', '/api/site/config');
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      theme: {
        primaryColor: expect.any(String),
        secondaryColor: expect.any(String),
        brandLogoUrl: null,
        brandFaviconUrl: null,
        brandName: expect.any(String),
        fontFamily: expect.any(String),
        receiptBackgroundUrl: null,
      },
      brandKey: expect.any(String),
      processingFeePct: 0.5,
      defaultPaymentToken: 'USDC',
      reserveRatios: expect.any(Object),
    });
    const ratios = Object.values(body.reserveRatios as Record<string, number>);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0)).toBeCloseTo(1, 9);
  });
});

describe('GET /api/tax/catalog', () => {
  // Contract: merchant.tax
  test('answers jurisdictions with their components', async () => {
    const { status, body } = await server.call('GET', '/api/tax/catalog', { headers: merchant.auth });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['jurisdictions']);
    const california = body.jurisdictions.find((entry: { code: string }) => entry.code === 'US-CA');
    expect(california).toStrictEqual({
      code: 'US-CA',
      displayName: expect.any(String),
      rate: 0.0725,
      components: expect.any(Array),
      updatedAt: MILLIS,
    });
    for (const component of california.components)
      expect(component).toStrictEqual({ code: expect.any(String), rate: expect.any(Number) });
  });

  test('needs shop:read', async () => {
    const other = await server.merchant({ scopes: ['orders:create'] });
    const answer = await server.call('GET', '/api/tax/catalog', { headers: other.auth });
    expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
  });
});
