import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/log.ts';
import type { OwedDelivery } from './deliver.ts';

/** Raises alarms about deliveries that an operator or a merchant must look after, each at most once an hour. */
export interface WebhookAlarms {
  /** An attempt at an endpoint ended. */
  attempted(endpoint: string, delivery: OwedDelivery, ok: boolean): void;
  /** A delivery's signing key could not be decrypted. */
  keyUnusable(delivery: OwedDelivery): void;
}

const HOUR_MS = 3_600_000;
/** Endpoints that fail, of which the oldest are forgotten. */
const REMEMBERED = 10_000;

/** @param clock in milliseconds, monotonic */
export function createAlarms(log: Logger, clock: () => number): WebhookAlarms {
  const failing = new LRUCache<string, { readonly since: number; alarmedAt: number }>({ max: REMEMBERED });
  const unusable = new LRUCache<string, number>({ max: REMEMBERED });
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
      log.error({ alert: 'webhook_endpoint_failing', merchant, host, failingForMs }, 'an endpoint takes no webhooks');
    },
    keyUnusable({ keyId, merchant, id }) {
      const now = clock();
      if (now - (unusable.get(keyId) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
      unusable.set(keyId, now);
      log.error(
        { alert: 'webhook_key_unusable', keyId, merchant, delivery: id },
        'a webhook cannot be signed: KEY_ENCRYPTION_KEY does not decrypt its key',
      );
    },
  };
}
