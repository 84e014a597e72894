import type { FastifyRequest } from 'fastify';
import { type Context, createContext } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { publicAddressOf } from './http-guard.ts';

/** The context of the operation that an HTTP request carries, for GraphQL and REST. */
export const contextOf = (deps: Deps, request: FastifyRequest): Context =>
  createContext(deps, request.caller, {
    host: request.host,
    correlationId: request.id,
    publicAddress: () => publicAddressOf(request),
    setCookie: (cookie) => request.cookiesToSet.push(cookie),
    markDegraded: () => {
      request.degraded = true;
    },
  });
