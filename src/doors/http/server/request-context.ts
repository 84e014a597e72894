import type { FastifyRequest } from 'fastify';
import { type Context, createContext } from '../../../base/graphql/context.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { publicAddressOf } from './http-guard.ts';

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
