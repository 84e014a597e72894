import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURE_SOURCES } from '../../src/domain/payments/cards/failure-sources.ts';
import { type FailureCode, failureCatalogue } from '../../src/domain/sales/receipts/failures.ts';
import { failureWords } from '../../src/doors/pages/portal/failure-words.ts';
import { type CardPage, decide, openCardPage, textOf } from '../support/card.ts';
import { openReceiver } from '../support/receiver.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { postStripe, type StripeStandIn, startStripe, stripeEvent } from '../support/stripe.ts';
import { stock } from './catalog.ts';

let stripe: StripeStandIn;
let servers: Record<'sandbox' | 'stripe', TestServer>;
let merchants: Record<'sandbox' | 'stripe', TestMerchant>;
beforeAll(async () => {
  stripe = await startStripe();
  servers = {
    sandbox: await startTestServer({ worker: true }),
    stripe: await startTestServer({ worker: true, env: stripe.env }),
  };
  merchants = { sandbox: await shopOf(servers.sandbox), stripe: await shopOf(servers.stripe) };
});
afterAll(async () => {
  await Promise.all([servers.sandbox.stop(), servers.stripe.stop()]);
  stripe.stop();
});

async function shopOf(server: TestServer): Promise<TestMerchant> {
  const merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  return merchant;
}

const codes = Object.keys(failureCatalogue) as FailureCode[];

/** The contract's codes, word for word. */
const CONTRACT: Readonly<Record<string, string>> = {
  card_decline: `PORTAL_PAY_INSUFFICIENT_FUNDS PORTAL_PAY_CARD_DECLINED PORTAL_PAY_EXPIRED_CARD PORTAL_PAY_INCORRECT_CVC PORTAL_PAY_INCORRECT_NUMBER
    PORTAL_PAY_DO_NOT_HONOR PORTAL_PAY_FRAUD_BLOCKED PORTAL_PAY_3DS_FAILED PORTAL_PAY_BANK_INSTITUTION_BLOCK`,
  compliance: `PORTAL_KYC_REQUIRED PORTAL_KYC_STEP_UP_REQUIRED PORTAL_KYC_DOC_REQUIRED PORTAL_KYC_DOC_UNREADABLE PORTAL_KYC_DOB_MISMATCH
    PORTAL_KYC_SANCTIONS_BLOCKED PORTAL_KYC_UNDERAGE PORTAL_REGION_UNSUPPORTED`,
  limits: 'PORTAL_LIMIT_EXCEEDED PORTAL_LIMIT_AMOUNT_ABOVE_MAX PORTAL_LIMIT_AMOUNT_BELOW_MIN',
  blockchain: `PORTAL_CHAIN_INSUFFICIENT_BALANCE PORTAL_CHAIN_USER_REJECTED PORTAL_CHAIN_SLIPPAGE_EXCEEDED PORTAL_CHAIN_TX_REVERTED
    PORTAL_CHAIN_WALLET_MISMATCH`,
  session: 'PORTAL_SESSION_ABANDONED PORTAL_SESSION_EXPIRED PORTAL_SESSION_CANCELLED',
};

/**
 * The status endpoint, GraphQL and the webhook carry the same four fields. The page shows the buyer's sentence, without
 * the code and the advice for the shop.
 */
async function expectReported(page: CardPage, code: FailureCode, hooks: Awaited<ReturnType<typeof openReceiver>>) {
  const [failureCategory, failureReason, failureAction] = failureCatalogue[code];
  const fields = { failureCode: code, failureCategory, failureReason, failureAction };

  expect(await page.status()).toMatchObject({ id: page.receiptId, status: 'failed', ...fields });
  const receipt = await page.read();
  expect(receipt.status).toBe('failed');
  expect(receipt.failure).toEqual({ code, category: failureCategory, reason: failureReason, action: failureAction });

  const [hook] = await hooks.about(page.receiptId, 'failed');
  const body = JSON.parse(hook!.body);
  expect(body).toMatchObject({
    event: 'receipt.status_updated',
    status: 'failed',
    previousStatus: 'pending',
    ...fields,
    onrampSessionId: receipt.onrampSessionId,
    isOnrampSessionUnique: receipt.onrampSessionId !== null,
  });
  expect(body).not.toHaveProperty('transactionHash');
  expect(body).not.toHaveProperty('token');

  const text = textOf(await page.page());
  expect(text).toContain(failureWords(code, 'en'));
  for (const part of [code, failureAction]) expect(text).not.toContain(part);
}

