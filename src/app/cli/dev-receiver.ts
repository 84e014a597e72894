import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sameSecret } from '../../base/platform/secrets.ts';
import { secretOf, signBody, signStandard } from '../../domain/webhooks/delivery/sign.ts';

/** A received event if it is verified, else the reason why it is not. */
export interface ReceivedEvent {
  /** Whether both signatures are valid and the timestamp is recent. */
  readonly verified: boolean;
  /** Why verification failed; null if it succeeded. */
  readonly problem: string | null;
  readonly deliveryId: string | null;
  /** Whether a delivery with this id was accepted before. */
  readonly duplicate: boolean;
  readonly event: string | null;
  /** The parsed body; null if verification failed. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

export interface ListenerOptions {
  /** 0 selects a free port. */
  readonly port: number;
  readonly host?: string;
  /** The API key that created the receipts. */
  readonly secret: string;
  readonly onEvent: (event: ReceivedEvent) => void;
}

const MAX_BODY = 1_048_576;
/** The largest accepted clock difference; an older request counts as a replay. */
const TOLERANCE_S = 300;
const REMEMBERED = 10_000;

/**
 * An example receiver for merchants. It verifies the contract's signature and the Standard Webhooks signature over the
 * raw body, refuses replays, and detects repeated events. Answers 204, or 401 if verification fails.
 */
export async function startListener({
  port,
  host = '127.0.0.1',
  secret,
  onEvent,
}: ListenerOptions): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const seen = new Set<string>();

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY) chunks.push(chunk);
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end();
      if (length > MAX_BODY) return void response.writeHead(413).end();
      const { problem, payload } = verify(secret, request.headers, Buffer.concat(chunks), Date.now());
      const deliveryId = headerOf(request.headers, 'x-service-delivery');
      const duplicate = problem === null && deliveryId !== null && seen.has(deliveryId);
      if (problem === null && deliveryId !== null) remember(seen, deliveryId);
      onEvent({
        verified: problem === null,
        problem,
        deliveryId,
        duplicate,
        event: headerOf(request.headers, 'x-service-event'),
        payload,
      });
      response.writeHead(problem === null ? 204 : 401).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
}

const headerOf = (headers: http.IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};

type Verdict =
  | { readonly problem: string; readonly payload: null }
  | { readonly problem: null; readonly payload: Record<string, unknown> };

/** Verifies a request. `now` in epoch ms. */
function verify(apiKey: string, headers: http.IncomingHttpHeaders, body: Buffer, now: number): Verdict {
  const no = (problem: string): Verdict => ({ problem, payload: null });
  const secret = secretOf(apiKey);
  const signature = headerOf(headers, 'x-service-signature');
  if (!signature) return no('X-Service-Signature is missing');
  if (!sameSecret(signature, signBody(secret, body)))
    return no('X-Service-Signature does not match the body and this key');

  const id = headerOf(headers, 'webhook-id');
  const seconds = Number(headerOf(headers, 'webhook-timestamp'));
  const standard = headerOf(headers, 'webhook-signature');
  if (!id || !standard || !Number.isInteger(seconds)) return no('The webhook-… headers are missing');
  const right = signStandard(secret, id, seconds, body);
  if (!standard.split(' ').some((candidate) => sameSecret(candidate, right))) {
    return no('webhook-signature does not match the body and this key');
  }
  if (Math.abs(now / 1000 - seconds) > TOLERANCE_S) return no('webhook-timestamp differs by more than five minutes');
  try {
    return { problem: null, payload: JSON.parse(body.toString('utf8')) as Record<string, unknown> };
  } catch {
    return no('The body is not JSON');
  }
}
