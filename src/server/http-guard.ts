import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../core/caller.ts';
import { identify, identifyOpen } from '../gateway/authenticate.ts';
import { clientAddress, publicAddress } from '../gateway/client-address.ts';
import { enforceEdge } from '../gateway/edge.ts';
import { type Counted, countQuota, createRateLimiter, overLimit, takeQuota } from '../gateway/rate-limits.ts';
import type { GatewayRequest } from '../gateway/request.ts';
import type { RateCategory } from '../platform/config-variables.ts';
import type { Deps } from '../platform/deps.ts';
import { partnerHost } from '../platform/partner-hosts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** Set-Cookie headers for the answer. */
    cookiesToSet: string[];
    /** Where the request comes from, as far as it is known for sure. */
    clientAddress: string;
    /** Whether it has proven to come through the edge. */
    throughEdge: boolean;
    /** Whether the answer was made without the database. */
    degraded: boolean;
  }
}

/** Where every HTTP request enters: who sends it, and how often it may. */
export interface HttpGuard {
  /** Who calls. With `open`, an ended session counts as none: for what anyone may ask. Refuses a proof that is not valid. */
  identify(request: FastifyRequest, options?: { readonly open?: boolean }): Promise<Caller>;
  /** Counts the request, and refuses it with `rate_limited` where it is one too many; the answer tells where its caller stands. */
  limit(request: FastifyRequest, reply: FastifyReply, category: RateCategory, cost?: number): Promise<void>;
  /** The same for what comes over a socket and has no answer with headers. */
  spend(counted: Counted, category: RateCategory, cost?: number): Promise<void>;
}

/** Puts the edge's rule before every route, and makes the door for them. */
export function createHttpGuard(server: FastifyInstance, deps: Deps): HttpGuard & { close(): void } {
  const limiter = createRateLimiter(deps);
  server.decorateRequest('clientAddress', '');
  server.decorateRequest('throughEdge', false);
  server.addHook('onRequest', (request, _reply, done) => {
    const asked = gatewayRequest(request);
    const throughEdge = enforceEdge(deps.settings, asked);
    request.throughEdge = throughEdge;
    request.clientAddress = clientAddress(asked, { throughEdge, peer: request.ip });
    done();
  });
  server.addHook('onRequest', answerPreflight(deps.settings));
  return {
    identify: (request, { open = false } = {}) => (open ? identifyOpen : identify)(deps, gatewayRequest(request)),
    async limit(request, reply, category, cost) {
      const counted = countQuota(limiter, { caller: request.caller, ip: request.clientAddress }, category, cost);
      const standing = counted instanceof Promise ? await counted : counted;
      if (!standing) return;
      reply.header('x-ratelimit-limit', standing.limit);
      reply.header('x-ratelimit-remaining', standing.remaining);
      reply.header('x-ratelimit-reset', Math.ceil(standing.resetAtMs / 1000));
      if (!standing.allowed) throw overLimit(standing);
    },
    async spend(counted, category, cost) {
      await takeQuota(limiter, counted, category, cost);
    },
    close: () => limiter.close(),
  };
}

/** The public address of whoever sends the request; null where it has none, or it is not known for sure. */
export const publicAddressOf = ({ headers, throughEdge, ip }: FastifyRequest): string | null =>
  publicAddress({ headers }, { throughEdge, peer: ip });

/** Answers a browser that asks whether a page may call a partner's host; `answerHeaders` has said it all. Elsewhere OPTIONS is a method like any other. */
const answerPreflight =
  (settings: Deps['settings']) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.method === 'OPTIONS' && partnerHost(settings, request.host) !== undefined) reply.code(204).send();
    else done();
  };

/** The request as the gateway sees it; it works on the headers themselves, so that nobody behind it reads what it takes out. */
function gatewayRequest({ raw, method, host }: FastifyRequest): GatewayRequest {
  const url = raw.url ?? '/';
  const end = url.indexOf('?');
  return { method, host: host.toLowerCase(), path: end < 0 ? url : url.slice(0, end), headers: raw.headers };
}
