import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { startLivingChain } from '../browser/chain.ts';
import { type CardPage, openCardPage } from '../support/card.ts';
import { openReceiver } from '../support/receiver.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { postStripe, type StripeStandIn, startStripe, stripeEvent, stripeSignature } from '../support/stripe.ts';
import { stock } from './catalog.ts';

let stripe: StripeStandIn;
let chain: Awaited<ReturnType<typeof startLivingChain>>;
let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  [stripe, chain] = await Promise.all([startStripe(), startLivingChain()]);
  server = await startTestServer({ worker: true, env: { ...stripe.env, RPC_URL: chain.rpcUrl } });
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
});
afterAll(async () => {
  await server?.stop();
  await chain?.stop();
  stripe?.stop();
});

/** A receipt whose card checkout is open at Stripe. */
async function begin(body: object = {}): Promise<{ page: CardPage; sessionId: string }> {
  const page = await openCardPage(server, merchant, body);
  await page.start();
  return { page, sessionId: (await page.read()).onrampSessionId };
}

const tell = (sessionId: string, status: string, details: object = {}, at?: number) =>
  postStripe(server, stripeEvent(sessionId, status, details, at));

/** Delivers as Stripe does: from a wallet of its own, in whole cents. */
const deliver = (to: Wallet, cents: bigint) =>
  payFromTestWallet(server.deps.chain, { token: 'USDC', to, amount: cents * 10_000n });

const completes = (page: CardPage) => expect.poll(async () => (await page.read()).status).toBe('completed');

describe('what is not signed by Stripe is refused, and changes nothing', () => {
  const cases: [string, (body: string) => string | null][] = [
    ['without a signature', () => null],
    ['with an empty one', () => ''],
    ['with nonsense', () => 't=1,v1=zz'],
    ['signed with another secret', (body) => stripeSignature(body, Date.now(), 'whsec_another')],
    ['signed over another body', (body) => stripeSignature(`${body} `, Date.now())],
    ['signed six minutes ago', (body) => stripeSignature(body, Date.now() - 360_000)],
    ['signed six minutes from now', (body) => stripeSignature(body, Date.now() + 360_000)],
    ['with the scheme of the past', (body) => stripeSignature(body, Date.now()).replace('v1=', 'v0=')],
  ];

  test.each(cases)('%s', async (_name, sign) => {
    const { page, sessionId } = await begin();
    const body = stripeEvent(sessionId, 'requires_payment', { last_error: 'card_declined' });
    const answer = await postStripe(server, body, sign(body));
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'initialized' } });
  });

  test('a key of ours opens nothing there', async () => {
    const answer = await fetch(`${server.url}/api/onramp/stripe/webhook`, {
      method: 'POST',
      headers: { ...merchant.auth, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });
});

describe('what is signed is answered 200', () => {
  test('an event about an unknown session, or about something else than sessions', async () => {
    expect(await tell('cos_of_somebody_else', 'fulfillment_complete')).toMatchObject({ status: 200 });
    const other = JSON.stringify({
      id: 'evt_x',
      created: 1,
      data: { object: { object: 'payment_intent', id: 'pi_1' } },
    });
    expect(await postStripe(server, other)).toEqual({ status: 200, body: { received: true } });
  });

  test('a session in a status of next year changes nothing', async () => {
    const { page, sessionId } = await begin();
    expect(await tell(sessionId, 'contemplating')).toMatchObject({ status: 200 });
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'initialized' } });
  });

  test('a signed but invalid event is 400', async () => {
    const broken = JSON.stringify({ id: 'evt_y', created: 1, data: { object: { object: 'crypto.onramp_session' } } });
    expect(await postStripe(server, broken)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    expect(await postStripe(server, 'not json')).toMatchObject({ status: 400 });
  });
});

describe('events in any number and order', () => {
  test('a repeated event changes nothing, also after the buyer has tried again', async () => {
    const { page, sessionId } = await begin();
    const body = stripeEvent(sessionId, 'requires_payment', { last_error: 'card_declined' });
    await postStripe(server, body);
    const { seq } = await page.read();
    await postStripe(server, body);
    expect(await page.read()).toMatchObject({ status: 'failed', seq });
    await page.start();
    await postStripe(server, body);
    expect(await page.read()).toMatchObject({ status: 'pending', failure: null, onrampSessionId: sessionId });
  });

  test('a late one changes nothing', async () => {
    const { page, sessionId } = await begin();
    await tell(sessionId, 'fulfillment_processing', {}, Date.now());
    await tell(sessionId, 'requires_payment', { last_error: 'card_declined' }, Date.now() - 60_000);
    await tell(sessionId, 'requires_payment', { last_error: 'card_declined' }, Date.now() + 1000);
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'fulfillment_processing' } });
  });

  test('another decline is another attempt; a step of the buyer’s takes the failure back', async () => {
    const { page, sessionId } = await begin();
    await tell(sessionId, 'requires_payment', { last_error: 'card_declined' });
    await tell(sessionId, 'requires_payment', { last_error: { decline_code: 'insufficient_funds' } });
    expect(await page.read()).toMatchObject({ status: 'failed', failure: { code: 'PORTAL_PAY_INSUFFICIENT_FUNDS' } });
    await tell(sessionId, 'requires_payment');
    const shown = await page.read();
    expect(shown).toMatchObject({ status: 'pending', failure: null, onrampSessionId: sessionId });
    expect(
      shown.history.flatMap((row: { kind: string; status: string }) => (row.kind === 'status' ? [row.status] : [])),
    ).toEqual([...['generated', 'pending', 'failed', 'pending', 'failed', 'pending']]);
  });

  test('a step that the bank still asks for is no failure', async () => {
    const { page, sessionId } = await begin();
    await tell(sessionId, 'requires_payment', { last_error: 'action_required' });
    expect(await page.read()).toMatchObject({ status: 'pending', failure: null });
  });

  test('an attempt that is not the latest fails nothing', async () => {
    const { page, sessionId } = await begin();
    await page.reportFailure('PORTAL_SESSION_CANCELLED');
    await page.start();
    const second = (await page.read()).onrampSessionId;
    expect(second).not.toBe(sessionId);
    await tell(sessionId, 'rejected');
    expect(await page.read()).toMatchObject({ status: 'pending', onrampSessionId: second });
  });
});