// Contract: failures.card-decline, failures.compliance, failures.limits, failures.blockchain, failures.session
// Contract: failures.system
test.each(Object.entries(CONTRACT))(
  'every code of the contract in %s is there, and no other; more are in system alone',
  (category, words) => {
    expect(codes.filter((code) => failureCatalogue[code][0] === category)).toEqual(words.split(/\s+/));
    const categories = new Set(codes.map((code) => failureCatalogue[code][0]));
    expect([...categories].sort()).toEqual([...Object.keys(CONTRACT), 'system'].sort());
  },
);

// Contract: failures.reported, failures.card-decline, failures.compliance, failures.limits, failures.blockchain
// Contract: failures.session, failures.system, states.previous-of-failed, receipts.status-failed, webhooks.failure
test.each(codes)(
  '%s of the card provider is in the status endpoint, GraphQL and the webhook; the page shows the buyer’s sentence',
  async (code) => {
    const hooks = await openReceiver();
    const page = await openCardPage(servers.sandbox, merchants.sandbox, { webhookUrl: hooks.url });
    const { body } = await page.start();
    const answer = await decide(body.data.startCardCheckout.url, code);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/portal/${page.receiptId}?recipient=${merchants.sandbox.wallet}`);
    await expectReported(page, code, hooks);
  },
);

const stripeWords = codes.flatMap((code) =>
  (FAILURE_SOURCES[code].card ?? []).slice(0, 1).map((word) => [word, code] as const),
);

test.each(stripeWords)('Stripe’s %s is %s, everywhere', async (word, code) => {
  const hooks = await openReceiver();
  const page = await openCardPage(servers.stripe, merchants.stripe, { webhookUrl: hooks.url });
  await page.start();
  const { onrampSessionId } = await page.read();
  await postStripe(servers.stripe, stripeEvent(onrampSessionId, 'requires_payment', { last_error: word }));
  await expectReported(page, code, hooks);
});

describe('a session that Stripe rejects', () => {
  test('without a reason is blocked by risk screening; with a reason, it has the reason’s code', async () => {
    const hooks = await openReceiver();
    for (const [lastError, code] of [
      [null, 'PORTAL_PAY_FRAUD_BLOCKED'],
      [{ code: 'rejected.listed' }, 'PORTAL_KYC_SANCTIONS_BLOCKED'],
      [{ code: 'card_declined', decline_code: 'do_not_honor' }, 'PORTAL_PAY_DO_NOT_HONOR'],
    ] as const) {
      const page = await openCardPage(servers.stripe, merchants.stripe, { webhookUrl: hooks.url });
      await page.start();
      const { onrampSessionId } = await page.read();
      await postStripe(servers.stripe, stripeEvent(onrampSessionId, 'rejected', { last_error: lastError }));
      await expectReported(page, code, hooks);
    }
  });
});

describe('a provider that opens no page', () => {
  test('fails the receipt with its reason and reports it; the next attempt is a new one', async () => {
    const hooks = await openReceiver();
    const page = await openCardPage(servers.stripe, merchants.stripe, { webhookUrl: hooks.url });
    stripe.answerNext([
      400,
      { error: { type: 'invalid_request_error', code: 'crypto_onramp_unsupportable_customer' } },
    ]);
    const { body } = await page.start();
    expect(body.data.startCardCheckout).toMatchObject({
      url: null,
      expiresAt: null,
      failure: { code: 'PORTAL_REGION_UNSUPPORTED', category: 'compliance' },
    });
    await expectReported(page, 'PORTAL_REGION_UNSUPPORTED', hooks);

    const again = await page.start();
    expect(again.body.data.startCardCheckout).toMatchObject({
      url: expect.stringContaining('https://'),
      failure: null,
    });
    expect(await page.read()).toMatchObject({ status: 'pending', failure: null });
  });
});

describe('what a browser says of its wallet', () => {
  const claimable = [
    'PORTAL_CHAIN_USER_REJECTED',
    'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
    'PORTAL_CHAIN_WALLET_MISMATCH',
    'PORTAL_SESSION_ABANDONED',
    'PORTAL_SESSION_CANCELLED',
  ] as const;

  test.each(claimable)('%s is reported everywhere, too', async (code) => {
    const hooks = await openReceiver();
    const page = await openCardPage(servers.sandbox, merchants.sandbox, { webhookUrl: hooks.url });
    const { body } = await page.reportFailure(code);
    expect(body.data.reportFailure).toEqual({ status: 'failed', failure: { code } });
    await expectReported(page, code, hooks);
  });

  test.each(codes.filter((code) => !claimable.some((one) => one === code)))(
    '%s is not for a browser to say',
    async (code) => {
      const page = await openCardPage(servers.sandbox, merchants.sandbox);
      const { body } = await page.reportFailure(code);
      expect(body.errors[0].extensions.code).toBe('invalid_input');
      expect(await page.read()).toMatchObject({ status: 'generated', failure: null });
    },
  );
});
