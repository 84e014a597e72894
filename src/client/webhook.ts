import { QuittanceError } from './errors.ts';
import type { WebhookEvent } from './webhook-events.ts';

/** A request as a server receives it: a `Request`, or its headers with its raw body, as Node.js has them. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before parsing. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** How much the time of the request may differ from now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The time of now, epoch ms. */
  readonly now?: () => number;
}

const TOLERANCE_S = 300;
const ENDPOINT_SECRET = 'whsec_';
const utf8 = new TextEncoder();

/**
 * The event of a webhook, if the request is genuine and recent; else it throws `QuittanceError` with the code
 * `webhook_invalid`. `secret` is that of the endpoint (`whsec_…`), or the API key that created the receipt; several
 * while one replaces another. Requests may arrive twice: compare `id`.
 */
export async function verifyWebhook(
  request: Request | WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_S, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = headersOf(request.headers);
  const body = await bytesOf(request);
  const [id, seconds, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (!id || !seconds || !signatures) throw invalid('signature_missing', 'The request has no signature');
  if (!/^\d+$/.test(seconds) || !(Math.abs(now() / 1000 - Number(seconds)) <= toleranceSeconds))
    throw invalid('timestamp_out_of_range', 'The request is too old, or from the future');
  const given = { id, seconds, signatures, ofBody: header('x-service-signature'), body };
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(one, given)) return eventOf(id, body);
  throw invalid('signature_wrong', 'The request is not signed with this secret');
}

interface Given {
  readonly id: string;
  readonly seconds: string;
  readonly signatures: string;
  /** The signature of the body alone, of the webhook of a receipt. */
  readonly ofBody: string | null;
  readonly body: Uint8Array;
}

/** Web Crypto compares signatures in constant time. */
async function isSigned(secret: string, { id, seconds, signatures, ofBody, body }: Given): Promise<boolean> {
  const isEndpoint = secret.startsWith(ENDPOINT_SECRET);
  const bytes = isEndpoint ? fromBase64(secret.slice(ENDPOINT_SECRET.length)) : join(utf8.encode(secret));
  if (!bytes?.length) throw new TypeError('The secret of a webhook is whsec_ and base64, or an API key');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const verify = async (signature: Bytes | null, signed: Bytes) =>
    signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed));

  if (!isEndpoint && !(await verify(fromHex(/^sha256=(.*)$/.exec(ofBody ?? '')?.[1] ?? ''), join(body)))) return false;
  const signed = join(utf8.encode(`${id}.${seconds}.`), body);
  for (const signature of signatures.split(' ')) {
    const [, base64] = /^v1,(.+)$/.exec(signature) ?? [];
    if (base64 && (await verify(fromBase64(base64), signed))) return true;
  }
  return false;
}

/** Both forms of webhooks, as one. */
function eventOf(id: string, body: Uint8Array): WebhookEvent {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(body));
    if (typeof parsed.type === 'string') return { ...parsed, id };
    if (typeof parsed.event === 'string') return { id, type: parsed.event, createdAt: parsed.timestamp, data: parsed };
  } catch {}
  throw invalid('body_invalid', 'The body is not an event');
}

const invalid = (reason: string, message: string): QuittanceError =>
  new QuittanceError({ code: 'webhook_invalid', message, details: { reason } });

function headersOf(headers: WebhookRequest['headers']): (name: string) => string | null {
  if (isHeaders(headers)) return (name) => headers.get(name);
  const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => [known.get(name) ?? null].flat()[0] ?? null;
}

// Frameworks bring classes of their own.
const isHeaders = (headers: WebhookRequest['headers']): headers is Headers => typeof headers.get === 'function';

async function bytesOf(request: Request | WebhookRequest): Promise<Uint8Array> {
  if ('arrayBuffer' in request) return new Uint8Array(await request.arrayBuffer());
  return typeof request.body === 'string' ? utf8.encode(request.body) : request.body;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The parts one after the other, in memory of their own. */
function join(first: Uint8Array, second: Uint8Array = new Uint8Array()): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

const fromHex = (text: string): Bytes | null =>
  /^([0-9a-f]{2})+$/.test(text)
    ? Uint8Array.from(text.match(/../g) as string[], (pair) => Number.parseInt(pair, 16))
    : null;
