import { QuittanceError } from '../errors.ts';
import { type CallOptions, createRequester, type Requester } from '../request.ts';
import type { Answer, Query } from '../routes.ts';
import { verifyWebhook, type WebhookRequest } from '../webhook.ts';
import type { ConnectOptions } from './access.ts';
import { type ConnectCurrency, centsOf } from './amount.ts';
import { type PaymentState, stateOf } from './states.ts';

/* The package `quittance/connect`: what a connector of a shop system needs, for Node.js and edge runtimes. */

// biome-ignore lint/performance/noBarrelFile: the entry of the package
export { QuittanceError } from '../errors.ts';
export type { WebhookRequest } from '../webhook.ts';
export {
  beginConnecting,
  type Connected,
  type Connecting,
  type ConnectOptions,
  finishConnecting,
  optionsFrom,
  type ShopToConnect,
} from './access.ts';
export { type ConnectCurrency, centsOf, currencyOf, decimalOf } from './amount.ts';
export { type Action, actionFor, advance, type OrderState, type PaymentState, STATES } from './states.ts';

/** An order of the shop, as far as its payment depends on it. The same order must be described in the same way. */
export interface ShopOrder {
  /** The shop's own id of the order or cart, at most 100 characters. */
  readonly order: string;
  /** Counts from 1, up when a payment has ended and the buyer tries again. Default: 1. */
  readonly attempt?: number;
  readonly cents: number;
  readonly currency: ConnectCurrency;
  /** The line of the receipt. Default: `Order` and its id. */
  readonly label?: string;
  /** Where the buyer returns to. Default: that of the shop. */
  readonly returnUrl?: string;
  /** The language of the pages and mails for the buyer (BCP 47), such as `de`. Default: the browser's. */
  readonly language?: string;
  /** Minutes until the payment ends. Default: the server's. */
  readonly expiresInMinutes?: number;
}

/** A payment of an order: one receipt. */
export interface Payment {
  readonly receiptId: string;
  readonly order: string;
  readonly attempt: number;
  readonly cents: number;
  readonly currency: ConnectCurrency;
}

/** A payment with the page where the buyer pays it. */
export interface OpenPayment extends Payment {
  readonly paymentUrl: string;
}

/** A payment of which there is news, and how it stands now. */
export interface Change extends Payment {
  readonly state: PaymentState;
}

/** Part of a payment to return. */
export interface RefundRequest {
  /** In the currency of the payment, at most all of it. */
  readonly cents: number;
  readonly reason: 'returned' | 'not_delivered' | 'duplicate' | 'overpaid' | 'goodwill' | 'other';
  /** The same key asks once, also when the call is repeated. */
  readonly idempotencyKey: string;
}

type Send = Requester['send'];

const PAGE = 200;
const SHOP = /^[a-z0-9-]{1,40}$/;

export type Connect = ReturnType<typeof createConnect>;

