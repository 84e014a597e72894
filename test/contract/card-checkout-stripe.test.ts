import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { csrfToken } from '../../src/domain/access/gateway/csrf.ts';
import { openSession, SESSION_COOKIE } from '../../src/domain/access/gateway/session.ts';
import { reportOverdue, sweepSessions } from '../../src/domain/payments/cards/due-sessions.ts';
import { cardProvider } from '../../src/domain/payments/cards/providers.ts';
import { DELIVERED_AFTER_MS, EXPIRES_AFTER_MS } from '../../src/domain/payments/cards/sessions.ts';
import { ask } from '../graphql/ask.ts';
import { breakReceipt, mendReceipt } from '../support/broken-receipt.ts';
import { type CardPage, namesOf, openCardPage } from '../support/card.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { postStripe, type StripeStandIn, startStripe, stripeEvent } from '../support/stripe.ts';
import { stock } from './catalog.ts';

let stripe: StripeStandIn;
let server: TestServer;
let shop: TestMerchant;
/** How far the server's clock is ahead. */
let aheadMs = 0;
const clock = () => Date.now() + aheadMs;
beforeAll(async () => {
  stripe = await startStripe();
  server = await startTestServer({ clock, env: stripe.env });
  shop = await server.merchant();
  await stock(server, shop, [{ sku: 'TEA', priceUsd: 10 }]);
});
afterAll(async () => {
  await server?.stop();
  stripe?.stop();
});

