import type { Clock } from '../../../base/core/clock.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { webhookAttempts } from '../../../base/core/observed.ts';
import { traced } from '../../../base/core/traced.ts';
import { DESTINATIONS } from '../../../base/outgoing/destinations.ts';
import type { GuardedClient } from '../../../base/outgoing/guarded-request.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { signingKey } from '../../access/keys/signing.ts';
import { signingKeysOf } from '../endpoints/secrets.ts';
import { createAlarms, type Endpoints } from './endpoint-health.ts';
import type { Claimed, ClaimedJob, DueDelivery } from './queue.ts';
import { deliveryHeaders, endpointHeaders, secretOf } from './sign.ts';

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
  delivery: Pick<DueDelivery, 'url' | 'body'>,
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

/** An attempt made under a claim of the queue. */
export interface Outcome {
  readonly job: ClaimedJob;
  readonly delivery: Omit<DueDelivery, 'createdAt' | 'state' | 'sealedSecret' | 'previousSecrets'>;
  readonly result: AttemptResult;
  /** When it ended, on the monotonic clock. */
  readonly endedMs: number;
  /**
   * Set if nothing was sent because the key could not be decrypted. The attempt does not count, and is repeated after
   * this delay.
   */
  readonly postponeMs?: number;
  /** Set if nothing was sent and nothing will be: the endpoint is disabled or deleted. */
  readonly final?: true;
}

/** Signs and sends a claimed delivery once. Null if it could not be tried: the claim expires and the job runs again. */
export type MakeAttempt = (claimed: Claimed) => Promise<Outcome | null>;

/**
 * Creates the function that makes attempts through `client`, and reports their outcomes to the health of `endpoints`.
 */
export function createAttempts(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>,
  client: GuardedClient,
  endpoints: Endpoints,
): MakeAttempt {
  const { clock, log } = deps;
  const alarms = createAlarms(log, () => performance.now());

  /** Null if the database cannot be read. */
  async function signer(delivery: DueDelivery): Promise<MakeHeaders | Unsendable | null> {
    const { id, event, endpointId, state, sealedSecret } = delivery;
    try {
      if (endpointId !== null) {
        if (sealedSecret === null) return { reason: 'the endpoint was deleted', final: true };
        if (state === 'disabled') return { reason: 'the endpoint is disabled', final: true };
        const eventId = delivery.eventId ?? '';
        const endpoint = { id: endpointId, sealedSecret, previousSecrets: delivery.previousSecrets ?? [] };
        const keys = signingKeysOf(deps.settings, endpoint, clock());
        return (body, now) => endpointHeaders(keys, { id, eventId, event, body }, now);
      }
      const secret = secretOf(await signingKey(deps.db, deps.settings, delivery.keyId ?? ''));
      return (body, now) => deliveryHeaders(secret, { id, event, body }, now);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        alarms.keyUnusable(delivery);
        return { reason: KEY_UNUSABLE, postponeMs: postponement(clock() - delivery.createdAt) };
      }
      if (error.code === 'not_found') return { reason: 'the signing key is missing' };
      log.warn({ error: error.message, delivery: delivery.id }, 'webhook not signed');
      return null;
    }
  }

  return async ({ delivery, ...job }) => {
    const makeHeaders = await signer(delivery);
    if (makeHeaders === null) return null;
    if (typeof makeHeaders !== 'function') {
      const { reason, ...consequence } = makeHeaders;
      return { job, delivery, result: unsigned(clock(), reason), endedMs: performance.now(), ...consequence };
    }
    const { endpoint } = job;
    const startedMs = performance.now();
    const end = endpoints.begin(endpoint, startedMs);
    const { id, event } = delivery;
    const result = await traced(
      { kind: 'webhook', name: `webhook ${event}`, attributes: { 'webhook.event': event, 'webhook.delivery': id } },
      () => deliver({ client, clock }, delivery, makeHeaders),
      ({ ok }) => !ok,
    );
    const endedMs = performance.now();
    end(endedMs);
    if (webhookAttempts.hasSubscribers) {
      const target = delivery.endpointId === null ? 'receipt' : 'endpoint';
      webhookAttempts.publish({ startedMs, event: delivery.event, target, delivered: result.ok });
    }
    alarms.attempted(endpoint, delivery, result.ok);
    return { job, delivery, result, endedMs };
  };
}

/** Why a delivery cannot be sent, and what follows. */
interface Unsendable {
  readonly reason: string;
  /** When to try again, if the key may become usable. */
  readonly postponeMs?: number;
  /** No attempt follows. */
  readonly final?: true;
}

const KEY_UNUSABLE = 'the signing key cannot be decrypted: KEY_ENCRYPTION_KEY is not the one it was encrypted with';
const POSTPONE_MIN_MS = 60_000;
const POSTPONE_MAX_MS = 3_600_000;

/** The delay of a delivery that cannot be signed: half its age, from a minute to an hour. */
const postponement = (ageMs: number): number => Math.min(POSTPONE_MAX_MS, Math.max(POSTPONE_MIN_MS, ageMs / 2));

/** The result of an attempt that could not be signed, and so was not sent. */
const unsigned = (at: number, error: string): AttemptResult => ({
  ok: false,
  at,
  durationMs: 0,
  statusCode: null,
  error,
  answer: null,
});
