import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { DELIVERED_AFTER_MS } from '../../src/domain/payments/cards/sessions.ts';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { openCardPage } from '../support/card.ts';
import { openHeldShop } from '../support/held-shop.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';
import { postStripe, startStripe, stripeEvent } from '../support/stripe.ts';
import { stock } from './catalog.ts';

const shop = await openHeldShop();
beforeEach(() => shop.automine(true));

/** A receipt whose card was charged, and whose delivery waits for a block. */
async function charged(): Promise<{ id: string; url: string }> {
  const id = await shop.order();
  const url = await shop.openCard(id);
  await shop.automine(false);
  await shop.press(url);
  return { id, url };
}

async function deliver(id: string): Promise<void> {
  await shop.automine(true);
  await shop.reach(id, 'paid');
  expect(await shop.unmatched()).toEqual([]);
}

describe('a card that was charged', () => {
  test('is not charged again: no further checkout of the receipt opens before the delivery has arrived', async () => {
    const { id, url } = await charged();
    const answers = await Promise.all([1, 2, 3].map(() => shop.startCard(id)));
    expect(answers.map(codeOf)).toEqual(['payment_underway', 'payment_underway', 'payment_underway']);
    expect(answers[0]!.body.errors[0].extensions.http.status).toBe(409);
    await shop.press(url);
    expect(await shop.read(id)).toMatchObject({ cardSession: { status: 'fulfillment_complete' } });
    await deliver(id);
  });

  test('holds its receipt open: it is neither voided nor ended by time, whatever was tried meanwhile', async () => {
    const { id } = await charged();
    expect(codeOf(await shop.startCard(id))).toBe('payment_underway');
    expect(codeOf(await shop.void(id))).toBe('invalid_input');
    await shop.expire(id);
    expect(await shop.read(id)).toMatchObject({ status: 'pending', closedAt: null });
    await deliver(id);
  });

  test('of two sessions that are open at once is one: the sandbox charges no second card', async () => {
    const id = await shop.order();
    const first = await shop.openCard(id);
    await shop.rows('update onramp_sessions set amount = amount - 1 where receipt_id = $1', [id]);
    const second = await shop.openCard(id);
    expect(second).not.toBe(first);
    await shop.rows('update onramp_sessions set amount = amount + 1 where receipt_id = $1 and url = $2', [id, first]);
    await shop.automine(false);
    const pressed = await Promise.all([shop.press(first), shop.press(second)]);
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 409]);
    await deliver(id);
  });

  test('is not a failed payment because a transaction of a wallet failed', async () => {
    const { id } = await charged();
    const report = `mutation { reportFailure(receiptId: "${id}", code: PORTAL_CHAIN_USER_REJECTED) { status } }`;
    const token = await openPageToken(id);
    await ask(shop.server, token, report);
    expect(await shop.status(id)).toBe('pending');
    await deliver(id);
  });
});

async function openPageToken(receiptId: string) {
  const { deps } = shop.server;
  const token = await issuePageToken(deps.settings, { merchant: shop.merchant.wallet, receiptId }, deps.clock());
  return { authorization: `Bearer ${token}` };
}

describe('with Stripe', () => {
  let aheadMs = 0;
  let server: TestServer;
  const stripe = startStripe();
  beforeEach(async () => {
    aheadMs = 0;
    server ??= await startTestServer({ clock: () => Date.now() + aheadMs, env: (await stripe).env });
  });
  afterAll(async () => {
    await server?.stop();
    (await stripe).stop();
  });
  const open = async () => {
    const merchant = await server.merchant();
    await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
    return { merchant, page: await openCardPage(server, merchant) };
  };

  test('a charge that arrives while another checkout is opened is the only one, and keeps the receipt’s session', async () => {
    const { page } = await open();
    await page.start();
    const { onrampSessionId } = await page.read();
    // Another amount, so that the open session does not answer the next start.
    await runStatement(
      server.deps.db,
      { name: 'other-amount', text: 'update onramp_sessions set amount = amount + 1 where receipt_id = $1' },
      [page.receiptId],
    );
    (await stripe).whileOpening(() => postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_processing')));
    expect(codeOf(await page.start())).toBe('payment_underway');
    expect(await page.read()).toMatchObject({ onrampSessionId, cardSession: { status: 'fulfillment_processing' } });
    expect(codeOf(await page.start())).toBe('payment_underway');
  });

  test('an overdue delivery lets the merchant void the receipt or the buyer try again, and time does not end it', async () => {
    const { merchant, page } = await open();
    await page.start();
    const { onrampSessionId } = await page.read();
    await postStripe(server, stripeEvent(onrampSessionId, 'fulfillment_processing'));
    aheadMs = DELIVERED_AFTER_MS + 60_000;
    await runStatement(
      server.deps.db,
      { name: 'ends-now', text: 'update receipts set expires_at = $2 where id = $1' },
      [page.receiptId, Date.now()],
    );
    await expireReceipts(server.deps);
    expect(await page.read()).toMatchObject({ status: 'pending' });
    await runStatement(
      server.deps.db,
      { name: 'never-ends', text: 'update receipts set expires_at = null where id = $1' },
      [page.receiptId],
    );
    expect(codeOf(await page.start())).toBe(null);
    const admin = await server.signIn(merchant.account);
    const voided = await ask(server, admin, 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }', {
      id: page.receiptId,
    });
    expect(voided.body.data).toEqual({ voidReceipt: { status: 'failed' } });
  });
});
