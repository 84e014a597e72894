import type { FastifyInstance } from 'fastify';
import { parseInput } from '../../../base/core/input.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { currentWarnings } from '../../../domain/operations/operators/alarms.ts';
import { currentDependencies, overall } from '../../../domain/operations/operators/dependencies.ts';
import { currentReadiness, READY_PARTS } from '../../../domain/operations/operators/readiness.ts';
import { readinessQuery } from './readiness.input.ts';

/**
 * `GET /healthz`: 200 while the process answers, with the state of its dependencies. `chains` has the state of
 * every chain, if there are several. `warnings`, if there are any, are settings to correct and transactions that wait.
 *
 * `GET /readyz`: 200 if orders can be booked and payments are being seen, else 503; with a reason for each part. `for`
 * names one part, which then decides alone: a load balancer asks for `orders`, because no server sees payments while
 * the watcher is behind.
 */
export function mountHealth(
  server: FastifyInstance,
  deps: Pick<Deps, 'db' | 'bus' | 'chain' | 'chains' | 'settings' | 'clock' | 'rates' | 'log' | 'journal'>,
): void {
  const report = async () => {
    const [{ chains, ...dependencies }, alarms] = await Promise.all([currentDependencies(deps), currentWarnings(deps)]);
    const status = overall({ ...dependencies, chains });
    const warnings = alarms.map(({ message }) => message);
    const health = {
      ok: status === 'ok',
      status,
      time: deps.clock(),
      dependencies,
      ...(chains.length > 1 && { chains }),
    };
    return warnings.length > 0 ? { ...health, warnings } : health;
  };
  server.get('/healthz', report);
  server.get('/readyz', async (request, reply) => {
    const { for: asked } = parseInput(readinessQuery, request.query);
    const [health, parts] = await Promise.all([report(), currentReadiness(deps)]);
    const ready = (asked ? [asked] : READY_PARTS).every((part) => parts[part].ready);
    return reply.code(ready ? 200 : 503).send({ ...health, ready, parts });
  });
}
