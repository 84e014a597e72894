import { refuse } from '../core/errors.ts';
import type { Settings } from '../platform/deps.ts';
import { sameSecret } from '../platform/secrets.ts';
import { type DoorRequest, headerOf } from './request.ts';

/**
 * Lets pass only what came through the edge proxy, where `EDGE_SECRET` is set; `/healthz` always. The header is taken out either way.
 *
 * Errors: `forbidden` ("origin enforcement failed").
 */
export function enforceEdge(settings: Pick<Settings, 'edgeSecret'>, request: DoorRequest): void {
  const given = headerOf(request, 'x-edge-secret');
  if (given !== undefined) delete request.headers['x-edge-secret'];
  if (settings.edgeSecret === null || request.path === '/healthz') return;
  if (!sameSecret(given ?? '', settings.edgeSecret)) throw refuse('forbidden', 'origin enforcement failed');
}