/** The connection of one shop to a server. Its key belongs to a merchant that may have further shops. */
export function createConnect(options: ConnectOptions) {
  const { shop, webhookSecret } = options;
  if (!SHOP.test(shop)) throw new RangeError('shop is 1 to 40 small letters, digits and hyphens');
  const { send } = createRequester(options);
  const prefix = `${shop}.`;

  /**
   * The payment of an order, which the first call with this order, attempt, amount and currency creates. Any number of
   * calls, at any time and in any number of processes, make one.
   */
  const find = (order: ShopOrder, call: CallOptions = {}): Promise<OpenPayment> => open(order, call);

  async function open(order: ShopOrder, call: CallOptions, replaces?: string): Promise<OpenPayment> {
    const { attempt = 1, cents, currency, label = `Order ${order.order}` } = order;
    const { returnUrl = options.returnUrl, language, expiresInMinutes } = order;
    if (!Number.isSafeInteger(cents) || cents < 1) throw new RangeError('cents is a whole number of at least 1');
    if (!Number.isSafeInteger(attempt) || attempt < 1) throw new RangeError('attempt is a whole number of at least 1');
    const payment = { order: order.order, attempt, cents, currency };
    const receiptId = prefix + (await digest(JSON.stringify([order.order, attempt, cents, currency])));
    const body = {
      id: receiptId,
      currency,
      lineItems: [{ label, amount: cents / 100 }],
      total: cents / 100,
      transactionId: order.order,
      metadata: { shop, ...payment },
      ...{ returnUrl, language, expiresInMinutes, replaces },
    };
    const request = { method: 'POST', path: '/api/receipts', body, safe: true, ...call } as const;
    const { paymentUrl } = await send<Answer<'createReceipt'>>(request);
    return { receiptId, ...payment, paymentUrl };
  }

  /** How a payment stands now. */
  async function read(receiptId: string, call: CallOptions = {}): Promise<PaymentState> {
    const request = { method: 'GET', path: '/api/receipts/status', query: { receiptId }, safe: true, ...call } as const;
    return stateOf(await send<Answer<'receiptStatus'>>(request));
  }

  /**
   * Ends a payment, so that its page takes no more money. False if money has come or is on its way: the order waits for
   * it then. An ended payment stays ended.
   */
  async function cancel(receiptId: string, reason?: string, call: CallOptions = {}): Promise<boolean> {
    try {
      await send({ method: 'POST', path: '/api/receipts/void', body: { receiptId, reason }, safe: true, ...call });
      return true;
    } catch (error) {
      // A refusal says nothing about what happened at the same time.
      if (!(error instanceof QuittanceError) || (error.status !== 400 && error.status !== 409)) throw error;
      return (await read(receiptId, call)) === 'ended';
    }
  }

  /**
   * Ends a payment, and answers that of the changed order, to which its page leads: both or neither. Null if money has
   * come or is on its way. Repeat it after a failure.
   */
  async function replace(receiptId: string, order: ShopOrder, call: CallOptions = {}): Promise<OpenPayment | null> {
    try {
      return await open(order, call, receiptId);
    } catch (error) {
      const refusal = refusalOf(error);
      // The order has changed again before the shop knew of the payment that is there now.
      return refusal && replace(refusal.replacedBy, order, call);
    }
  }

  /** Asks the merchant to return money. A person decides and sends it; the state tells when all is returned. */
  async function askRefund(
    { receiptId, cents: of }: Pick<Payment, 'receiptId' | 'cents'>,
    { cents, reason, idempotencyKey }: RefundRequest,
    call: CallOptions = {},
  ): Promise<void> {
    if (!Number.isSafeInteger(cents) || cents < 1 || cents > of)
      throw new RangeError(`cents is a whole number from 1 to ${of}`);
    const path = `/api/receipts/${encodeURIComponent(receiptId)}`;
    const { totalUsd } = await send<Answer<'receipt'>>({ method: 'GET', path, safe: true, ...call });
    // The share of the total in dollars, which differs from the cents of another currency. Half a cent is rounded up.
    const shareCents = (BigInt(centsOf(String(totalUsd))) * BigInt(cents) * 2n + BigInt(of)) / (2n * BigInt(of));
    const headers = { 'Idempotency-Key': idempotencyKey };
    const body = { receiptId, amountUsd: Number(shareCents) / 100, reason };
    await send({ method: 'POST', path: '/api/receipts/refund-requests', headers, body, safe: true, ...call });
  }

  /**
   * The payment that a webhook reports, as it stands now; null if it is about something else. It throws
   * `webhook_invalid` if the request is not genuine. Old, repeated and swapped webhooks report the same state.
   */
  async function receive(request: Request | WebhookRequest, call: CallOptions = {}): Promise<Change | null> {
    if (webhookSecret === undefined) throw new TypeError('webhookSecret is needed to verify webhooks');
    const payment = paymentOf((await verifyWebhook(request, webhookSecret)).data);
    return payment && { ...payment, state: await read(payment.receiptId, call) };
  }

  /** The payment of this shop that the data of an event is about. */
  function paymentOf(data: unknown): Payment | null {
    const { receiptId, metadata } = (data ?? {}) as { receiptId?: unknown; metadata?: Record<string, unknown> | null };
    if (typeof receiptId !== 'string' || !receiptId.startsWith(prefix) || metadata?.shop !== shop) return null;
    const { order, attempt, cents, currency } = metadata as unknown as Payment;
    return { receiptId, order, attempt, cents, currency };
  }

  /**
   * All payments with news since the cursor, each once and as it stands now, and the cursor for the next time: store it
   * once the changes are processed. Null begins with the oldest event. If the cursor has expired, all payments of the
   * shop are news.
   */
  async function reconcile(
    from: string | null,
    call: CallOptions = {},
  ): Promise<{ changes: Change[]; cursor: string }> {
    const { payments, cursor } = await newsSince(send, from ?? '', prefix, paymentOf, call);
    const changes: Change[] = [];
    for (const payment of payments) changes.push({ ...payment, state: await read(payment.receiptId, call) });
    return { changes, cursor };
  }

  return { find, read, cancel, replace, askRefund, receive, reconcile };
}

