import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import type { EventKind } from './history.entity.ts';
import type { EndpointStatus, ReceiptStatus, RecordStatus } from './lifecycle.ts';

const generated = 'Created from an order. No amount was quoted yet.';
const completed = 'Every recipient’s share was released.';
const refunded = 'The payment was refunded.';
const failed = 'The attempt to pay failed, or the receipt expired or was voided.';
const mismatch = 'Money arrived, but less than is due.';
const mined = 'What is due was seen on the chain and waits for its confirmations.';

export const ReceiptStatusEnum = vocabulary('ReceiptStatus', 'The state of a receipt’s money.', {
  generated,
  pending: 'Waits for money.',
  tx_mined: mined,
  paid: 'The payment has its confirmations. Recipient and amount are validated.',
  completed,
  refunded,
  tx_mismatch: mismatch,
  failed,
} satisfies Record<ReceiptStatus, string>);

export const RecordStatusEnum = vocabulary('ReceiptRecordStatus', 'The status of a receipt in the order flow.', {
  generated,
  pending: 'Waits for money, for the rest of it, or for its confirmations.',
  paid: 'The payment has its confirmations.',
  completed,
  refunded,
  failed,
} satisfies Record<RecordStatus, string>);

export const EndpointStatusEnum = vocabulary(
  'ReceiptEndpointStatus',
  'The status of a receipt in the terms of `GET /api/receipts/status`.',
  {
    generated,
    pending: 'Waits for money.',
    tx_mined: mined,
    tx_mismatch: mismatch,
    recipient_validated: 'Paid: recipient and amount are validated.',
    completed,
    refunded,
    failed,
  } satisfies Record<EndpointStatus, string>,
);

export const EventKindEnum = vocabulary('ReceiptEventKind', 'The kind of an entry of a receipt’s history.', {
  status: 'The money moved.',
  tracking: 'The buyer’s side sent a report.',
  note: 'A remark that moves no money.',
} satisfies Record<EventKind, string>);
