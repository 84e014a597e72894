/** A request in the gateway's form, for any transport. */
export interface GatewayRequest {
  readonly method: string;
  /** The Host header, lower-case, with its port. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  /** The client's address (`clientAddress`). */
  readonly address: string;
  /** By lower-case name. The gateway removes headers that callers may not send, and sets those that it has verified. */
  readonly headers: Record<string, string | string[] | undefined>;
}

/** The parameters that a websocket's `connection_init` may contain: header names in any letter case. */
const SOCKET_PARAMS = new Set(['ocp-apim-subscription-key', 'x-api-key', 'authorization', 'x-csrf-token']);

/** The value of one header. Repeated headers yield a value that matches nothing. */
export function headerOf(request: Pick<GatewayRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The value of a cookie; the first one if the name is repeated. */
export function cookieOf(request: GatewayRequest, name: string): string | undefined {
  const cookies = headerOf(request, 'cookie');
  if (cookies === undefined || !cookies.includes(name)) return undefined;
  for (const cookie of cookies.split(';')) {
    const at = cookie.indexOf('=');
    if (cookie.slice(0, at).trim() === name) return cookie.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The request of a websocket: the upgrade's headers, overridden by `connection_init`. Identity headers among the
 * parameters are included, so that they are refused as usual; other parameters are ignored.
 */
export function socketRequest(
  upgrade: GatewayRequest,
  params: unknown,
  isIdentityHeader: (name: string) => boolean,
): GatewayRequest {
  const headers = { ...upgrade.headers };
  for (const [given, value] of Object.entries(typeof params === 'object' && params !== null ? params : {})) {
    const name = given.toLowerCase();
    if (typeof value !== 'string') continue;
    if (SOCKET_PARAMS.has(name) || isIdentityHeader(name)) headers[name] = value;
  }
  return { ...upgrade, headers };
}
