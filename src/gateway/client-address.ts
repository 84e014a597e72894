import ipaddr from 'ipaddr.js';
import { type DoorRequest, headerOf } from './request.ts';

/**
 * Where a request comes from. What came through the edge says so in `X-Forwarded-For`, whose last address is the one that the edge itself saw; all before
 * it is the caller's own word. Anyone else's header counts for nothing: the connection's own address is taken.
 *
 * @param options.throughEdge whether the request proved `EDGE_SECRET`
 * @param options.peer the other end of the connection
 */
export function clientAddress(
  request: Pick<DoorRequest, 'headers'>,
  { throughEdge, peer }: { readonly throughEdge: boolean; readonly peer: string },
): string {
  if (!throughEdge) return peer;
  const forwarded =
    headerOf(request as DoorRequest, 'x-forwarded-for')
      ?.split(',')
      .at(-1)
      ?.trim() ?? '';
  const address = withoutPort(forwarded);
  return ipaddr.isValid(address) ? address : peer;
}

/** Some proxies write the port as well: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  const [, inBrackets, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return inBrackets ?? plain ?? text;
}
