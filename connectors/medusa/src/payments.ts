import {
  advance,
  type Connect,
  type ConnectCurrency,
  centsOf,
  createConnect,
  currencyOf,
  decimalOf,
  type PaymentState,
} from '../../../src/client/connect/index.ts';

/** The settings of the connector: `connect` writes them into the environment of the shop. */
export interface PaymentOptions {
  readonly url: string;
  readonly key: string;
  readonly webhookSecret: string;
  /** Names the shop among those of the merchant. It must not change. */
  readonly shop: string;
  /** Where the buyer returns to from the payment page. */
  readonly returnUrl?: string;
  readonly fetch?: typeof fetch;
}

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

/** The digits of an amount, without a float. */
function digitsOf(amount: Amount): string {
  if (typeof amount !== 'object') return String(amount);
  const { raw, value } = amount as { raw?: { value: unknown }; value?: unknown };
  const exact = raw?.value ?? value ?? amount;
  const { toFixed } = exact as { toFixed?: () => string };
  return typeof exact === 'object' && toFixed ? toFixed.call(exact) : String(exact);
}

export type Payments = ReturnType<typeof createPayments>;

/** The functions of a payment provider of Medusa. `connect` is for what Medusa does not ask of a provider. */
export function createPayments({ returnUrl, ...options }: PaymentOptions, connect: Connect = createConnect(options)) {
  const known = ({ data }: Input): SessionData => {
    if (typeof data?.receipt_id !== 'string') throw new NotAllowed('This payment session has no payment');
    return data as SessionData;
  };

  /** The payment of a session, in the buyer's language if the storefront gives its code as `lang`. */
  async function open(data: Data, { amount, currency_code }: Omit<Priced, 'data'>, attempt: number, ended?: string) {
    const session_id = String(data.session_id);
    const order = {
      ...{ order: session_id, attempt, cents: centsOf(digitsOf(amount)), currency: currencyOf(currency_code) },
      ...{ label: 'Order', returnUrl, language: typeof data.lang === 'string' ? data.lang : undefined },
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
    connect,

    /** @param ended the payment that the cart had before */
    async initiatePayment(input: Priced, ended?: string) {
      const data = await open(input.data ?? {}, input, 1, ended);
      return { id: data.receipt_id, data };
    },

    /** Another amount is another payment, and the one before is voided. Refused once money is on its way. */
    async updatePayment(input: Priced) {
      const data = await refresh(input);
      const isSame =
        centsOf(digitsOf(input.amount)) === data.cents && currencyOf(input.currency_code) === data.currency;
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
      const cents = centsOf(digitsOf(amount));
      const idempotencyKey = context?.idempotency_key ?? `${session.receipt_id}-${cents}`;
      const payment = { ...session, receiptId: session.receipt_id };
      await connect.askRefund(payment, { cents, reason: 'other', idempotencyKey });
      return { data: await refresh({ data }) };
    },

    async getWebhookActionAndData({ rawData, headers }: WebhookPayload) {
      const change = await connect.receive({ headers, body: rawData });
      if (!change) return { action: 'not_supported' } as const;
      const data = { session_id: change.order, amount: decimalOf(change.cents) };
      return { action: change.state === 'refunded' ? 'not_supported' : STATUS[change.state], data } as const;
    },
  };
}

/** A webhook as Medusa passes it on. */
export interface WebhookPayload {
  readonly rawData: string | Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The settings in the environment of the shop. Throws if one is missing. */
export function optionsFrom(env: Readonly<Record<string, string | undefined>>): PaymentOptions {
  const required = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: run "npx quittance-medusa connect"`);
    return value;
  };
  return {
    url: required('QUITTANCE_URL'),
    key: required('QUITTANCE_KEY'),
    webhookSecret: required('QUITTANCE_WEBHOOK_SECRET'),
    shop: env.QUITTANCE_SHOP ?? 'medusa',
    returnUrl: env.QUITTANCE_RETURN_URL,
  };
}
