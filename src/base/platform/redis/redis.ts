import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';

/**
 * A Redis server or cluster; both accept the same commands. The keys of one command must share a `{tag}`, which places
 * them on one node.
 */
export type RedisClient = Redis | Cluster;

/** `redis-cluster://user:password@host:port,host:port`, and `rediss-cluster://` for TLS. */
const CLUSTER = /^redis(s?)-cluster:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@\s]+)\/?$/;
const NODE = /^(\[[\da-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/**
 * Whether a text is the URL of a Redis server (`redis://`, `rediss://`) or of a cluster (`redis-cluster://`,
 * `rediss-cluster://`).
 */
export function isRedisUrl(raw: string): boolean {
  const nodes = CLUSTER.exec(raw)?.[4];
  if (nodes !== undefined) return nodes.split(',').every((node) => NODE.test(node));
  return URL.canParse(raw) && ['redis:', 'rediss:'].includes(new URL(raw).protocol);
}

/** Whether the URL is that of a cluster. */
export const isClusterUrl = (redisUrl: string): boolean => CLUSTER.test(redisUrl);

/**
 * Connects to a server or a cluster, and reconnects. Some nodes of a cluster are enough: the client discovers the
 * others.
 *
 * @example
 * const redis = connectRedis('redis-cluster://10.0.0.1:6379,10.0.0.2:6379', { enableOfflineQueue: false });
 */
export function connectRedis(redisUrl: string, options: RedisOptions, cluster: ClusterOptions = {}): RedisClient {
  const [, tls, username, password, nodes] = CLUSTER.exec(redisUrl) ?? [];
  if (nodes === undefined) return new Redis(redisUrl, options);
  return new Cluster(
    nodes.split(',').map((node) => {
      const [, host = '', port = '6379'] = NODE.exec(node) ?? [];
      return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
    }),
    {
      enableOfflineQueue: options.enableOfflineQueue,
      scripts: options.scripts,
      ...cluster,
      redisOptions: {
        ...options,
        ...(username ? { username: decodeURIComponent(username) } : {}),
        ...(password ? { password: decodeURIComponent(password) } : {}),
        ...(tls ? { tls: {} } : {}),
      },
    },
  );
}

/**
 * The prefix of an installation's keys and channels, in a Redis that several installations may share. It is the
 * database's name, which all processes of an installation share. The rest of the URL may differ between hosts.
 */
export function redisPrefix(databaseUrl: string): string {
  return `quittance:${new URL(databaseUrl).pathname.slice(1)}:`;
}
