import type { Cluster } from 'ioredis';
import type { Logger } from '../log/log.ts';
import type { PubSubEvents, PubSubTransport } from './pubsub-transport.ts';
import { connectRedis } from './redis.ts';

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
