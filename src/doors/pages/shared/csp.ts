/** The origin of an address that is not relative, for `connect-src`; null where `'self'` covers it. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** The policy of a sample that our own pages show in a frame: it has styles and pictures, and no script. */
export function sampleCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/**
 * The Content-Security-Policy of a page: scripts and styles from this server only, plus the one style block that
 * carries `nonce`. `connectUrls` are the addresses that the page's script connects to (GraphQL, websocket); relative
 * ones need no entry. `frameUrls` are the only addresses that the page may show in a frame.
 */
export function pageCsp(nonce: string, connectUrls: readonly string[] = [], frameUrls: readonly string[] = []): string {
  const origins = new Set(connectUrls.map(originOf).filter((origin) => origin !== null));
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    ["connect-src 'self'", ...origins].join(' '),
    ...(frameUrls.length > 0 ? [['frame-src', ...frameUrls].join(' ')] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
