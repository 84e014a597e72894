import { expect, test } from 'vitest';
import type { Lifecycle } from '../../src/base/core/lifecycle.ts';
import { TRANSACTION } from '../../src/base/onchain/spender/lifecycle.ts';
import { CARD_SESSION, CHARGED, isOpen, OPEN } from '../../src/domain/payments/cards/lifecycle.ts';
import { AUTHORIZATION, OPEN as AUTHORIZED } from '../../src/domain/payments/gasless/lifecycle.ts';
import { REFUND } from '../../src/domain/payments/refunds/lifecycle.ts';
import { CHARGE } from '../../src/domain/recurring/charges/lifecycle.ts';
import { COLLECTIBLE, ENDED, isCollectible, SUBSCRIPTION } from '../../src/domain/recurring/subscriptions/lifecycle.ts';
import {
  ENDPOINT_STATUS,
  isSensitive,
  isWaiting,
  OPEN_TRACKING,
  RECEIPT,
  RECORD_STATUS,
  TRACKING,
  WAITING,
  WEBHOOK_STATUS,
  WEBHOOK_TRACKING,
} from '../../src/domain/sales/receipts/lifecycle.ts';
import { DELIVERY } from '../../src/domain/webhooks/delivery/state.ts';
import { ENDPOINT } from '../../src/domain/webhooks/endpoints/state.ts';

// The tests of each folder ask its lifecycle what is allowed. Here stands what that must be: a picture of each table,
// with an `x` where the status of the line may become the status of the column.

function pictureOf<Status extends string>({ statuses, moves, mayMove }: Lifecycle<Status>): string[] {
  expect(statuses).toEqual(expect.arrayContaining(Object.values(moves).flat()));
  return statuses.map((from) => `${statuses.map((to) => (mayMove(from, to) ? 'x' : '.')).join('')} ${from}`);
}

test('a receipt', () => {
  expect(RECEIPT.first).toEqual(['generated', 'pending']);
  expect(pictureOf(RECEIPT)).toEqual([
    '.x..x..x generated',
    '..x.x.xx pending',
    '.x.x..xx tx_mined',
    '....xx.. paid',
    '.....x.. completed',
    '........ refunded',
    '.xx..x.x tx_mismatch',
    '.xx..xx. failed',
  ]);
});

test('a receipt waits for money until it is paid, and again after a failure', () => {
  const waiting = ['generated', 'pending', 'tx_mismatch', 'failed'];
  expect(WAITING).toEqual(waiting);
  expect(RECEIPT.statuses.filter((status) => isWaiting({ status }))).toEqual(waiting);
});

test('a receipt under the names of records, of the status route and of webhooks', () => {
  expect(RECEIPT.statuses.map((status) => [status, RECORD_STATUS[status], ENDPOINT_STATUS[status]])).toEqual([
    ['generated', 'generated', 'generated'],
    ['pending', 'pending', 'pending'],
    ['tx_mined', 'pending', 'tx_mined'],
    ['paid', 'paid', 'recipient_validated'],
    ['completed', 'completed', 'completed'],
    ['refunded', 'refunded', 'refunded'],
    ['tx_mismatch', 'pending', 'tx_mismatch'],
    ['failed', 'failed', 'failed'],
  ]);
  const sent = { pending: 'pending', paid: 'paid', completed: 'reconciled', failed: 'failed', refunded: 'refunded' };
  expect(WEBHOOK_STATUS).toEqual(sent);
});

test('reports of the buyer’s side, and who may send them', () => {
  const open = ['link_opened', 'buyer_logged_in', 'checkout_initialized'];
  expect(TRACKING).toEqual([...open, 'checkout_success']);
  expect([...OPEN_TRACKING]).toEqual(open);
  expect([...WEBHOOK_TRACKING]).toEqual([...TRACKING, 'refund_requested']);
  expect(['checkout_success', 'refund_requested', 'refund_'].map(isSensitive)).toEqual([true, true, true]);
  expect([...open, 'a_refund_', 'checkout_success_'].some(isSensitive)).toBe(false);
});

test('a card checkout', () => {
  expect(CARD_SESSION.first).toEqual(['initialized']);
  expect(pictureOf(CARD_SESSION)).toEqual([
    '.xxxxxxx initialized',
    '..xxxxxx requires_payment',
    '...xx... fulfillment_processing',
    '........ fulfillment_complete',
    '...x.... failed',
    '.xxxx..x cancelled',
    'xxxxxx.x abandoned',
    '.xxxxx.. expired',
  ]);
  expect(OPEN).toEqual(['initialized', 'requires_payment']);
  expect(CARD_SESSION.statuses.filter((status) => isOpen({ status }))).toEqual(OPEN);
  expect(CHARGED).toEqual(['fulfillment_processing', 'fulfillment_complete']);
});

test('a subscription and its charges', () => {
  expect(SUBSCRIPTION.first).toEqual(['active']);
  expect(pictureOf(SUBSCRIPTION)).toEqual(['xxxx active', 'xxxx past_due', '.... cancelled', '.... expired']);
  expect(COLLECTIBLE).toEqual(['active', 'past_due']);
  expect(SUBSCRIPTION.statuses.filter((status) => isCollectible({ status }))).toEqual(COLLECTIBLE);
  expect(ENDED).toEqual(['cancelled', 'expired']);
  expect(CHARGE.first).toEqual(['sent']);
  expect(pictureOf(CHARGE)).toEqual(['.xx sent', '..x succeeded', 'xx. failed']);
});

test('a refund', () => {
  expect(REFUND.first).toEqual(['requested', 'refunded']);
  expect(pictureOf(REFUND)).toEqual(['.xx requested', '... refunded', '... declined']);
});

test('a transaction of the server, and an authorization that it carries out', () => {
  expect(TRANSACTION.first).toEqual(['open']);
  expect(pictureOf(TRANSACTION)).toEqual(['.xx open', 'xxx mined', 'x.. final']);
  expect(AUTHORIZATION.first).toEqual(['sent']);
  expect(pictureOf(AUTHORIZATION)).toEqual(['.xxx sent', '.xxx mined', '.xxx credited', 'xxx. failed']);
  expect(AUTHORIZED).toEqual(['sent', 'mined']);
});

test('a webhook endpoint and its deliveries', () => {
  expect(ENDPOINT.first).toEqual(['enabled', 'disabled']);
  expect(pictureOf(ENDPOINT)).toEqual(['.x enabled', 'x. disabled']);
  expect(DELIVERY.first).toEqual(['pending']);
  expect(pictureOf(DELIVERY)).toEqual(['xxx pending', 'xx. delivered', 'xxx failed']);
});
