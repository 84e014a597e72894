import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { RECEIPT_WEBHOOK } from '../events/kinds.ts';

/** The key object of an API key, for repeated signatures. */
export const secretOf = (apiKey: string): KeyObject => createSecretKey(apiKey, 'utf8');

/** The contract's signature of a body: `sha256=` and the HMAC-SHA256 in lower-case hex, keyed by the API key. */
export function signBody(secret: KeyObject, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * The signature of Standard Webhooks: `v1,` and the HMAC-SHA256 in base64 over `id.seconds.body`, keyed by the same
 * bytes. Their library accepts the key as `new Webhook(apiKey, { format: 'raw' })`.
 */
export function signStandard(secret: KeyObject, id: string, seconds: number, body: Buffer): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
}

/** The event type in the header and the payload. */
export const EVENT = RECEIPT_WEBHOOK;

/** The type of a test event sent by an admin. It concerns no receipt. */
export const PING_EVENT = 'ping';

const USER_AGENT = 'Service-Webhook/1.0';

/** All headers of a delivery: the contract's and those of Standard Webhooks. `now` is the time of sending, epoch ms. */
export function deliveryHeaders(
  secret: KeyObject,
  { id, event, body }: { readonly id: string; readonly event: string; readonly body: Buffer },
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Signature': signBody(secret, body),
    'X-Service-Event': event,
    'X-Service-Delivery': id,
    'X-Service-Timestamp': String(now),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandard(secret, id, seconds, body),
  };
}

/**
 * The headers of an event for an endpoint, in the form of Standard Webhooks. Each key adds its signature, so that a
 * receiver may know either secret during a rotation. `id` is the delivery's id.
 */
export function endpointHeaders(
  keys: readonly KeyObject[],
  delivery: { readonly id: string; readonly eventId: string; readonly event: string; readonly body: Buffer },
  now: number,
): Record<string, string> {
  const { id, eventId, event, body } = delivery;
  const seconds = Math.floor(now / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event': event,
    'X-Service-Delivery': id,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.map((key) => signStandard(key, eventId, seconds, body)).join(' '),
  };
}
