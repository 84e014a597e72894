import type { KeyObject } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { GuardedClient } from '../platform/guarded-request.ts';
import { deliveryHeaders } from './sign.ts';

/** What has to go out: the parts of a delivery that an attempt needs. */
export interface OwedDelivery {
  readonly id: string;
  readonly merchant: string;
  readonly receiptId: string;
  readonly event: string;
  readonly url: string;
  readonly keyId: string;
  readonly body: string;
}

/** What came of one attempt. */
export interface AttemptResult {
  /** A 2xx, whole and in time. */
  readonly ok: boolean;
  /** When it began, epoch ms. */
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Why it failed; null where a status says it all. */
  readonly error: string | null;
  /** The first KiB of the answer. */
  readonly answer: string | null;
}

/** An endpoint has this long for its whole answer. */
const ATTEMPT_TIMEOUT_MS = 5_000;

/** Sends a delivery once. Never rejects: whatever happens is an outcome. */
export async function deliver(
  { client, clock }: { readonly client: GuardedClient; readonly clock: Clock },
  delivery: OwedDelivery,
  secret: KeyObject,
): Promise<AttemptResult> {
  const at = clock();
  const started = performance.now();
  const body = Buffer.from(delivery.body);
  const headers = deliveryHeaders(secret, { id: delivery.id, event: delivery.event, body }, at);
  const { statusCode, head, error } = await client.post(delivery.url, body, headers, ATTEMPT_TIMEOUT_MS);
  return {
    ok: error === null && statusCode !== null && statusCode >= 200 && statusCode < 300,
    at,
    durationMs: Math.round(performance.now() - started),
    statusCode,
    error,
    answer: head,
  };
}
