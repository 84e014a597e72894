import type { FastifyInstance } from 'fastify';
import { staticCoins } from '../fx/static-coins.ts';
import type { Deps } from '../platform/deps.ts';
import { areFeesAboveCeiling } from '../spender/fees.ts';
import { currentDependencies, overall } from './dependencies.ts';

/**
 * `GET /healthz`: 200 while the process answers, with the state of its dependencies. `GET /readyz`: 503 while the
 * database is away, so that a load balancer sends no requests. `warnings`, if there are any, are settings to correct
 * and transactions that wait.
 */
export function mountHealth(
  server: FastifyInstance,
  deps: Pick<Deps, 'sql' | 'bus' | 'chain' | 'settings' | 'clock' | 'rates'>,
): void {
  const report = async () => {
    const dependencies = await currentDependencies(deps);
    const status = overall(dependencies);
    const warnings = [
      ...staticCoins(deps).map((symbol) => `${symbol} has a static rate`),
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