describe('a payment', () => {
  // Contract: native.onramp-amount, webhooks.source-amount
  test('is credited to its receipt, whatever others of the same amount wait, and reports what the card was charged', async () => {
    const hooks = await openReceiver();
    await begin();
    const { page, sessionId } = await begin({ webhookUrl: hooks.url });
    await begin();
    const quote = await page.quote();
    const form = stripe.sessionForms().find((one) => one.get('metadata[receipt_id]') === page.receiptId)!;
    const cents = BigInt(Math.round(Number(form.get('source_amount')) * 100));
    expect(cents * 10_000n).toBe(BigInt(quote.amount));

    await tell(sessionId, 'fulfillment_processing', {
      source_amount: form.get('source_amount'),
      fees: { network_fee_amount: '0.05', transaction_fee_amount: '3.07' },
    });
    expect(await page.read()).toMatchObject({ cardSession: { status: 'fulfillment_processing' } });
    const transactionHash = await deliver(quote.payTo, cents);
    const delivered = { transaction_id: transactionHash, destination_amount: form.get('source_amount') };
    await tell(sessionId, 'fulfillment_complete', delivered);
    await completes(page);

    const sourceUsd = Number(cents) / 100;
    const customerUsd = Math.round(Number(cents) + 312) / 100;
    expect(await page.read()).toMatchObject({
      transactionHash,
      totalUsd: 10.05,
      customerTotalUsd: customerUsd,
      onrampSourceAmountUsd: sourceUsd,
      onrampSessionId: sessionId,
      isOnrampSessionUnique: true,
    });
    const [paid] = await hooks.about(page.receiptId, 'paid');
    expect(JSON.parse(paid!.body)).toMatchObject({
      failureCode: null,
      transactionHash,
      token: 'USDC',
      totalUsd: 10.05,
      customerTotalUsd: customerUsd,
      onrampSourceAmountUsd: sourceUsd,
      onrampSessionId: sessionId,
      isOnrampSessionUnique: true,
    });

    const { seq } = await page.read();
    await tell(sessionId, 'requires_payment', { last_error: 'card_declined' }, Date.now() + 2000);
    await tell(sessionId, 'rejected', {}, Date.now() + 3000);
    await page.reportFailure('PORTAL_CHAIN_USER_REJECTED');
    expect(await page.read()).toMatchObject({ status: 'completed', seq });
  });

  test('that brings too little is a mismatch, and the next checkout asks for the rest', async () => {
    const { page, sessionId } = await begin();
    const { payTo } = await page.quote();
    await tell(sessionId, 'fulfillment_processing');
    const transactionHash = await deliver(payTo, 400n);
    await tell(sessionId, 'fulfillment_complete', { transaction_id: transactionHash, destination_amount: '4.000000' });
    await expect.poll(async () => (await page.read()).status).toBe('tx_mismatch');
    await page.start();
    const rest = stripe.sessionForms().at(-1)!;
    expect(rest.get('metadata[receipt_id]')).toBe(page.receiptId);
    expect(Number(rest.get('source_amount'))).toBe(6.05);
  });

  test('from a wallet during an open card checkout is reported without the checkout', async () => {
    const { page } = await begin();
    const { payTo, amount, token } = await page.quote();
    await payFromTestWallet(server.deps.chain, { token, to: payTo, amount: BigInt(amount) });
    await completes(page);
    expect(await page.read()).toMatchObject({
      customerTotalUsd: 10.05,
      onrampSessionId: null,
      isOnrampSessionUnique: false,
      onrampSourceAmountUsd: null,
      cardSession: null,
    });
  });
});

test('the endpoint does not exist with another card provider', async () => {
  const other = await startTestServer();
  const answer = await postStripe(other, stripeEvent('cos_1', 'rejected'));
  await other.stop();
  expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
});
