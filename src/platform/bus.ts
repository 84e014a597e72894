import { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';
import type { Logger } from './log.ts';

/**
 * The doorbell between processes. It may lose a ring without a word (Redis pub/sub does), so a message says only that there is something new to read;
 * the truth is in the database.
 */
export interface Bus {
  /** Rings. Never throws and never waits. */
  publish(channel: string, message: string): void;
  /** Listens until the returned function is called. */
  subscribe(channel: string, listener: (message: string) => void): () => void;
  /** False while rings are surely lost; listeners then look for themselves from time to time. */
  healthy(): boolean;
  /** Resolves where the bus answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'quittance:';

/** A bus within this process, for a server that stands alone. */
export function createLocalBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish(channel, message) {
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

/** A bus over Redis pub/sub. Connections come back by themselves; what was rung meanwhile is lost. */
export function createRedisBus(redisUrl: string, log: Logger): Bus {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, connectTimeout: 1_500, lazyConnect: false };
  const publisher = new Redis(redisUrl, options);
  const subscriber = new Redis(redisUrl, { ...options, enableOfflineQueue: true });
  const emitter = new EventEmitter().setMaxListeners(0);
  for (const connection of [publisher, subscriber]) {
    connection.on('error', (error: Error) => log.warn({ error: error.message }, 'redis connection lost'));
  }
  subscriber.on('message', (channel: string, message: string) => emitter.emit(channel, message));
  return {
    publish(channel, message) {
      publisher.publish(PREFIX + channel, message).catch(() => {});
    },
    subscribe(channel, listener) {
      const name = PREFIX + channel;
      if (emitter.listenerCount(name) === 0) subscriber.subscribe(name).catch(() => {});
      emitter.on(name, listener);
      return () => {
        emitter.off(name, listener);
        if (emitter.listenerCount(name) === 0) subscriber.unsubscribe(name).catch(() => {});
      };
    },
    healthy: () => publisher.status === 'ready' && subscriber.status === 'ready',
    async ping() {
      await publisher.ping();
    },
    async close() {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
