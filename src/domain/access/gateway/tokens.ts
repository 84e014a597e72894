import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { type GatewayRequest, headerOf } from './request.ts';

/**
 * The purpose of a token. Each purpose has its own key and audience, so that no token is accepted for another purpose.
 */
export type Purpose = 'session' | 'page';

/** The only algorithm for signing and verification. The token's own header is not trusted. */
const ALGORITHM = 'HS256';

/** The secret that signs, and the one that it has replaced. */
export type TokenSettings = Pick<Settings, 'jwtSecret'> & Partial<Pick<Settings, 'previousJwtSecret'>>;

type Keys = Readonly<Record<Purpose, KeyObject>>;

function keysFrom(secret: string): Keys {
  const keyFor = (purpose: Purpose): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'quittance', `${purpose}-token`, 32)));
  return { session: keyFor('session'), page: keyFor('page') };
}

const keysOf = keptBy('keys of sessions', ({ jwtSecret, previousJwtSecret }: TokenSettings) => ({
  current: keysFrom(jwtSecret),
  previous: previousJwtSecret ? keysFrom(previousJwtSecret) : null,
}));

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const HEADER = encoded({ alg: ALGORITHM, typ: 'JWT' });

/** Signs a token. Times are epoch milliseconds; the token carries whole seconds. Each order answers one. */
export function signToken(
  settings: TokenSettings,
  purpose: Purpose,
  payload: JWTPayload,
  { now, expiresAt }: { now: number; expiresAt: number },
): string {
  const times = { iat: Math.floor(now / 1000), exp: Math.floor(expiresAt / 1000) };
  const content = `${HEADER}.${encoded({ ...payload, aud: purpose, ...times })}`;
  return `${content}.${createHmac('sha256', keysOf(settings).current[purpose]).update(content).digest('base64url')}`;
}

/**
 * The cache size for verified tokens; the least recently used are evicted. A signature stays valid; only the expiry is
 * checked again.
 */
const OPENED = 20_000;
const openedBy = keptBy('verified tokens', (_key: KeyObject) => boundedCache<string, JWTPayload>({ max: OPENED }));

/**
 * The payload of a token that we signed for this purpose and that has not expired; null for anything else. Immediate if
 * the token was verified before.
 */
export function openToken(
  settings: TokenSettings,
  purpose: Purpose,
  token: string,
  now: number,
): JWTPayload | null | Promise<JWTPayload | null> {
  const keys = keysOf(settings);
  const key = keys.current[purpose];
  const previous = keys.previous?.[purpose];
  const known = openedBy(key).get(token) ?? (previous && openedBy(previous).get(token));
  if (known) return isOver(known, now) ? null : known;
  const opened = verify(key, purpose, token, now);
  return previous ? opened.then((payload) => payload ?? verify(previous, purpose, token, now)) : opened;
}

/** In whole seconds, like the token. */
const isOver = ({ exp }: JWTPayload, now: number): boolean => (exp as number) <= Math.floor(now / 1000);

async function verify(key: KeyObject, purpose: Purpose, token: string, now: number): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      audience: purpose,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    });
    openedBy(key).set(token, payload);
    return payload;
  } catch {
    return null;
  }
}

/** The bearer of the Authorization header; undefined for other schemes. */
export function bearerOf(request: GatewayRequest): string | undefined {
  const header = headerOf(request, 'authorization');
  return header === undefined ? undefined : /^bearer\s+(.*)$/i.exec(header)?.[1]?.trim();
}

/** Whether a bearer has the form of a signed token: three parts. A key has one. */
export function isToken(bearer: string): boolean {
  return bearer.split('.', 4).length === 3;
}
