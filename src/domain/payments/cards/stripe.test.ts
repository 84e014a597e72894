import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { error, STRIPE_KEY, STRIPE_SECRET, type StripeStandIn, startStripe } from '../../../../test/support/stripe.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { StripeNetwork } from '../../../base/platform/config/onramp.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import type { SessionRequest } from './provider.ts';
import { stripeProvider } from './stripe.ts';

let stripe: StripeStandIn;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(() => stripe.stop());

const SPLIT = `0x${'ab'.repeat(20)}` as Wallet;
const MERCHANT = `0x${'cd'.repeat(20)}` as Wallet;
const log = createLog('silent');

const providerAt = (apiUrl: string, network: StripeNetwork = 'ethereum') =>
  stripeProvider(
    {
      ...{ provider: 'stripe', secretKey: STRIPE_KEY, webhookSecret: STRIPE_SECRET, apiUrl },
      networks: new Map([[1, network]]),
    },
    log,
  );

let attempts = 0;
const request = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  merchant: MERCHANT,
  receiptId: 'R-1',
  chainId: 1,
  payTo: SPLIT,
  amount: 110_054_321n,
  decimals: 6,
  attempt: `attempt ${++attempts}`,
  buyer: null,
  buyerAddress: null,
  redirectUrl: null,
  ...more,
});
const fieldsOf = (form: URLSearchParams | undefined) => Object.fromEntries(form ?? []);

