import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { weakMemo } from '../core/weak-memo.ts';
import type { Settings } from '../platform/deps.ts';
import { type GatewayRequest, headerOf } from './request.ts';

/** What a token is for. Each purpose has a key of its own and an audience, so that no token passes for another kind. */
export type Purpose = 'session' | 'page';

/** The one algorithm that is signed with and accepted; what a token's own header says is not asked. */
const ALGORITHM = 'HS256';

const keysOf = weakMemo(({ jwtSecret }: Pick<Settings, 'jwtSecret'>) => {
  const keyFor = (purpose: Purpose): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', jwtSecret, 'quittance', `${purpose}-token`, 32)));
  return { session: keyFor('session'), page: keyFor('page') } satisfies Record<Purpose, KeyObject>;
});

/** Signs a token. Times are epoch milliseconds; the token carries whole seconds. */
export function signToken(
  settings: Pick<Settings, 'jwtSecret'>,
  purpose: Purpose,
  payload: JWTPayload,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setAudience(purpose)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(keysOf(settings)[purpose]);
}

/** Tokens that were opened, with their payloads: those not used for longest go first. What was signed once stays signed; only time runs out. */
const OPENED = 20_000;
const openedBy = weakMemo((_key: KeyObject) => new LRUCache<string, JWTPayload>({ max: OPENED }));

/** The payload of a token that we signed for this purpose and that has not expired; null for anything else. At once where it was opened before. */
export function openToken(
  settings: Pick<Settings, 'jwtSecret'>,
  purpose: Purpose,
  token: string,
  now: number,
): JWTPayload | null | Promise<JWTPayload | null> {
  const key = keysOf(settings)[purpose];
  const known = openedBy(key).get(token);
  if (known) return isOver(known, now) ? null : known;
  return verify(key, purpose, token, now);
}

/** By whole seconds, as the token has them. */
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

/** The bearer of the Authorization header; other schemes are not ours. */
export function bearerOf(request: GatewayRequest): string | undefined {
  const header = headerOf(request, 'authorization');
  return header === undefined ? undefined : /^bearer\s+(.*)$/i.exec(header)?.[1]?.trim();
}

/** Whether a bearer has the form of a signed token: three parts. A key has one. */
export function isToken(bearer: string): boolean {
  return bearer.split('.', 4).length === 3;
}
