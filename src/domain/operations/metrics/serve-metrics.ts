import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { keptBy } from '../../../base/core/kept.ts';
import { listenFault } from '../../../base/platform/config/variable-fault.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { countReports, countRequests } from './count.ts';
import { createGauges } from './gauges.ts';
import { createInstruments } from './instruments.ts';

type MetricsDeps = Parameters<typeof createGauges>[0];

/** The metrics of a process, at `/metrics` of METRICS_PORT. */
export interface Metrics {
  /** Counts the requests of a server. Call it before the routes are mounted. */
  countRequests(server: FastifyInstance): void;
  /** Reports the open connections of a server, by kind. */
  countConnections(counts: Readonly<Record<string, number>>): void;
  readonly url: string;
  stop(): Promise<void>;
}

const sharedOf = keptBy('metrics server', (_db: Deps['db']) => ({
  open: null as { users: number; readonly metrics: Promise<Metrics> } | null,
}));

/**
 * Serves metrics until it is stopped; null without METRICS_PORT, and then nothing is counted. The server and the
 * workers of one process share them. Throws `ConfigFaults` if the port is taken.
 */
export async function startMetrics(deps: MetricsDeps): Promise<Metrics | null> {
  if (deps.settings.metrics === null) return null;
  const shared = sharedOf(deps.db);
  shared.open ??= { users: 0, metrics: open(deps) };
  const known = shared.open;
  known.users += 1;
  const metrics = await known.metrics;
  return {
    ...metrics,
    async stop() {
      known.users -= 1;
      if (known.users > 0) return;
      shared.open = null;
      await metrics.stop();
    },
  };
}

async function open(deps: MetricsDeps): Promise<Metrics> {
  const instruments = createInstruments();
  const { registry } = instruments;
  const refresh = createGauges(deps, instruments);
  let connections: Readonly<Record<string, number>> = {};
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end();
    await refresh();
    for (const [kind, count] of Object.entries(connections))
      instruments.gauge('quittance_live_connections').set({ kind }, count);
    response.setHeader('content-type', registry.contentType);
    response.end(await registry.metrics());
  });
  const url = await listen(server, deps);
  collectDefaultMetrics({ register: registry });
  const stopCounting = countReports(instruments);
  deps.log.info({ url }, 'metrics');
  return {
    url,
    countRequests: (http) => countRequests(instruments, http),
    countConnections(counts) {
      connections = counts;
    },
    async stop() {
      stopCounting();
      registry.clear();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, { settings }: MetricsDeps): Promise<string> {
  const { host, port } = settings.metrics as NonNullable<typeof settings.metrics>;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFault('metrics', { host, port }, error) ?? error));
    server.listen({ host, port }, () => {
      const { address, family, port: open } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${open}/metrics`);
    });
  });
}
