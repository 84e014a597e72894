import { refuse } from '../core/errors.ts';
import type { Settings } from '../platform/deps.ts';
import { sameSecret } from '../platform/secrets.ts';
import { type GatewayRequest, headerOf } from './request.ts';

/**
 * Refuses requests that did not come through the edge proxy, if `EDGE_SECRET` is set; `/healthz` is always allowed.
 * Removes the header in either case. Returns whether the request is proven to come through the edge.
 *
 * Errors: `forbidden` ("origin enforcement failed").
 */
export function enforceEdge(settings: Pick<Settings, 'edgeSecret'>, request: Omit<GatewayRequest, 'address'>): boolean {
  const given = headerOf(request, 'x-edge-secret');
  if (given !== undefined) delete request.headers['x-edge-secret'];
  if (settings.edgeSecret === null) return false;
  const proven = given !== undefined && sameSecret(given, settings.edgeSecret);
  if (!proven && request.path !== '/healthz') throw refuse('forbidden', 'origin enforcement failed');
  return proven;
}
