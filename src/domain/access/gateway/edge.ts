import { refuse } from '../../../base/core/errors.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { sameSecret } from '../../../base/platform/secrets.ts';
import { type GatewayRequest, headerOf } from './request.ts';

type EdgeSettings = Pick<Settings, 'edgeSecret'> & Partial<Pick<Settings, 'previousEdgeSecret'>>;

/**
 * Refuses requests that did not come through the edge proxy, if `EDGE_SECRET` is set; `/healthz` is always allowed.
 * While the secret is replaced, `EDGE_SECRET_PREVIOUS` is accepted as well. Removes the header in either case. Returns
 * whether the request is proven to come through the edge.
 *
 * Errors: `forbidden` ("origin enforcement failed").
 */
export function enforceEdge(settings: EdgeSettings, request: Omit<GatewayRequest, 'address'>): boolean {
  const given = headerOf(request, 'x-edge-secret');
  if (given !== undefined) delete request.headers['x-edge-secret'];
  if (settings.edgeSecret === null) return false;
  const accepted = [settings.edgeSecret, settings.previousEdgeSecret ?? settings.edgeSecret];
  const proven = given !== undefined && accepted.some((secret) => sameSecret(given, secret));
  if (!proven && request.path !== '/healthz') throw refuse('forbidden', 'origin enforcement failed');
  return proven;
}
