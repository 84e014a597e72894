import { expect, test } from 'vitest';
import { paidEvent } from '../test/scene.ts';
import { payloadOf } from './enqueue.ts';

const failure = {
  failureCode: 'PORTAL_PAY_CARD_DECLINED',
  failureCategory: 'card_decline',
  failureReason: 'declined by issuer',
  failureAction: 'Ask the buyer for another card',
};

// Contract: webhooks.paid, webhooks.event, webhooks.brand, webhooks.timestamp
test('a paid payload has the contract’s fields in its order, with transaction and buyer, and null failure fields', () => {
  expect(JSON.stringify(payloadOf(paidEvent({}), 'acme'))).toBe(
    `{"event":"receipt.status_updated","receiptId":"R-1","status":"paid","previousStatus":"checkout_initialized",` +
      `"failureCode":null,"failureCategory":null,"failureReason":null,"failureAction":null,` +
      `"transactionHash":"0x${'1'.repeat(64)}","buyerWallet":"0x${'cd'.repeat(20)}","merchantWallet":"0x${'ab'.repeat(20)}",` +
      `"totalUsd":110.05,"customerTotalUsd":110.05,"token":"USDC","onrampSessionId":null,"isOnrampSessionUnique":false,` +
      `"transactionId":"order-7","metadata":{"table":"Größe 4"},"brandKey":"acme","timestamp":1750000000000,"seq":1}`,
  );
});

// Contract: webhooks.failed
test('a failed payload carries the four failure fields and no transaction fields', () => {
  const payload = payloadOf(paidEvent({ status: 'failed', previousStatus: 'pending', failure, token: null }), 'acme');
  expect(payload).toMatchObject({ status: 'failed', ...failure });
  expect(payload).not.toHaveProperty('transactionHash');
  expect(payload).not.toHaveProperty('token');
});

// Contract: webhooks.reference, webhooks.hash, webhooks.wallets
test('unknown values are null where the contract allows it, and omitted where it does not', () => {
  const payload = payloadOf(
    paidEvent({ transactionHash: null, buyerWallet: null, token: null, transactionId: null, metadata: null }),
    'acme',
  );
  expect(payload).toMatchObject({ transactionHash: null, buyerWallet: null, transactionId: null, metadata: null });
  expect(payload).not.toHaveProperty('token');
  expect(payload).not.toHaveProperty('onrampSourceAmountUsd');
});

test('amounts are numbers with at most two decimals', () => {
  expect(payloadOf(paidEvent({ totalCents: 1_999, customerTotalCents: 30 }), 'acme')).toMatchObject({
    totalUsd: 19.99,
    customerTotalUsd: 0.3,
  });
});

// Contract: webhooks.source-amount, webhooks.total-usd, webhooks.session
test('a card checkout has its session, the amount converted to tokens and the amount charged to the card', () => {
  const card = { onrampSessionId: 'cos_1', onrampSourceAmountCents: 11_006, customerTotalCents: 11_318 };
  const session = { onrampSessionId: 'cos_1', isOnrampSessionUnique: true, onrampSourceAmountUsd: 110.06 };
  expect(payloadOf(paidEvent(card), 'acme')).toMatchObject({ totalUsd: 110.05, customerTotalUsd: 113.18, ...session });
  expect(payloadOf(paidEvent({ ...card, status: 'failed', failure }), 'acme')).toMatchObject({
    ...session,
    ...failure,
  });
});
