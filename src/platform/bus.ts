import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { busMessages } from '../core/observed.ts';
import type { Logger } from './log.ts';
import { openClusterPubSub } from './redis/cluster-pubsub.ts';
import { openRedisPubSub } from './redis/pubsub.ts';
import { isClusterUrl } from './redis/redis.ts';

/**
 * Messages between processes. A message may be lost silently (as in Redis pub/sub), so it announces only that there is
 * something new to read; the database holds the data.
 */
export interface Bus {
  /** Publishes a message. Never throws and never waits. */
  publish(channel: string, message: string): void;
  /**
   * Subscribes until the returned function is called. `missed` is called when messages may have been lost until now:
   * once the subscription is active, and after each loss of the connection.
   */
  subscribe(channel: string, listener: (message: string) => void, missed?: () => void): () => void;
  /** False while messages are certainly lost; listeners then poll. */
  healthy(): boolean;
  /** Resolves if the bus answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A bus within one process. */
export function createLocalBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish(channel, message) {
      if (busMessages.hasSubscribers) busMessages.publish({ direction: 'sent' });
      queueMicrotask(() => emitter.emit(channel, message));
    },
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    healthy: () => true,
    ping: async () => {},
    close: async () => {
      emitter.removeAllListeners();
    },
  };
}

/** A Redis server that hangs is detected within about a second. */
const PROBE_MS = 500;
const PROBE_TIMEOUT_MS = 600;
/** After this many successive unanswered probes the connections are replaced. */
const MAX_UNANSWERED = 3;
/** The delay of a retry after a failed subscription. */
const RETRY_MS = 300;
/** The most channels whose last unsent message is fulfilled until it can be sent. */
const UNSENT_MAX = 10_000;

/**
 * A bus over Redis: pub/sub of a server, sharded pub/sub of a cluster (`redis-cluster://`).
 *
 * @param prefix the prefix of the channel names; only processes with the same prefix receive each other's messages
 */
export function createRedisBus(redisUrl: string, prefix: string, log: Logger): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const missed = new EventEmitter().setMaxListeners(0);
  const unsent = new Map<string, string>();
  /** Names whose subscription is not confirmed yet. */
  const pending = new Set<string>();
  let closed = false;

  const subscribed = () => emitter.eventNames() as string[];
  const transport = (isClusterUrl(redisUrl) ? openClusterPubSub : openRedisPubSub)(redisUrl, log, {
    message(name, message) {
      if (busMessages.hasSubscribers) busMessages.publish({ direction: 'received' });
      emitter.emit(name, message);
    },
    sendable() {
      for (const [name, message] of unsent) {
        unsent.delete(name);
        send(name, message);
      }
    },
    listenable(forgotten) {
      if (forgotten) void listen(subscribed());
      else for (const name of subscribed()) missed.emit(name);
    },
  });

  function send(name: string, message: string): void {
    transport.publish(name, message).catch(() => {
      if (unsent.size < UNSENT_MAX || unsent.has(name)) unsent.set(name, message);
    });
  }

  async function listen(names: readonly string[]): Promise<void> {
    for (const name of names) pending.add(name);
    try {
      if (names.length > 0) await transport.listen(names);
      for (const name of names) {
        pending.delete(name);
        missed.emit(name);
      }
    } catch {
      const retry = () => void listen(names.filter((name) => pending.has(name) && emitter.listenerCount(name) > 0));
      if (!closed) void setTimeout(RETRY_MS, null, { ref: false }).then(retry);
    }
  }

  /** The number of successive unanswered probes. */
  let unanswered = 0;
  let probing = false;
  const probe = setInterval(async () => {
    if (probing || closed) return;
    probing = true;
    unanswered = (await within(PROBE_TIMEOUT_MS, transport.probe())) ? 0 : unanswered + 1;
    probing = false;
    if (unanswered === 0 || closed) return;
    // At once: messages may have been lost since the connection began to hang.
    if (unanswered === 1) for (const name of subscribed()) missed.emit(name);
    if (unanswered < MAX_UNANSWERED || !transport.up()) return;
    log.warn({}, 'redis does not answer, reconnecting');
    transport.renew();
  }, PROBE_MS);
  probe.unref();

  return {
    publish(channel, message) {
      if (busMessages.hasSubscribers) busMessages.publish({ direction: 'sent' });
      send(prefix + channel, message);
    },
    subscribe(channel, listener, onMissed) {
      const name = prefix + channel;
      const first = emitter.listenerCount(name) === 0;
      emitter.on(name, listener);
      if (onMissed) missed.on(name, onMissed);
      if (first) void listen([name]);
      else if (onMissed && !pending.has(name)) queueMicrotask(onMissed);
      return () => {
        emitter.off(name, listener);
        if (onMissed) missed.off(name, onMissed);
        if (emitter.listenerCount(name) > 0) return;
        pending.delete(name);
        // Messages that still arrive have no listener, and a lost connection ends the subscription.
        transport.unlisten(name).catch(() => {});
      };
    },
    healthy: () => unanswered === 0 && pending.size === 0 && transport.up(),
    async ping() {
      await transport.ping();
    },
    async close() {
      closed = true;
      clearInterval(probe);
      transport.close();
    },
  };
}

/** Whether a promise is fulfilled in time. An answer that has arrived counts, even if a busy process reads it late. */
async function within(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  let fulfilled: boolean | null = null;
  const settled = promise.then(
    () => (fulfilled = true),
    () => (fulfilled = false),
  );
  await Promise.race([settled, setTimeout(timeoutMs, null, { ref: false })]);
  if (fulfilled === null) await setImmediate();
  if (fulfilled === null) await setImmediate();
  return fulfilled === true;
}
