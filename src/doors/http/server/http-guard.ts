import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../base/core/caller.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { type Context, createContext } from '../../../base/graphql/context.ts';
import { partnerHost } from '../../../base/platform/config/partner-hosts.ts';
import type { RateCategory } from '../../../base/platform/config/rate-limits.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { identify, identifyOpen } from '../../../domain/access/gateway/authenticate.ts';
import { clientAddress, enforceEdge, publicAddress } from '../../../domain/access/gateway/edge.ts';
import {
  type Counted,
  countQuota,
  createRateLimiter,
  overLimit,
  takeQuota,
} from '../../../domain/access/gateway/rate-limits.ts';
import { createRefusals, type Refusals } from '../../../domain/access/gateway/refusals.ts';
import type { GatewayRequest } from '../../../domain/access/gateway/request.ts';
import type { Standing } from '../../../domain/access/gateway/rolling-window.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** Set-Cookie headers for the response. */
    cookiesToSet: string[];
    /** The client's address, as far as it is known for sure. */
    clientAddress: string;
    /** Whether the request is proven to come through the edge. */
    throughEdge: boolean;
    /** What buyers' browsers use, also where a proxy ends TLS before this server. */
    scheme: 'http' | 'https';
    /** Whether the response was made without the database. */
    degraded: boolean;
  }
}

/** Identifies and rate-limits every HTTP request. */
export interface HttpGuard {
  /**
   * Identifies the caller. With `open`, an expired session counts as anonymous, for public resources. Refuses an
   * invalid proof.
   */
  identify(request: FastifyRequest, options?: { readonly open?: boolean }): Promise<Caller>;
  /**
   * Counts the request against the rate limit and sets the rate limit headers. Refuses with `rate_limited`. Returns the
   * window; null without a limit.
   */
  limit(request: FastifyRequest, reply: FastifyReply, category: RateCategory, cost?: number): Promise<Standing | null>;
  /** Counts refused operations. */
  readonly refusals: Refusals;
  /** Counts an operation of a websocket, which has no response headers. */
  spend(counted: Counted, category: RateCategory, cost?: number): Promise<void>;
}

/** Enforces the edge rule before every route, and creates the guard for the routes. */
export function createHttpGuard(server: FastifyInstance, deps: Deps): HttpGuard & { close(): void } {
  const limiter = createRateLimiter(deps);
  const refusals = createRefusals(limiter, deps.clock);
  server.decorateRequest('clientAddress', '');
  server.decorateRequest('throughEdge', false);
  server.addHook('onRequest', (request, _reply, done) => {
    const incoming = gatewayRequest(request);
    const throughEdge = enforceEdge(deps.settings, incoming);
    request.throughEdge = throughEdge;
    request.clientAddress = clientAddress(incoming, { throughEdge, peer: request.ip });
    done();
  });
  server.addHook('onRequest', answerPreflight(deps.settings));
  return {
    async identify(request, { open = false } = {}) {
      try {
        return await (open ? identifyOpen : identify)(deps, gatewayRequest(request));
      } catch (error) {
        if (error instanceof Refusal && error.code === 'unauthorized')
          await refusals.countCredential(request.clientAddress);
        throw error;
      }
    },
    refusals,
    async limit(request, reply, category, cost) {
      const counted = countQuota(limiter, { caller: request.caller, ip: request.clientAddress }, category, cost);
      const standing = counted instanceof Promise ? await counted : counted;
      if (!standing) return null;
      reply.header('x-ratelimit-limit', standing.limit);
      reply.header('x-ratelimit-remaining', standing.remaining);
      reply.header('x-ratelimit-reset', Math.ceil(standing.resetAtMs / 1000));
      if (!standing.allowed) throw overLimit(standing);
      return standing;
    },
    async spend(counted, category, cost) {
      await takeQuota(limiter, counted, category, cost);
    },
    close: () => limiter.close(),
  };
}

/** The sender's public address; null if it has none or it is not known for sure. */
const publicAddressOf = ({ headers, throughEdge, ip }: FastifyRequest): string | null =>
  publicAddress({ headers }, { throughEdge, peer: ip });

/**
 * Answers a CORS preflight on a partner's host; `answerHeaders` has set the headers. On other hosts OPTIONS is an
 * ordinary method.
 */
const answerPreflight =
  (settings: Deps['settings']) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.method === 'OPTIONS' && partnerHost(settings, request.host) !== undefined) reply.code(204).send();
    else done();
  };

/**
 * The gateway's view of the request. It shares the header object, so that headers which the gateway removes are removed
 * for all later code.
 */
function gatewayRequest({ raw, method, host, clientAddress: address }: FastifyRequest): GatewayRequest {
  const url = raw.url ?? '/';
  const end = url.indexOf('?');
  return { method, host: host.toLowerCase(), path: end < 0 ? url : url.slice(0, end), address, headers: raw.headers };
}

/**
 * The context of the operation that an HTTP request carries, for GraphQL and REST.
 *
 * @param route the REST route whose stored operation runs; null for GraphQL
 */
export const contextOf = (deps: Deps, request: FastifyRequest, route: string | null = null): Context =>
  createContext(deps, request.caller, {
    host: request.host,
    route,
    correlationId: request.id,
    client: () => ({ address: request.clientAddress, userAgent: request.headers['user-agent'] ?? null }),
    publicAddress: () => publicAddressOf(request),
    setCookie: (cookie) => request.cookiesToSet.push(cookie),
    markDegraded: () => {
      request.degraded = true;
    },
  });
