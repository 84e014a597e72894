import type { FastifyInstance } from 'fastify';
import { currentWarnings } from '../operators/alarms.ts';
import { currentDependencies, overall } from '../operators/dependencies.ts';
import type { Deps } from '../platform/deps.ts';

/**
 * `GET /healthz`: 200 while the process answers, with the state of its dependencies. `GET /readyz`: 503 while the
 * database is away, so that a load balancer sends no requests. `chains` has the state of every chain, if there are
 * several. `warnings`, if there are any, are settings to correct,
 * transactions that wait, and prices with few amounts left.
 */
export function mountHealth(
  server: FastifyInstance,
  deps: Pick<Deps, 'sql' | 'bus' | 'chain' | 'chains' | 'settings' | 'clock' | 'rates' | 'log'>,
): void {
  const report = async () => {
    const [{ chains, ...dependencies }, alarms] = await Promise.all([currentDependencies(deps), currentWarnings(deps)]);
    const status = overall({ ...dependencies, chains });
    const warnings = alarms.map(({ message }) => message);
    const health = {
      ...{ ok: status === 'ok', status, time: deps.clock(), dependencies },
      ...(chains.length > 1 && { chains }),
    };
    return warnings.length > 0 ? { ...health, warnings } : health;
  };
  server.get('/healthz', report);
  server.get('/readyz', async (_request, reply) => {
    const health = await report();
    return reply.code(health.status === 'unavailable' ? 503 : 200).send(health);
  });
}
