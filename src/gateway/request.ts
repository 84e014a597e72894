/** A request as the gateway sees it, whatever carried it. */
export interface GatewayRequest {
  readonly method: string;
  /** The Host header, lower-case, with its port. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  /** By lower-case name. The gateway takes out what callers may not say, and stamps what it settled itself. */
  readonly headers: Record<string, string | string[] | undefined>;
}

/** What a websocket's `connection_init` may say: the same names as the headers, in any letter case. */
const SOCKET_PARAMS = new Set(['ocp-apim-subscription-key', 'x-api-key', 'authorization', 'x-csrf-token']);

/** One header's value; several of the same name count as one that fits nothing. */
export function headerOf(request: GatewayRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The value of a cookie; the first, where several have the name. */
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
 * The request that a websocket stands for: the upgrade's headers, under what `connection_init` says. Identity headers among the parameters are carried
 * along, so that they are refused like any others; the rest of the parameters is not read.
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
