import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { busMessages } from '../core/observed.ts';
import type { Logger } from './log/log.ts';
import { startProbe } from './redis/probe.ts';
import { openClusterPubSub, openRedisPubSub } from './redis/pubsub.ts';
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

/** The delay of a retry after a failed subscription. */
const RETRY_MS = 300;
/** The most channels whose last unsent message waits. */
const UNSENT_MAX = 10_000;

/**
 * A bus over Redis: pub/sub of a server, sharded pub/sub of a cluster (`redis-cluster://`).
 *
 * @param prefix the prefix of the channel names; only processes with the same prefix receive each other's messages
 */
export function createRedisBus(redisUrl: string, prefix: string, log: Logger): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const missed = new EventEmitter().setMaxListeners(0);
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
      messages.resend();
    },
    listenable(forgotten) {
      if (forgotten) void listen(subscribed());
      else for (const name of subscribed()) missed.emit(name);
    },
  });

  const messages = createSending((name, message) => transport.publish(name, message));

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

  const probe = startProbe(transport, log, () => {
    // At once: messages may have been lost since the connection began to hang.
    for (const name of subscribed()) missed.emit(name);
  });

  return {
    publish(channel, message) {
      if (busMessages.hasSubscribers) busMessages.publish({ direction: 'sent' });
      messages.send(prefix + channel, message);
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
    healthy: () => probe.answers() && pending.size === 0 && transport.up(),
    async ping() {
      await transport.ping();
    },
    async close() {
      closed = true;
      probe.stop();
      transport.close();
    },
  };
}

/** Sends messages. Of those that could not be sent, the last one of each channel waits for `resend`. */
function createSending(publish: (name: string, message: string) => Promise<unknown>) {
  const unsent = new Map<string, string>();
  function send(name: string, message: string): void {
    publish(name, message).catch(() => {
      if (unsent.size < UNSENT_MAX || unsent.has(name)) unsent.set(name, message);
    });
  }
  return {
    send,
    resend() {
      for (const [name, message] of unsent) {
        unsent.delete(name);
        send(name, message);
      }
    },
  };
}
