import type { KeyObject } from 'node:crypto';
import type { Job } from 'pg-boss';
import { Refusal } from '../core/errors.ts';
import { signingKey } from '../keys/signing.ts';
import type { Deps } from '../platform/deps.ts';
import type { GuardedClient } from '../platform/guarded-request.ts';
import { createAlarms } from './alarms.ts';
import { type AttemptResult, deliver, type PendingDelivery } from './deliver.ts';
import type { Endpoints } from './endpoint-health.ts';
import type { DeliveryJob } from './enqueue.ts';
import type { Outcome } from './outcomes.ts';
import { secretOf } from './sign.ts';

/** A delivery with the time of its event, epoch ms. */
export type LoadedDelivery = PendingDelivery & { readonly createdAt: number };

/** Signs and sends a claimed delivery once. Null if it could not be tried: the claim expires and the job runs again. */
export type MakeAttempt = (job: Job<DeliveryJob>, delivery: LoadedDelivery) => Promise<Outcome | null>;

export function createAttempts(
  deps: Pick<Deps, 'sql' | 'clock' | 'log' | 'settings'>,
  client: GuardedClient,
  endpoints: Endpoints,
): MakeAttempt {
  const { clock, log } = deps;
  const alarms = createAlarms(log, () => performance.now());

  /** Null if the database cannot be read. */
  async function readKey(delivery: LoadedDelivery): Promise<KeyObject | NoKey | null> {
    try {
      return secretOf(await signingKey(deps, delivery.keyId));
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
    const key = await readKey(delivery);
    if (key === null) return null;
    if ('reason' in key) {
      const { reason, ...postpone } = key;
      return { job, delivery, result: unsigned(clock(), reason), endedMs: performance.now(), ...postpone };
    }
    const endpoint = job.groupId ?? '';
    const end = endpoints.begin(endpoint, performance.now());
    const result = await deliver({ client, clock }, delivery, key);
    const endedMs = performance.now();
    end(endedMs);
    alarms.attempted(endpoint, delivery, result.ok);
    return { job, delivery, result, endedMs };
  };
}

/** Why there is no key, and when to try again if it may become usable. */
interface NoKey {
  readonly reason: string;
  readonly postponeMs?: number;
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
