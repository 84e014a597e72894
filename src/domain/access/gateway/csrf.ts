import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import { partnerHost } from '../../../base/platform/config/partner-hosts.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { hmac, sameSecret } from '../../../base/platform/secrets.ts';
import { type GatewayRequest, headerOf } from './request.ts';
import type { TokenSettings } from './tokens.ts';

type CsrfSettings = TokenSettings & Pick<Settings, 'baseUrl' | 'partnerHosts' | 'environment'>;

/**
 * The token that proves that our own page made a request. It is bound to the session and readable only by scripts of
 * our pages.
 */
export function csrfToken(settings: Pick<Settings, 'jwtSecret'>, sessionId: string): string {
  const tokens = tokensOf(settings);
  const known = tokens.get(sessionId);
  if (known !== undefined) return known;
  const token = tokenFrom(settings.jwtSecret, sessionId);
  tokens.set(sessionId, token);
  return token;
}

const tokenFrom = (secret: string, sessionId: string): string => hmac(secret, `csrf-token:${sessionId}`);

/** The cache size for tokens of active sessions. */
const REMEMBERED = 10_000;
const tokensOf = keptBy('CSRF tokens', (_settings: object) => boundedCache<string, string>({ max: REMEMBERED }));

/** Whether the request has the session's CSRF token in `x-csrf-token` and does not come from a foreign page. */
export function isCsrfProven(settings: CsrfSettings, request: GatewayRequest, sessionId: string): boolean {
  const given = headerOf(request, 'x-csrf-token');
  if (given === undefined || !isOwnOrigin(settings, request)) return false;
  return sameSecret(given, csrfToken(settings, sessionId)) || isOfPreviousSecret(settings, given, sessionId);
}

/** A page that was loaded before JWT_SECRET was replaced has a token of the former value. */
const isOfPreviousSecret = ({ previousJwtSecret }: CsrfSettings, given: string, sessionId: string): boolean =>
  previousJwtSecret ? sameSecret(given, tokenFrom(previousJwtSecret, sessionId)) : false;

/**
 * Whether one of our pages sent the request, according to the browser: `Origin` if present, else `Sec-Fetch-Site`. A
 * request with neither does not come from a browser page.
 */
export function isOwnOrigin(settings: CsrfSettings, request: Omit<GatewayRequest, 'address'>): boolean {
  const origin = headerOf(request, 'origin');
  if (origin !== undefined) return originsOf(settings).has(origin.toLowerCase());
  const site = headerOf(request, 'sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins of our own pages: those of `BASE_URL` and the partner hosts (https; in development also http). Loopback
 * names are equivalent.
 */
const originsOf = keptBy('own origins', (settings: CsrfSettings): ReadonlySet<string> => {
  const base = new URL(settings.baseUrl);
  const origins = new Set([base.origin]);
  if (LOOPBACK.includes(base.hostname)) {
    for (const name of LOOPBACK) origins.add(new URL(`${base.protocol}//${name}:${base.port}`).origin);
  }
  for (const host of settings.partnerHosts.keys()) {
    origins.add(`https://${host}`);
    if (settings.environment !== 'production') origins.add(`http://${host}`);
  }
  return origins;
});

/**
 * Whether a Host header names this site: the host of `BASE_URL`, a partner host, or a loopback name; in development any
 * host.
 */
export function isOwnHost(settings: CsrfSettings, host: string): boolean {
  if (settings.environment !== 'production') return true;
  const name = host.replace(/:\d+$/, '');
  return (
    host === new URL(settings.baseUrl).host || partnerHost(settings, host) !== undefined || LOOPBACK.includes(name)
  );
}
