import type { Clock } from '../../base/core/clock.ts';
import { DESTINATIONS } from '../../base/outgoing/destinations.ts';
import type { GuardedClient } from '../../base/outgoing/guarded-request.ts';

/** The parts of a delivery that an attempt needs. */
export interface PendingDelivery {
  readonly id: string;
  readonly merchant: string;
  /** The receipt of a per-receipt webhook; null for an event that is sent to an endpoint. */
  readonly receiptId: string | null;
  readonly event: string;
  readonly url: string;
  /** The API key that signs a per-receipt webhook. */
  readonly keyId: string | null;
  /** The event that is sent to an endpoint. */
  readonly eventId: string | null;
  readonly endpointId: string | null;
  readonly body: string;
}

/** Makes the headers of a request with this body, sent at `now`, epoch ms. */
export type MakeHeaders = (body: Buffer, now: number) => Record<string, string>;

/** The result of one attempt. */
export interface AttemptResult {
  /** A complete 2xx response in time. */
  readonly ok: boolean;
  /** When the attempt began, epoch ms. */
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Why it failed; null if the status is the reason. */
  readonly error: string | null;
  /** The first KiB of the response. */
  readonly answer: string | null;
}

/** Sends a delivery once. Never rejects; every failure is a result. */
export async function deliver(
  { client, clock }: { readonly client: GuardedClient; readonly clock: Clock },
  delivery: Pick<PendingDelivery, 'url' | 'body'>,
  makeHeaders: MakeHeaders,
): Promise<AttemptResult> {
  const at = clock();
  const started = performance.now();
  const body = Buffer.from(delivery.body);
  const headers = makeHeaders(body, at);
  const { statusCode, head, error } = await client.post(delivery.url, body, headers, DESTINATIONS.webhook.timeoutMs);
  return {
    ok: error === null && statusCode !== null && statusCode >= 200 && statusCode < 300,
    at,
    durationMs: Math.round(performance.now() - started),
    statusCode,
    error,
    answer: head,
  };
}
