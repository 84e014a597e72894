import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

/** A request as Stripe's API would see it. */
interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
}

type Reply = readonly [status: number, body: unknown] | 'hang up';

/** What a session of the API looks like, but for what a test says of it. */
export interface SessionFields {
  readonly id: string;
  readonly status: string;
  readonly transaction_details: Record<string, unknown>;
}

export const STRIPE_KEY = 'sk_test_a_key_of_the_stand_in';
export const STRIPE_SECRET = 'whsec_a_secret_of_the_stand_in';

/**
 * What stands in for Stripe's crypto onramp API, as it is documented: form-encoded requests in, sessions and quotes
 * out.
 */
export async function startStripe() {
  const requests: StripeRequest[] = [];
  const replies: Reply[] = [];
  const byKey = new Map<string, SessionFields>();
  let count = 0;
  let quoting = true;
  /** What happens while the next sessions are opened. */
  const held: (() => Promise<unknown>)[] = [];

  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
      const form = new URLSearchParams(body);
      const method = request.method ?? '';
      requests.push({ method, path: pathname, query: searchParams, form, headers: request.headers });
      if (method === 'POST') await held.shift()?.();
      const reply = answer(method, pathname, searchParams, form, request.headers);
      if (reply === 'hang up') return request.socket.destroy();
      response.writeHead(reply[0], { 'content-type': 'application/json', 'request-id': `req_${requests.length}` });
      response.end(JSON.stringify(reply[1]));
    });
  });

  function answer(
    method: string,
    path: string,
    query: URLSearchParams,
    form: URLSearchParams,
    headers: http.IncomingHttpHeaders,
  ): Reply {
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`) return error(401, 'invalid_request_error', 'api_key_invalid');
    if (method === 'GET' && path === '/v1/crypto/onramp_quotes') {
      return quoting ? [200, quote(query)] : error(404, 'invalid_request_error', 'resource_missing');
    }
    if (method !== 'POST' || path !== '/v1/crypto/onramp_sessions')
      return error(404, 'invalid_request_error', 'unknown');
    const planned = replies.shift();
    if (planned) return planned;
    const key = String(headers['idempotency-key']);
    const session = byKey.get(key) ?? newSession(form, ++count);
    byKey.set(key, session);
    return [200, session];
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    /** The environment of a server that takes it for Stripe. */
    env: {
      ONRAMP_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
      STRIPE_API_URL: url,
    },
    /** The bodies that sessions were asked for with. */
    sessionForms: () => requests.filter(({ method }) => method === 'POST').map(({ form }) => form),
    /** How the next requests for a session are answered. */
    answerNext: (...next: Reply[]) => replies.push(...next),
    /** What happens after the next request for a session, and before its answer. */
    whileOpening: (work: () => Promise<unknown>) => held.push(work),
    /** Quotes fail from now on, or do not. */
    setQuoting(on: boolean) {
      quoting = on;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

/** An error as Stripe's API words it. */
export const error = (status: number, type: string, code: string, more: object = {}): Reply => [
  status,
  { error: { type, code, message: 'Something in it is not right.', ...more } },
];

const FEES = { network_fee_monetary: '0.05', transaction_fee_monetary: '3.07' };

function quote(query: URLSearchParams) {
  const network = query.get('destination_networks[]') ?? '';
  const amount = query.get('destination_amount') ?? '';
  const sourceCents = Math.ceil(Number(amount) * 100 - 1e-6);
  const offer = {
    id: 'q_1',
    destination_currency: 'usdc',
    destination_amount: amount,
    destination_network: network,
    fees: FEES,
    source_total_amount: ((sourceCents + 312) / 100).toFixed(2),
  };
  return {
    id: 'quotes_1',
    rate_fetched_at: 1674265380.68,
    destination_network_quotes: { [network]: [offer] },
    livemode: false,
    source_currency: 'usd',
    source_amount: (sourceCents / 100).toFixed(2),
  };
}

function newSession(form: URLSearchParams, n: number) {
  const id = `cos_test_${n}_${process.pid}`;
  return {
    id,
    object: 'crypto.onramp_session',
    client_secret: `${id}_secret_abc`,
    created: 1675794053,
    livemode: false,
    redirect_url: `https://crypto.link.example/?session_hash=${id}`,
    status: 'initialized',
    transaction_details: {
      destination_currency: 'usdc',
      destination_amount: null,
      destination_network: form.get('destination_network'),
      fees: null,
      lock_wallet_address: true,
      source_currency: 'usd',
      source_amount: form.get('source_amount'),
      transaction_id: null,
      wallet_address: null,
      wallet_addresses: null,
    },
  };
}

const stripe = new Stripe(STRIPE_KEY);

/** A `Stripe-Signature` for a body, made by the package itself. `at` in epoch ms. */
export const stripeSignature = (payload: string, at: number, secret = STRIPE_SECRET): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) });

let events = 0;

/** An event about a session, as Stripe posts it. `at` in epoch ms. */
export function stripeEvent(sessionId: string, status: string, details: object = {}, at = Date.now()): string {
  const object = {
    id: sessionId,
    object: 'crypto.onramp_session',
    client_secret: `${sessionId}_secret_abc`,
    created: 1675794053,
    livemode: false,
    status,
    transaction_details: { source_currency: 'usd', source_amount: null, fees: null, transaction_id: null, ...details },
  };
  const id = `evt_${++events}_${process.pid}`;
  return JSON.stringify({
    id,
    object: 'event',
    type: 'crypto.onramp_session_updated',
    created: Math.floor(at / 1000),
    data: { object },
  });
}

/** Posts a body to a server's endpoint for Stripe, signed with the given secret. */
export async function postStripe(
  server: { readonly url: string },
  payload: string,
  signature: string | null = stripeSignature(payload, Date.now()),
): Promise<{ readonly status: number; readonly body: { error?: string; received?: boolean } }> {
  const answer = await fetch(`${server.url}/api/onramp/stripe/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'stripe-signature': signature }),
    },
    body: payload,
  });
  return { status: answer.status, body: (await answer.json()) as { error?: string } };
}
