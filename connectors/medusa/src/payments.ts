import {
  advance,
  type Connect,
  type ConnectCurrency,
  centsOf,
  createConnect,
  currencyOf,
  decimalOf,
  optionsFrom,
  type PaymentState,
  type WebhookRequest,
} from '../../../src/client/connect/index.ts';

/** What the connector keeps in a payment session, and later in the payment. The storefront reads `payment_url`. */
export interface SessionData extends Record<string, unknown> {
  readonly session_id: string;
  readonly receipt_id: string;
  readonly payment_url: string;
  readonly attempt: number;
  readonly cents: number;
  readonly currency: ConnectCurrency;
  readonly state: PaymentState;
}

/** An amount as Medusa gives it: a number, a text, or an object with the exact digits. */
type Amount = number | string | { readonly value?: unknown; readonly raw?: { readonly value: unknown } } | object;
type Data = Record<string, unknown>;
export type Webhook = Pick<WebhookRequest, 'headers'> & { readonly rawData: WebhookRequest['body'] };

interface Input {
  readonly data?: Data;
  readonly context?: { readonly idempotency_key?: string };
}
interface Priced extends Input {
  readonly amount: Amount;
  readonly currency_code: string;
}

/** Medusa answers it with HTTP 400. */
class NotAllowed extends Error {
  readonly type = 'not_allowed';
}

const STATUS = {
  open: 'pending_authorization',
  part: 'pending_authorization',
  seen: 'pending_authorization',
  paid: 'captured',
  ended: 'canceled',
  refunded: 'canceled',
} as const satisfies Record<PaymentState, string>;

/** The cents of an amount, by its digits, without a float. */
function centsIn(amount: Amount): number {
  const { raw, value } = Object(amount) as { raw?: { value: unknown }; value?: unknown };
  const exact = raw?.value ?? value ?? amount;
  const { toFixed } = exact as { toFixed?: () => string };
  return centsOf(typeof exact === 'object' && toFixed ? toFixed.call(exact) : String(exact));
}

/** The connection of this shop, by its environment. */
export const openConnect = (): Connect => createConnect(optionsFrom(process.env, 'medusa'));

/** The functions of a payment provider of Medusa. */
export function createPayments(connect: Connect) {
  const known = ({ data }: Input): SessionData => {
    if (typeof data?.receipt_id !== 'string') throw new NotAllowed('This payment session has no payment');
    return data as SessionData;
  };

  /** The payment of a session, in the buyer's language if the storefront gives its code as `lang`. */
  async function open(data: Data, { amount, currency_code }: Omit<Priced, 'data'>, attempt: number, ended?: string) {
    const session_id = String(data.session_id);
    const order = {
      ...{ order: session_id, attempt, cents: centsIn(amount), currency: currencyOf(currency_code) },
      ...{ label: 'Order', language: typeof data.lang === 'string' ? data.lang : undefined },
    };
    const payment = ended === undefined ? await connect.find(order) : await connect.replace(ended, order);
    if (!payment) throw new NotAllowed('A payment of this cart is on its way: it cannot change any more');
    const { receiptId: receipt_id, cents, currency, paymentUrl: payment_url } = payment;
    return { ...data, session_id, receipt_id, payment_url, attempt, cents, currency, state: 'open' } as SessionData;
  }

  async function refresh(input: Input): Promise<SessionData> {
    const data = known(input);
    return { ...data, state: advance(data.state, await connect.read(data.receipt_id)) };
  }

  async function status(input: Input) {
    const data = await refresh(input);
    return { status: STATUS[data.state], data };
  }

  return {
    /** @param ended the payment that the cart had before */
    async initiatePayment(input: Priced, ended?: string) {
      const data = await open(input.data ?? {}, input, 1, ended);
      return { id: data.receipt_id, data };
    },

    /** Another amount is another payment, and the one before is voided. Refused once money is on its way. */
    async updatePayment(input: Priced) {
      const data = await refresh(input);
      const isSame = centsIn(input.amount) === data.cents && currencyOf(input.currency_code) === data.currency;
      if (isSame && data.state !== 'ended') return { data };
      return { data: await open(data, input, data.attempt + 1, data.receipt_id) };
    },

    /** The cart has changed, or the buyer pays in another way. Refused once money is on its way. */
    async deletePayment({ data }: Input) {
      if (typeof data?.receipt_id === 'string' && !(await connect.cancel(data.receipt_id)))
        throw new NotAllowed('A payment of this cart is on its way: it waits for that one');
      return { data };
    },

    authorizePayment: status,
    getPaymentStatus: status,
    retrievePayment: async (input: Input) => ({ data: await refresh(input) }),

    /** The money is there already, or nothing is captured. */
    async capturePayment(input: Input) {
      const data = await refresh(input);
      if (data.state !== 'paid') throw new NotAllowed(`The payment is ${data.state}: there is nothing to capture`);
      return { data };
    },

    /** Voids what is unpaid. What is paid stays, until the order is refunded. */
    async cancelPayment(input: Input) {
      const data = known(input);
      await connect.cancel(data.receipt_id);
      return { data: await refresh(input) };
    },

    /** Asks the merchant, who sends the money from the wallet. */
    async refundPayment({ amount, data, context }: Input & { readonly amount: Amount }) {
      const session = known({ data });
      const cents = centsIn(amount);
      const idempotencyKey = context?.idempotency_key ?? `${session.receipt_id}-${cents}`;
      const payment = { ...session, receiptId: session.receipt_id };
      await connect.askRefund(payment, { cents, reason: 'other', idempotencyKey });
      return { data: await refresh({ data }) };
    },

    async getWebhookActionAndData({ rawData: body, headers }: Webhook) {
      const change = await connect.receive({ headers, body });
      if (!change) return { action: 'not_supported' } as const;
      const data = { session_id: change.order, amount: decimalOf(change.cents) };
      return { action: change.state === 'refunded' ? 'not_supported' : STATUS[change.state], data } as const;
    },
  };
}
