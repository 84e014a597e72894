import type { EventResource } from '../../../base/core/roles.ts';

/** Every kind of event, with what happened. */
export const EVENT_KINDS = {
  'receipt.created': 'A receipt was created, by an order, a request, the terminal or a charge.',
  'receipt.pending': 'The receipt waits for a payment: a payment began, or one was taken back or tried again.',
  'receipt.tx_mined': 'An exact transfer was seen on chain. It lacks confirmations.',
  'receipt.tx_mismatch': 'A transfer was seen that is less than the amount due.',
  'receipt.paid': 'The payment has its confirmations.',
  'receipt.completed': 'Every payee’s share was released.',
  'receipt.failed': 'The payment failed, or the receipt expired or was voided.',
  'receipt.refunded': 'Everything that was paid was refunded.',
  'refund.requested': 'A refund was requested.',
  'refund.declined': 'A person declined a requested refund.',
  'refund.partial': 'A transaction has proven the refund of a part of the payment.',
  'refund.completed': 'A transaction has proven the refund of the rest of the payment.',
  'subscription.created': 'A customer subscribed to a plan.',
  'subscription.charged': 'A period was charged.',
  'subscription.charge_undone': 'A reorganisation of the chain took a charge back. Its period is due again.',
  'subscription.past_due': 'A charge failed. It is retried.',
  'subscription.cancelled': 'The customer cancelled, here or on the chain.',
  'subscription.expired': 'The permission has ended, or every retry failed.',
  'transfer.unmatched': 'Money arrived that pays no receipt.',
  'payout.released': 'A payee’s share of a receipt’s payment was released.',
  'stock.short': 'A paid receipt sold more than the stock.',
} as const satisfies Readonly<Record<`${EventResource}.${string}`, string>>;

export type EventKind = keyof typeof EVENT_KINDS;

const KINDS = Object.keys(EVENT_KINDS) as EventKind[];
const ALL = '*';

/** What an endpoint may select: a kind, all kinds of one resource (`receipt.*`), or every kind (`*`). */
export const KIND_PATTERNS: readonly string[] = [
  ALL,
  ...new Set(KINDS.map((kind) => `${kind.split('.')[0]}.*`)),
  ...KINDS,
];

/** What a shop system hears of, if it does not say it. */
export const SHOP_SYSTEM_KINDS: readonly string[] = ['receipt.*', 'refund.*'];

/** The type of the webhook of a single receipt, as the contract names it. */
export const RECEIPT_WEBHOOK = 'receipt.status_updated';

/** What a delivery tells of. */
export type DeliveredKind = EventKind | typeof RECEIPT_WEBHOOK;

/** The kinds of deliveries that a pattern selects; the pattern itself if it is a kind. */
export const kindsOf = (pattern: string): DeliveredKind[] =>
  [...KINDS, RECEIPT_WEBHOOK as DeliveredKind].filter((kind) => selects([pattern], kind));

/** What a replay may select. */
export const REPLAY_PATTERNS: readonly string[] = [...KIND_PATTERNS, RECEIPT_WEBHOOK];

/** The type of a test event. It is part of no pattern. */
export const TEST_KIND = 'ping';

/** Whether one of the patterns selects the kind. */
export const selects = (patterns: readonly string[], kind: string): boolean =>
  patterns.some((pattern) => pattern === ALL || pattern === kind || pattern === `${kind.split('.')[0]}.*`);
