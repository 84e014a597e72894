import { LRUCache } from 'lru-cache';
import { weakMemo } from '../core/weak-memo.ts';
import type { Settings } from '../platform/deps.ts';
import { partnerHost } from '../platform/partner-hosts.ts';
import { hmac, sameSecret } from '../platform/secrets.ts';
import { type GatewayRequest, headerOf } from './request.ts';

type CsrfSettings = Pick<Settings, 'jwtSecret' | 'baseUrl' | 'partnerHosts' | 'environment'>;

/** The token that proves a request to be made by our own page: bound to the session, readable by our pages' scripts alone. */
export function csrfToken(settings: Pick<Settings, 'jwtSecret'>, sessionId: string): string {
  const tokens = tokensOf(settings);
  const known = tokens.get(sessionId);
  if (known !== undefined) return known;
  const token = hmac(settings.jwtSecret, `csrf-token:${sessionId}`);
  tokens.set(sessionId, token);
  return token;
}

/** Tokens of the sessions in use. */
const REMEMBERED = 10_000;
const tokensOf = weakMemo((_settings: object) => new LRUCache<string, string>({ max: REMEMBERED }));

/** Whether the request carries the session's CSRF token in `x-csrf-token` and does not come from a foreign page. */
export function isCsrfProven(settings: CsrfSettings, request: GatewayRequest, sessionId: string): boolean {
  const given = headerOf(request, 'x-csrf-token');
  return given !== undefined && isOwnOrigin(settings, request) && sameSecret(given, csrfToken(settings, sessionId));
}

/**
 * Whether the page that sent the request is one of ours, as far as the browser tells: `Origin` where there is one, else `Sec-Fetch-Site`. What says
 * neither is no browser's page.
 */
export function isOwnOrigin(settings: CsrfSettings, request: GatewayRequest): boolean {
  const origin = headerOf(request, 'origin');
  if (origin !== undefined) return originsOf(settings).has(origin.toLowerCase());
  const site = headerOf(request, 'sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The origins of our own pages: `BASE_URL`'s and the partner hosts' (https; in development http too). Names of this very machine stand for each other. */
const originsOf = weakMemo((settings: CsrfSettings): ReadonlySet<string> => {
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

/** Whether a Host header names this site: `BASE_URL`'s host, a partner's, or this very machine; in development any. */
export function isOwnHost(settings: CsrfSettings, host: string): boolean {
  if (settings.environment !== 'production') return true;
  const name = host.replace(/:\d+$/, '');
  return (
    host === new URL(settings.baseUrl).host || partnerHost(settings, host) !== undefined || LOOPBACK.includes(name)
  );
}