/** What refuses a replacement: the payment that is there now, or null for money. Throws any other error. */
function refusalOf(error: unknown): { readonly replacedBy: string } | null {
  const { code, details } = error instanceof QuittanceError ? error : { code: '', details: {} };
  if (code === 'receipt_paid' || code === 'payment_underway') return null;
  if (typeof details.replacedBy !== 'string') throw error;
  return { replacedBy: details.replacedBy };
}

/** The payment of the shop that a record or the data of an event is about; null if it is of something else. */
type Reader = (data: unknown) => Payment | null;

/**
 * The payments with events after the cursor, each once, and the cursor after the last event. If the cursor has expired,
 * all payments of the shop, whose receipts begin with the prefix.
 */
async function newsSince(
  send: Send,
  from: string,
  prefix: string,
  paymentOf: Reader,
  call: CallOptions,
): Promise<{ payments: Iterable<Payment>; cursor: string }> {
  const known = new Map<string, Payment>();
  const note = (payment: Payment | null) => payment && known.set(payment.receiptId, payment);
  for (let cursor = from; ; ) {
    try {
      const query: Query<'events'> = { after: cursor, limit: PAGE };
      const request = { method: 'GET', path: '/api/events', query, safe: true, ...call } as const;
      const { events, nextCursor } = await send<Answer<'events'>>(request);
      for (const { data } of events) note(paymentOf(data));
      cursor = nextCursor;
      if (events.length < PAGE) return { payments: known.values(), cursor };
    } catch (error) {
      const resumeAfter =
        error instanceof QuittanceError && error.code === 'cursor_expired' && error.details.resumeAfter;
      if (typeof resumeAfter !== 'string' || resumeAfter === cursor) throw error;
      // What happens while they are read is in the feed from there.
      cursor = resumeAfter;
      for await (const data of everyReceipt(send, prefix, call)) note(paymentOf(data));
    }
  }
}

/** The records of all receipts whose ids begin with the prefix. */
async function* everyReceipt(send: Send, prefix: string, call: CallOptions): AsyncGenerator<Answer<'receipt'>> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Query<'receipts'> = { origin: 'receipt', limit: PAGE, cursor };
    const request = { method: 'GET', path: '/api/receipts', query, safe: true, ...call } as const;
    const page: Answer<'receipts'> = await send(request);
    for (const { receiptId } of page.receipts) {
      if (!receiptId.startsWith(prefix)) continue;
      const path = `/api/receipts/${encodeURIComponent(receiptId)}`;
      yield await send<Answer<'receipt'>>({ method: 'GET', path, safe: true, ...call });
    }
    cursor = page.nextCursor ?? null;
  }
}

/** 128 bits of the hash of a text, in hex. */
async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
