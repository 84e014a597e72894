import type { FastifyInstance, FastifyRequest } from 'fastify';
import { enforceEdge } from '../gateway/edge.ts';
import { identify, identifyOpen } from '../gateway/principal.ts';
import { countQuota, createRateLimiter, overLimit } from '../gateway/rate-limits.ts';
import type { DoorRequest } from '../gateway/request.ts';
import type { Deps } from '../platform/deps.ts';
import type { Door } from '../rest/mount.ts';

/** Puts the edge's rule before every route, and makes the door for them. */
export function createDoor(server: FastifyInstance, deps: Deps): Door & { close(): void } {
  const limiter = createRateLimiter(deps);
  server.addHook('onRequest', (request, _reply, done) => {
    enforceEdge(deps.settings, doorRequest(request));
    done();
  });
  return {
    identify: (request, { open = false } = {}) => (open ? identifyOpen : identify)(deps, doorRequest(request)),
    async limit(request, reply, category, cost) {
      const counted = countQuota(limiter, { caller: request.caller, ip: request.ip }, category, cost);
      const standing = counted instanceof Promise ? await counted : counted;
      if (!standing) return;
      reply.header('x-ratelimit-limit', standing.limit);
      reply.header('x-ratelimit-remaining', standing.remaining);
      reply.header('x-ratelimit-reset', Math.ceil(standing.resetAtMs / 1000));
      if (!standing.allowed) throw overLimit(standing);
    },
    close: () => limiter.close(),
  };
}

/** The request as the gateway sees it; it works on the headers themselves, so that nobody behind it reads what it takes out. */
function doorRequest({ raw, method, host }: FastifyRequest): DoorRequest {
  const url = raw.url ?? '/';
  const end = url.indexOf('?');
  return { method, host: host.toLowerCase(), path: end < 0 ? url : url.slice(0, end), headers: raw.headers };
}
