import type { Answer } from '../routes.ts';

/**
 * How the payment of an order stands, for a shop. `open`: nothing was paid. `part`: too little was paid. `seen`: the
 * whole amount was seen and waits for its confirmations. `ended`: expired or voided. `paid`: confirmed. `refunded`:
 * everything was returned.
 */
export type PaymentState = 'open' | 'part' | 'seen' | 'ended' | 'paid' | 'refunded';

/**
 * What has become of the order in the shop. `waiting`: it needs this payment. `fulfilled`: this payment was booked.
 * `closed`: it was cancelled, or paid in another way.
 */
export type OrderState = 'waiting' | 'fulfilled' | 'closed';

/**
 * What a shop does. `fulfil`: book the payment, once. `retry`: offer another attempt. `void`: void the payment.
 * `refund`: ask for a refund.
 */
export type Action = 'wait' | 'fulfil' | 'retry' | 'void' | 'refund' | 'none';

interface Rule extends Readonly<Record<OrderState, Action>> {
  /** What the people of the shop read. */
  readonly text: string;
  /** The states that may follow in the shop. None leads back. */
  readonly next: readonly PaymentState[];
  /** Whether the buyer is sent to the payment page. */
  readonly payable: boolean;
}

/** All that a shop knows and may do in each state. */
export const STATES: Readonly<Record<PaymentState, Rule>> = {
  open: {
    text: 'Not paid yet',
    next: ['part', 'seen', 'ended', 'paid', 'refunded'],
    payable: true,
    ...{ waiting: 'wait', fulfilled: 'wait', closed: 'void' },
  },
  part: {
    text: 'Too little was paid: the page asks for the rest',
    next: ['seen', 'ended', 'paid', 'refunded'],
    payable: true,
    ...{ waiting: 'wait', fulfilled: 'wait', closed: 'refund' },
  },
  seen: {
    text: 'Seen on the chain, not confirmed yet',
    next: ['ended', 'paid', 'refunded'],
    payable: false,
    ...{ waiting: 'wait', fulfilled: 'wait', closed: 'wait' },
  },
  // Money that comes late may still pay it.
  ended: {
    text: 'Expired or voided',
    next: ['paid', 'refunded'],
    payable: false,
    ...{ waiting: 'retry', fulfilled: 'none', closed: 'none' },
  },
  paid: {
    text: 'Paid',
    next: ['refunded'],
    payable: false,
    ...{ waiting: 'fulfil', fulfilled: 'none', closed: 'refund' },
  },
  refunded: {
    text: 'Refunded',
    next: [],
    payable: false,
    ...{ waiting: 'retry', fulfilled: 'none', closed: 'none' },
  },
};

/** The state after a report. One that would lead back is old, or the chain took a block back: it changes nothing. */
export const advance = (known: PaymentState, reported: PaymentState): PaymentState =>
  STATES[known].next.includes(reported) ? reported : known;

/** What a shop does about an order whose payment stands so. */
export const actionFor = (payment: PaymentState, order: OrderState): Action => STATES[payment][order];

/** The state that a status means. A failed attempt leaves a receipt open until the receipt has ended. */
export function stateOf({ status, endedAt }: Pick<Answer<'receiptStatus'>, 'status' | 'endedAt'>): PaymentState {
  switch (status) {
    case 'generated':
    case 'pending':
      return 'open';
    case 'tx_mismatch':
      return 'part';
    case 'tx_mined':
      return 'seen';
    case 'recipient_validated':
    case 'completed':
      return 'paid';
    case 'refunded':
      return 'refunded';
    case 'failed':
      return endedAt === undefined ? 'open' : 'ended';
  }
}
