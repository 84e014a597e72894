import ipaddr from 'ipaddr.js';
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

/**
 * The client's address. For a request through the edge it is the last address of `X-Forwarded-For`, which the edge
 * itself saw; earlier ones are claims of the client. For any other request the header is ignored and the connection's
 * address is used.
 *
 * @param options.throughEdge whether the request proved `EDGE_SECRET`
 * @param options.peer the other end of the connection
 */
export function clientAddress(
  request: Pick<GatewayRequest, 'headers'>,
  { throughEdge, peer }: { readonly throughEdge: boolean; readonly peer: string },
): string {
  return (throughEdge ? forwardedAddress(request) : null) ?? peer;
}

/**
 * The client's address for use outside the server. Null if it is not known for sure (behind an unproven proxy the
 * connection's address is the proxy's), or if it has no meaning outside its own network.
 */
export function publicAddress(
  request: Pick<GatewayRequest, 'headers'>,
  { throughEdge, peer }: { readonly throughEdge: boolean; readonly peer: string },
): string | null {
  const known = throughEdge ? forwardedAddress(request) : isForwarded(request) ? null : peer;
  if (known === null || !ipaddr.isValid(known)) return null;
  const address = ipaddr.process(known);
  return address.range() === 'unicast' ? address.toString() : null;
}

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

const isForwarded = ({ headers }: Pick<GatewayRequest, 'headers'>): boolean =>
  FORWARDED.some((name) => headers[name] !== undefined);

/** The address that the last proxy saw; null if it names none. */
function forwardedAddress(request: Pick<GatewayRequest, 'headers'>): string | null {
  const last = headerOf(request as GatewayRequest, 'x-forwarded-for')
    ?.split(',')
    .at(-1);
  const address = withoutPort(last?.trim() ?? '');
  return ipaddr.isValid(address) ? address : null;
}

/** Some proxies include the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  const [, inBrackets, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return inBrackets ?? plain ?? text;
}
