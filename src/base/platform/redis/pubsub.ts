import { type Cluster, Redis } from 'ioredis';
import type { Logger } from '../log/log.ts';
import { logLoss } from './log-loss.ts';
import { connectRedis } from './redis.ts';

/** The transport of messages: one Redis server, or a cluster. It reconnects; messages sent in between are lost. */
export interface PubSubTransport {
  publish(name: string, message: string): Promise<unknown>;
  /** Resolves once all names are subscribed to. */
  listen(names: readonly string[]): Promise<void>;
  unlisten(name: string): Promise<unknown>;
  /** False while messages are certainly lost. */
  up(): boolean;
  /** Pings every connection. A connection that hangs would lose messages silently. */
  probe(): Promise<unknown>;
  /** Replaces connections that do not answer. */
  renew(): void;
  ping(): Promise<unknown>;
  close(): void;
}

/** Events of a transport. */
export interface PubSubEvents {
  message(name: string, message: string): void;
  /** Messages can be sent again. */
  sendable(): void;
  /** Names can be subscribed to again. `forgotten`: earlier subscriptions are lost. */
  listenable(forgotten: boolean): void;
}

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

/**
 * After a change of the nodes the client subscribes to the channels again without an event. This time is long enough
 * for it.
 */
const SETTLED_MS = 500;

/**
 * Sharded pub/sub of a Redis Cluster (Redis 7 or newer): each channel belongs to one node, so that the nodes share the
 * load.
 */
export function openClusterPubSub(redisUrl: string, log: Logger, events: PubSubEvents): PubSubTransport {
  const cluster = connectRedis(
    redisUrl,
    { maxRetriesPerRequest: 1, connectTimeout: 1_500 },
    {
      shardedSubscribers: true,
      enableOfflineQueue: false,
      slotsRefreshTimeout: 1_500,
      slotsRefreshInterval: 2_000,
      clusterRetryStrategy: (times) => Math.min(times * 50, 500),
      retryDelayOnClusterDown: 100,
      retryDelayOnFailover: 100,
    },
  ) as Cluster;
  let settleTimer: NodeJS.Timeout | undefined;
  const settle = () => {
    events.listenable(false);
    clearTimeout(settleTimer);
    settleTimer = setTimeout(() => events.listenable(false), SETTLED_MS).unref();
  };
  cluster.on('error', (error: Error) => log.warn({ error: error.message }, 'redis cluster lost'));
  cluster.on('nodeError', (error: Error) => log.warn({ error: error.message }, 'redis node lost'));
  cluster.on('smessage', events.message);
  cluster.on('ready', events.sendable);
  for (const event of ['subscribersReady', '-node', '+subscriber']) cluster.on(event, settle);
  return {
    publish: (name, message) => cluster.spublish(name, message),
    async listen(names) {
      await Promise.all(names.map((name) => cluster.ssubscribe(name)));
    },
    unlisten: (name) => cluster.sunsubscribe(name),
    up: () => cluster.status === 'ready',
    probe: () => Promise.all(cluster.nodes('master').map((node) => node.ping())),
    // The client also refreshes the nodes every two seconds, and drops those that are gone.
    renew: () => cluster.refreshSlotsCache(),
    ping: () => cluster.ping(),
    close() {
      clearTimeout(settleTimer);
      cluster.disconnect();
    },
  };
}
