import type { Permission } from '../../../base/core/roles.ts';

/** Every message to a buyer or a subscriber, with when it is sent. */
export const BUYER_MAILS = {
  receipt: 'The payment has its confirmations.',
  part_payment: 'Less than the amount due has arrived.',
  refund: 'A transaction has proven a refund.',
  request: 'The shop asks the addressee to pay a receipt.',
  subscription_started: 'The first charge of a subscription succeeded.',
  subscription_upcoming: 'A period will be charged, as many days before as the plan says.',
  subscription_charged: 'A period was charged.',
  subscription_failed: 'A charge failed, and will be tried again.',
  subscription_ended: 'The subscription was cancelled, or has expired.',
} as const;

/** Kinds whose message says all that is so when it is sent: of several about one subject, the last is enough. */
export const SAYS_ALL: ReadonlySet<MailKind> = new Set<BuyerMail>([
  ...(['part_payment', 'refund', 'request'] as const),
  ...(['subscription_upcoming', 'subscription_failed'] as const),
]);

/** Every notice to a member, with its occasion. */
export const NOTICES = {
  unmatched: 'Money arrived that pays no receipt.',
  refund_requested: 'A refund was requested.',
  endpoint_disabled: 'A webhook endpoint was disabled, because every attempt had failed for five days.',
  past_due: 'The charge of a subscription failed.',
  low_stock: 'An item is nearly sold out, or sold beyond its stock.',
} as const;

/** A message that a member sends to the own address. */
export const TEST_MAIL = 'test';

/** A message that asks whether the address of a member is its own. */
export const CONFIRM_MAIL = 'confirm';

export type BuyerMail = keyof typeof BUYER_MAILS;
export type Notice = keyof typeof NOTICES;
export type MailKind = BuyerMail | Notice | typeof TEST_MAIL | typeof CONFIRM_MAIL;

export const NOTICE_NAMES = Object.keys(NOTICES) as Notice[];

/** What a member must hold to receive a notice, now as well as when it was chosen. */
export const NEEDED_FOR_NOTICE: Readonly<Record<Notice, Permission>> = {
  unmatched: 'receipts:read',
  refund_requested: 'receipts:read',
  endpoint_disabled: 'webhooks',
  past_due: 'receipts:read',
  low_stock: 'catalog:read',
};

/** The messages to a member. */
export const isToMember = (kind: MailKind): boolean => isNotice(kind) || kind === TEST_MAIL || kind === CONFIRM_MAIL;

export const isNotice = (kind: MailKind): kind is Notice => kind in NOTICES;

/** The messages about a receipt; their subject is its id. Those about a subscription name that one. */
export const isAboutReceipt = (kind: MailKind): boolean =>
  kind === 'receipt' || kind === 'part_payment' || kind === 'refund' || kind === 'request';
