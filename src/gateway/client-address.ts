import ipaddr from 'ipaddr.js';
import { type GatewayRequest, headerOf } from './request.ts';

/**
 * Where a request comes from. What came through the edge says so in `X-Forwarded-For`, whose last address is the one that the edge itself saw; all before
 * it is the caller's own word. Anyone else's header counts for nothing: the connection's own address is taken.
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
 * The same for whoever it is told to: null where it is not known for sure (behind a proxy that has not proven itself the connection is the proxy's), and
 * where it is an address that means nothing outside its own network.
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

/** The address that the last proxy saw; null where it names none. */
function forwardedAddress(request: Pick<GatewayRequest, 'headers'>): string | null {
  const last = headerOf(request as GatewayRequest, 'x-forwarded-for')
    ?.split(',')
    .at(-1);
  const address = withoutPort(last?.trim() ?? '');
  return ipaddr.isValid(address) ? address : null;
}

/** Some proxies write the port as well: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  const [, inBrackets, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return inBrackets ?? plain ?? text;
}