describe('a checkout that was begun at Stripe', () => {
  test('expires an hour after the buyer’s last step; what Stripe completes after all is taken up again', async () => {
    const page = await openCardPage(server, shop);
    await page.start();
    const { onrampSessionId } = await page.read();
    // The tolerance of signatures follows the server's clock, so events are signed by a clock that is as far ahead.
    const signedNow = async (body: string) => {
      const ahead = aheadMs;
      aheadMs = 0;
      const answer = await postStripe(server, body);
      aheadMs = ahead;
      return answer;
    };
    aheadMs = 0;
    await signedNow(stripeEvent(onrampSessionId, 'requires_payment'));
    aheadMs = EXPIRES_AFTER_MS - 10_000;
    await sweepSessions(server.deps);
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'requires_payment' } });
    aheadMs = EXPIRES_AFTER_MS + 1_000;
    await sweepSessions(server.deps);
    expect(await page.read()).toMatchObject({
      status: 'failed',
      failure: { code: 'PORTAL_SESSION_EXPIRED' },
      cardSession: { status: 'expired' },
    });
    await signedNow(stripeEvent(onrampSessionId, 'fulfillment_processing'));
    expect(await page.read()).toMatchObject({
      status: 'pending',
      failure: null,
      onrampSessionId,
      cardSession: { status: 'fulfillment_processing' },
    });
    aheadMs = 0;
  });

  test('that was charged and not delivered within the hour is reported to operator and merchant, once', async () => {
    const page = await openCardPage(server, shop);
    await page.start();
    const { onrampSessionId } = await page.read();
    aheadMs = 0;
    await postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_processing'));
    const { receiptId } = page;
    const alerts: unknown[] = [];
    const log = Object.assign(Object.create(server.deps.log), {
      warn: (fields: { receiptId: string }) => fields.receiptId === receiptId && alerts.push(fields),
    });
    const lookAfter = async (ms: number) => {
      aheadMs = ms;
      await reportOverdue({ ...server.deps, log });
    };
    await lookAfter(DELIVERED_AFTER_MS - 10_000);
    expect(alerts).toEqual([]);
    await Promise.all([lookAfter(DELIVERED_AFTER_MS + 1_000), lookAfter(DELIVERED_AFTER_MS + 1_000)]);
    const alert = {
      alert: 'card_not_delivered',
      provider: 'stripe',
      merchant: shop.wallet,
      receiptId,
      onrampSessionId,
    };
    expect(alerts).toEqual([expect.objectContaining(alert)]);
    expect(namesOf(await page.read()).at(-1)).toBe('card_overdue');
    aheadMs = 0;
    await postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_complete'));
    await lookAfter(3 * DELIVERED_AFTER_MS);
    expect(alerts).toHaveLength(1);
    aheadMs = 0;
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'fulfillment_complete' } });
  });

  test('holds up no other one if its receipt cannot be changed', async () => {
    aheadMs = 0;
    const [broken, other] = [await openCardPage(server, shop), await openCardPage(server, shop)];
    for (const page of [broken, other]) await page.start();
    await breakReceipt(server, broken.receiptId);
    aheadMs = EXPIRES_AFTER_MS + 10_000;
    await sweepSessions(server.deps);
    const statusOf = async (page: CardPage) => (await page.read()).cardSession?.status;
    expect([await statusOf(broken), await statusOf(other)]).toEqual(['initialized', 'abandoned']);
    await mendReceipt(server, broken.receiptId);
    await sweepSessions(server.deps);
    expect(await statusOf(broken)).toBe('abandoned');
    aheadMs = 0;
  });

  test('is reported as not delivered also if the receipt of an earlier one cannot be changed', async () => {
    aheadMs = 0;
    const pages = [await openCardPage(server, shop), await openCardPage(server, shop)] as const;
    for (const page of pages) {
      await page.start();
      const { onrampSessionId } = await page.read();
      await postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_processing'));
    }
    const [broken, other] = pages;
    await breakReceipt(server, broken.receiptId);
    aheadMs = DELIVERED_AFTER_MS + 1_000;
    await reportOverdue(server.deps);
    expect(namesOf(await other.read())).toContain('card_overdue');
    await mendReceipt(server, broken.receiptId);
    await reportOverdue(server.deps);
    expect(namesOf(await broken.read())).toContain('card_overdue');
    aheadMs = 0;
  });

  test('whose delivery arrived without paying the receipt is reported as not delivered', async () => {
    const page = await openCardPage(server, shop);
    await page.start();
    const { onrampSessionId } = await page.read();
    const transactionHash = `0x${'5e'.repeat(32)}`;
    aheadMs = 0;
    await postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_complete', { transaction_id: transactionHash }));
    const { chainId } = server.deps.chain;
    await server.deps.db.orm.em.fork().execute(
      `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token, sender, pay_to, amount, canonical,
                              merchant, exact, unmatched_reason, seen_at)
       values (?, '0xb1', ?, 0, 1, 1, 'USDC', '0xsender', '0xsplit', 1, true, ?, false, 'unknown_amount', 1)`,
      [chainId, transactionHash, shop.wallet],
    );
    const alerts: unknown[] = [];
    const log = Object.assign(Object.create(server.deps.log), { warn: (fields: unknown) => alerts.push(fields) });
    aheadMs = DELIVERED_AFTER_MS + 1_000;
    await reportOverdue({ ...server.deps, log });
    aheadMs = 0;
    expect(alerts).toContainEqual(
      expect.objectContaining({ alert: 'card_not_delivered', receiptId: page.receiptId, receiptStatus: 'pending' }),
    );
  });

  // Contract: service.onramp-tabs
  test('at a provider whose page opens in a tab of its own carries no redirect address', async () => {
    const provider = (await cardProvider(server.deps)) as { opensInNewTab: boolean };
    provider.opensInNewTab = true;
    onTestFinished(() => {
      provider.opensInNewTab = false;
    });
    const page = await openCardPage(server, shop, { redirectUrl: 'https://shop.example/back' });
    const { body } = await page.start();
    expect(body.data.startCardCheckout).toMatchObject({ opensInNewTab: true, failure: null });
    expect(stripe.sessionForms().at(-1)?.get('redirect_url')).toBeNull();
  });

  test('tells Stripe the buyer’s public address, and no other: none behind a proxy that is not ours', async () => {
    const secret = 'e'.repeat(32);
    const behindEdge = await startTestServer({ clock, env: { ...stripe.env, EDGE_SECRET: secret } });
    onTestFinished(() => behindEdge.stop());
    const own = await behindEdge.merchant();
    const edge = { 'x-edge-secret': secret };
    const auth = { ...own.auth, ...edge };
    await stock(behindEdge, { ...own, auth }, [{ sku: 'TEA', priceUsd: 10 }]);
    const text = 'mutation ($receiptId: ID!) { startCardCheckout(receiptId: $receiptId) { url } }';
    const addressTold = async (forwarded: string) => {
      const page = await openCardPage(behindEdge, { ...own, auth });
      const headers = { ...page.auth, ...edge, 'x-forwarded-for': forwarded };
      const { body } = await ask(behindEdge, headers, text, { receiptId: page.receiptId });
      expect(body.errors).toBeUndefined();
      return stripe.sessionForms().at(-1)?.get('customer_ip_address') ?? null;
    };
    expect(await addressTold('10.0.0.7, 8.8.4.4')).toBe('8.8.4.4');
    expect(await addressTold('8.8.4.4, 10.0.0.7')).toBeNull();

    // Its merchant may begin it too, and is not the buyer.
    const { deps } = behindEdge;
    const { id, token } = await deps.db.transaction((uow) =>
      openSession(deps, uow, { wallet: own.wallet, merchant: own.wallet }),
    );
    const admin = { cookie: `${SESSION_COOKIE}=${token}`, 'x-csrf-token': csrfToken(deps.settings, id) };
    const { receiptId: forSomebody } = await openCardPage(behindEdge, { ...own, auth });
    const headers = { ...admin, ...edge, 'x-forwarded-for': '8.8.4.4' };
    const { body } = await ask(behindEdge, headers, text, { receiptId: forSomebody });
    expect(body.errors).toBeUndefined();
    expect(stripe.sessionForms().at(-1)?.has('customer_ip_address')).toBe(false);

    const page = await openCardPage(server, shop);
    const { receiptId } = page;
    await ask(server, { ...page.auth, 'x-forwarded-for': '8.8.4.4' }, text, { receiptId });
    expect(stripe.sessionForms().at(-1)?.has('customer_ip_address')).toBe(false);
  });

  // Contract: native.buyer-unchanged, native.onramp-amount, native.fee-unchanged
  test('over euros is asked for like one over as many dollars: the currency of the receipt says nothing of the buyer', async () => {
    await server.call('POST', '/api/inventory', {
      headers: shop.auth,
      body: { sku: 'TEE', name: 'Tee', price: 20, currency: 'EUR', stockQty: -1 },
    });
    const askedFor = async (sku: string, body: object = {}) => {
      const page = await openCardPage(server, shop, { items: [{ sku, qty: 1 }], ...body });
      await page.start();
      const form = Object.fromEntries(stripe.sessionForms().at(-1) ?? []);
      const shown = await page.read();
      expect(form.source_amount).toBe(shown.onrampSourceAmountUsd.toFixed(2));
      return { form, totalUsd: shown.totalUsd };
    };
    const [usd, eur] = [await askedFor('TEA'), await askedFor('TEE')];
    expect(Object.keys(eur.form)).toEqual(Object.keys(usd.form));
    expect(eur.form).toMatchObject({ source_currency: 'usd', destination_currency: 'usdc' });
    // 20.10 EUR with the fee, at 1.0842.
    expect(eur.totalUsd).toBe(21.79);
    expect(Number(eur.form.source_amount)).toBeGreaterThanOrEqual(21.79);
    const abroad = await askedFor('TEE', { country: 'US' });
    expect(abroad.form['customer_information[address][country]']).toBe('US');
  });

  // Contract: webhooks.redirect, service.onramp
  test('carries the merchant’s redirect address and nothing of it anywhere else; without one, it leads back to the payment page', async () => {
    const redirectUrl = 'https://shop.example/back-from-the-card';
    const page = await openCardPage(server, shop, { redirectUrl });
    await page.start();
    expect(stripe.sessionForms().at(-1)?.get('redirect_url')).toBe(redirectUrl);
    expect(await page.page()).not.toContain('back-from-the-card');
  });
});