describe('a session', () => {
  // Contract: native.onramp-amount, service.onramp
  test('is requested with USDC on the chain, to the split only, for the quoted amount', async () => {
    const answer = await providerAt(stripe.url).openSession(
      request({
        buyer: {
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
          line1: '354 Oyster Point Blvd',
          line2: 'Apt 1A',
          city: 'South San Francisco',
          state: 'CA',
          zip: '94080',
          country: 'us',
        },
        buyerAddress: '8.8.4.4',
        redirectUrl: 'https://shop.example/thanks?order=7',
      }),
    );
    expect(fieldsOf(stripe.sessionForms().at(-1))).toEqual({
      'wallet_addresses[ethereum]': SPLIT,
      lock_wallet_address: 'true',
      source_currency: 'usd',
      source_amount: '110.06',
      destination_currency: 'usdc',
      'destination_currencies[0]': 'usdc',
      destination_network: 'ethereum',
      'destination_networks[0]': 'ethereum',
      'metadata[receipt_id]': 'R-1',
      'metadata[merchant]': MERCHANT,
      customer_ip_address: '8.8.4.4',
      'customer_information[email]': 'ada@example.com',
      'customer_information[first_name]': 'Ada',
      'customer_information[last_name]': 'Lovelace',
      'customer_information[address][line1]': '354 Oyster Point Blvd',
      'customer_information[address][line2]': 'Apt 1A',
      'customer_information[address][city]': 'South San Francisco',
      'customer_information[address][state]': 'CA',
      'customer_information[address][postal_code]': '94080',
      'customer_information[address][country]': 'US',
      redirect_url: 'https://shop.example/thanks?order=7',
    });
    const sent = stripe.requests.at(-1)!;
    expect(sent.headers).toMatchObject({
      authorization: `Bearer ${STRIPE_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const asked = stripe.requests.at(-2)!;
    expect(asked.path).toBe('/v1/crypto/onramp_quotes');
    expect(fieldsOf(asked.query)).toEqual({
      source_currency: 'usd',
      destination_amount: '110.054321',
      'destination_currencies[]': 'usdc',
      'destination_networks[]': 'ethereum',
    });
    expect(answer).toMatchObject({
      kind: 'opened',
      sessionId: expect.stringMatching(/^cos_test_/),
      url: expect.stringContaining('https://crypto.link.example/?session_hash='),
      sourceAmountCents: 11_006,
      customerTotalCents: 11_318,
    });
  });

  test('has no field for unknown values, and Base’s address under its own name', async () => {
    await providerAt(stripe.url, 'base').openSession(request());
    const fields = fieldsOf(stripe.sessionForms().at(-1));
    expect(fields).toMatchObject({ 'wallet_addresses[base_network]': SPLIT, destination_network: 'base' });
    expect(Object.keys(fields).filter((name) => /customer|redirect/.test(name))).toEqual([]);
  });

  test('is requested at par, rounded up to the cent, if there is no quote', async () => {
    stripe.setQuoting(false);
    const answer = await providerAt(stripe.url).openSession(request({ amount: 5_000_001n }));
    stripe.setQuoting(true);
    expect(stripe.sessionForms().at(-1)?.get('source_amount')).toBe('5.01');
    expect(answer).toMatchObject({ sourceAmountCents: 501, customerTotalCents: null });
  });

  test('is the same for the same attempt, and another for another attempt', async () => {
    const provider = providerAt(stripe.url);
    const once = request();
    const ids = await Promise.all([once, once, request()].map((one) => provider.openSession(one)));
    const [first, again, other] = ids.map((answer) => (answer.kind === 'opened' ? answer.sessionId : null));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('is requested again without the parameters that the API version does not support', async () => {
    stripe.answerNext(
      error(400, 'invalid_request_error', 'parameter_unknown', { param: 'customer_information[email]' }),
      error(400, 'invalid_request_error', 'parameter_unknown', { param: 'redirect_url' }),
      error(400, 'invalid_request_error', 'parameter_unknown', { param: 'customer_ip_address' }),
    );
    const answer = await providerAt(stripe.url).openSession(
      request({
        buyer: { email: 'ada@example.com' },
        buyerAddress: '8.8.4.4',
        redirectUrl: 'https://shop.example/',
      }),
    );
    expect(answer.kind).toBe('opened');
    const names = [...(stripe.sessionForms().at(-1) ?? [])].map(([name]) => name);
    expect(names.filter((name) => /customer|redirect/.test(name))).toEqual([]);
  });

  test('has no redirect to a page without TLS', async () => {
    await providerAt(stripe.url).openSession(request({ redirectUrl: 'http://localhost:4000/portal/R-1' }));
    expect(stripe.sessionForms().at(-1)?.has('redirect_url')).toBe(false);
  });
});

describe('a refusal of Stripe is returned as a failure', () => {
  test.each([
    ['crypto_onramp_unsupportable_customer', 'PORTAL_REGION_UNSUPPORTED'],
    ['crypto_onramp_unsupported_country', 'PORTAL_REGION_UNSUPPORTED'],
    ['crypto_onramp_amount_below_minimum', 'PORTAL_LIMIT_AMOUNT_BELOW_MIN'],
    ['crypto_onramp_disabled', 'PORTAL_SYS_GENERIC_FAILURE'],
    ['a_code_of_next_year', 'PORTAL_SYS_GENERIC_FAILURE'],
  ])('%s is %s', async (code, failure) => {
    stripe.answerNext(error(400, 'invalid_request_error', code));
    expect(await providerAt(stripe.url).openSession(request())).toMatchObject({ kind: 'refused', code: failure });
  });

  test('a wrong key is a generic failure, and the reason contains neither key nor body', async () => {
    const config = {
      webhookSecret: STRIPE_SECRET,
      apiUrl: stripe.url,
      networks: new Map([[1, 'ethereum'] as const]),
    } as const;
    const provider = stripeProvider({ provider: 'stripe', secretKey: 'sk_test_wrong', ...config }, log);
    const answer = await provider.openSession(request({ buyer: { email: 'ada@example.com' } }));
    expect(answer).toMatchObject({ kind: 'refused', code: 'PORTAL_SYS_GENERIC_FAILURE' });
    expect(JSON.stringify(answer)).not.toMatch(/sk_test|ada@/);
  });

  test('a connection that breaks twice is a network timeout', async () => {
    stripe.answerNext('hang up', 'hang up');
    expect(await providerAt(stripe.url).openSession(request())).toMatchObject({
      kind: 'refused',
      code: 'PORTAL_SYS_NETWORK_TIMEOUT',
    });
  });

  test('an address without a listener is a network timeout', async () => {
    expect(await providerAt('http://127.0.0.1:9').openSession(request())).toMatchObject({
      kind: 'refused',
      code: 'PORTAL_SYS_NETWORK_TIMEOUT',
    });
  });
});
