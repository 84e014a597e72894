import type { FastifyInstance } from 'fastify';
import { staticCoins } from '../fx/static-coins.ts';
import type { Deps } from '../platform/deps.ts';
import { readSearchLag } from '../receipt-search/lag.ts';
import { areFeesAboveCeiling } from '../spender/fees.ts';
import { answeredInTime, currentDependencies, overall } from './dependencies.ts';

/** The search of receipts is usually less than a second behind. */
const SEARCH_LAG_MAX_MS = 10_000;

/**
 * `GET /healthz`: 200 while the process answers, with the state of its dependencies. `GET /readyz`: 503 while the
 * database is away, so that a load balancer sends no requests. `warnings`, if there are any, are settings to correct
 * and transactions that wait.
 */
export function mountHealth(
  server: FastifyInstance,
  deps: Pick<Deps, 'sql' | 'bus' | 'chain' | 'settings' | 'clock' | 'rates'>,
): void {
  const searchLag = oncePerSecond(() => readSearchLag(deps).then(({ lagMs }) => lagMs));
  const report = async () => {
    const [dependencies, lagMs] = await Promise.all([currentDependencies(deps), answeredInTime(searchLag())]);
    const status = overall(dependencies);
    const warnings = [
      ...staticCoins(deps).map((symbol) => `${symbol} has a static rate`),
      ...(lagMs !== null && lagMs > SEARCH_LAG_MAX_MS
        ? [`the search of receipts is ${Math.round(lagMs / 1000)} s behind`]
        : []),
      ...(areFeesAboveCeiling(deps) ? ['fees are above MAX_FEE_GWEI'] : []),
    ];
    const health = { ok: status === 'ok', status, time: deps.clock(), dependencies };
    return warnings.length > 0 ? { ...health, warnings } : health;
  };
  server.get('/healthz', report);
  server.get('/readyz', async (_request, reply) => {
    const health = await report();
    return reply.code(health.status === 'unavailable' ? 503 : 200).send(health);
  });
}

/** Calls `read` at most once a second; calls in between get the same result. */
function oncePerSecond<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let readAt = 0;
  return () => {
    const now = performance.now();
    if (last === null || now - readAt >= 1_000) {
      readAt = now;
      last = read();
    }
    return last;
  };
}
