import { Redis } from 'ioredis';
import type { Logger } from '../log/log.ts';
import { logLoss } from './log-loss.ts';
import type { PubSubEvents, PubSubTransport } from './pubsub-transport.ts';

/** The most names per SUBSCRIBE. */
const CHUNK = 500;

/** Pub/sub of one Redis server: one connection publishes, the other subscribes. */
export function openRedisPubSub(redisUrl: string, log: Logger, events: PubSubEvents): PubSubTransport {
  const options = {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 1_500,
    // Reconnects soon: while Redis is away, every listener polls the database.
    retryStrategy: (times: number) => Math.min(times * 50, 500),
  };
  const publisher = new Redis(redisUrl, options);
  const subscriber = new Redis(redisUrl, { ...options, autoResubscribe: false });
  logLoss(publisher, log, 'publisher');
  logLoss(subscriber, log, 'subscriber');
  publisher.on('ready', events.sendable);
  subscriber.on('ready', () => events.listenable(true));
  subscriber.on('message', events.message);
  return {
    publish: (name, message) => publisher.publish(name, message),
    async listen(names) {
      const chunks = Array.from({ length: Math.ceil(names.length / CHUNK) }, (_, i) =>
        names.slice(i * CHUNK, (i + 1) * CHUNK),
      );
      await Promise.all(chunks.map((chunk) => subscriber.subscribe(...chunk)));
    },
    unlisten: (name) => subscriber.unsubscribe(name),
    up: () => publisher.status === 'ready' && subscriber.status === 'ready',
    probe: () => Promise.all([publisher.ping(), subscriber.ping()]),
    renew() {
      publisher.disconnect(true);
      subscriber.disconnect(true);
    },
    ping: () => publisher.ping(),
    close() {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
