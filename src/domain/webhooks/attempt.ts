import type { Job } from 'pg-boss';
import { Refusal } from '../../base/core/errors.ts';
import { webhookAttempts } from '../../base/core/observed.ts';
import { traced } from '../../base/core/traced.ts';
import type { GuardedClient } from '../../base/outgoing/guarded-request.ts';
import type { Deps } from '../../base/platform/deps.ts';
import { signingKey } from '../access/keys/signing.ts';
import { createAlarms } from './alarms.ts';
import { type AttemptResult, deliver, type MakeHeaders, type PendingDelivery } from './deliver.ts';
import type { Endpoints } from './endpoint-health.ts';
import type { WebhookEndpoint } from './endpoints/endpoint.entity.ts';
import { signingKeysOf } from './endpoints/secrets.ts';
import type { DeliveryJob } from './enqueue.ts';
import type { Outcome } from './outcomes.ts';
import { deliveryHeaders, endpointHeaders, secretOf } from './sign.ts';

/** A delivery with the time of its event, epoch ms, and its endpoint: null if there is none. */
export type LoadedDelivery = PendingDelivery & {
  readonly createdAt: number;
  readonly endpoint: Pick<WebhookEndpoint, 'id' | 'state' | 'sealedSecret' | 'previousSecrets'> | null;
};

/** Signs and sends a claimed delivery once. Null if it could not be tried: the claim expires and the job runs again. */
export type MakeAttempt = (job: Job<DeliveryJob>, delivery: LoadedDelivery) => Promise<Outcome | null>;

/**
 * Creates the function that makes attempts through `client`, and reports their outcomes to the health of `endpoints`.
 */
export function createAttempts(
  deps: Pick<Deps, 'sql' | 'clock' | 'log' | 'settings'>,
  client: GuardedClient,
  endpoints: Endpoints,
): MakeAttempt {
  const { clock, log } = deps;
  const alarms = createAlarms(log, () => performance.now());

  /** Null if the database cannot be read. */
  async function signer(delivery: LoadedDelivery): Promise<MakeHeaders | Unsendable | null> {
    const { id, event, endpoint } = delivery;
    try {
      if (delivery.endpointId !== null) {
        if (endpoint === null) return { reason: 'the endpoint was deleted', final: true };
        if (endpoint.state === 'disabled') return { reason: 'the endpoint is disabled', final: true };
        const eventId = delivery.eventId ?? '';
        const keys = signingKeysOf(deps.settings, endpoint, clock());
        return (body, now) => endpointHeaders(keys, { id, eventId, event, body }, now);
      }
      const secret = secretOf(await signingKey(deps, delivery.keyId ?? ''));
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

  return async (job, delivery) => {
    const makeHeaders = await signer(delivery);
    if (makeHeaders === null) return null;
    if (typeof makeHeaders !== 'function') {
      const { reason, ...consequence } = makeHeaders;
      return { job, delivery, result: unsigned(clock(), reason), endedMs: performance.now(), ...consequence };
    }
    const endpoint = job.groupId ?? '';
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
