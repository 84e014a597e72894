import { boundedCache } from '../../base/core/bounded-cache.ts';
import type { Logger } from '../../base/platform/log/log.ts';
import type { PendingDelivery } from './deliver.ts';

/** Raises alarms about deliveries that need attention by an operator or a merchant, each at most once an hour. */
export interface WebhookAlarms {
  /** Records the result of an attempt at an endpoint. */
  attempted(endpoint: string, delivery: PendingDelivery, ok: boolean): void;
  /** A delivery's signing key could not be decrypted. */
  keyUnusable(delivery: PendingDelivery): void;
}

const HOUR_MS = 3_600_000;
/** The number of failing endpoints to remember; the oldest are dropped. */
const REMEMBERED = 10_000;

/** @param clock in milliseconds, monotonic */
export function createAlarms(log: Logger, clock: () => number): WebhookAlarms {
  const failing = boundedCache<string, { readonly since: number; alarmedAt: number }>({ max: REMEMBERED });
  const unusable = boundedCache<string, number>({ max: REMEMBERED });
  return {
    attempted(endpoint, { merchant, url }, ok) {
      if (ok) {
        failing.delete(endpoint);
        return;
      }
      const now = clock();
      const known = failing.get(endpoint) ?? { since: now, alarmedAt: Number.NEGATIVE_INFINITY };
      failing.set(endpoint, known);
      if (now - known.since < HOUR_MS || now - known.alarmedAt < HOUR_MS) return;
      known.alarmedAt = now;
      const host = URL.parse(url)?.host;
      const failingForMs = Math.round(now - known.since);
      log.error({ alert: 'webhook_endpoint_failing', merchant, host, failingForMs }, 'webhook endpoint failing');
    },
    keyUnusable({ keyId, endpointId, merchant, id }) {
      const now = clock();
      const secret = keyId ?? endpointId ?? '';
      if (now - (unusable.get(secret) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
      unusable.set(secret, now);
      log.error(
        { alert: 'webhook_key_unusable', keyId, endpointId, merchant, delivery: id },
        'webhook not signed: KEY_ENCRYPTION_KEY does not decrypt its key',
      );
    },
  };
}
