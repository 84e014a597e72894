import { boundedCache } from '../../../base/core/caches.ts';
import type { Logger } from '../../../base/platform/log/log.ts';

/** A response within this time makes an endpoint prompt; a request that waits longer makes it slow. */
const PROMPT_MS = 1_000;

/** The most jobs that this process works on for a prompt endpoint, and for one that is new or slow. */
const TO_PROMPT = 256;
const TO_SLOW = 4;

/** For how many more jobs an endpoint has room. */
export interface Room {
  readonly endpoint: string;
  readonly free: number;
}

/**
 * The health of endpoints with claimed jobs. A prompt endpoint may receive many requests at once. A new or slow one
 * receives only a few, so that unresponsive endpoints never use up all sockets.
 */
export interface Endpoints {
  /** A job was claimed. */
  claimed(endpoint: string): void;
  /** The outcome of a claimed job is written, or its claim is given up. */
  released(endpoint: string): void;
  /** Records the start of a request to an endpoint. Call the returned function when it ends. */
  begin(endpoint: string, nowMs: number): (nowMs: number) => void;
  /** The known endpoints that are full and those with room, and the room of all others. */
  room(nowMs: number): { readonly full: string[]; readonly room: Room[]; readonly others: number };
}

interface Endpoint {
  jobs: number;
  /** The start time of each running request, oldest first. */
  readonly underway: Map<symbol, number>;
  promptAt: number;
}

/** Creates an empty record. Times are of a monotonic clock. */
export function createEndpoints(): Endpoints {
  const endpoints = new Map<string, Endpoint>();

  function find(name: string): Endpoint {
    const known = endpoints.get(name);
    if (known) return known;
    const endpoint = { jobs: 0, underway: new Map<symbol, number>(), promptAt: Number.NEGATIVE_INFINITY };
    endpoints.set(name, endpoint);
    return endpoint;
  }

  function isPrompt({ underway, promptAt }: Endpoint, nowMs: number): boolean {
    const [oldest] = underway.values();
    return nowMs - promptAt < PROMPT_MS && (oldest === undefined || nowMs - oldest < PROMPT_MS);
  }

  return {
    claimed(name) {
      find(name).jobs += 1;
    },
    released(name) {
      find(name).jobs -= 1;
    },
    begin(name, nowMs) {
      const endpoint = find(name);
      const request = Symbol();
      endpoint.underway.set(request, nowMs);
      return (endedMs) => {
        endpoint.underway.delete(request);
        if (endedMs - nowMs < PROMPT_MS) endpoint.promptAt = endedMs;
      };
    },
    room(nowMs) {
      const full: string[] = [];
      const room: Room[] = [];
      for (const [name, endpoint] of endpoints) {
        const prompt = isPrompt(endpoint, nowMs);
        if (endpoint.jobs === 0 && endpoint.underway.size === 0 && !prompt) {
          endpoints.delete(name);
          continue;
        }
        const free = (prompt ? TO_PROMPT : TO_SLOW) - endpoint.jobs;
        if (free > 0) room.push({ endpoint: name, free });
        else full.push(name);
      }
      return { full, room, others: TO_SLOW };
    },
  };
}

/** What an alarm says of a delivery. */
interface AlarmedDelivery {
  readonly id: string;
  readonly merchant: string;
  readonly url: string;
  readonly keyId: string | null;
  readonly endpointId: string | null;
}

/** Raises alarms about deliveries that need attention by an operator or a merchant, each at most once an hour. */
export interface WebhookAlarms {
  /** Records the result of an attempt at an endpoint. */
  attempted(endpoint: string, delivery: AlarmedDelivery, ok: boolean): void;
  /** A delivery's signing key could not be decrypted. */
  keyUnusable(delivery: AlarmedDelivery): void;
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
