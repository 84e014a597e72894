import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Settings } from '../platform/deps.ts';
import { type DoorRequest, headerOf } from './request.ts';

/** What a token is for. Each purpose has a key of its own and an audience, so that no token passes for another kind. */
export type Purpose = 'session' | 'page';

/** The one algorithm that is signed with and accepted; what a token's own header says is not asked. */
const ALGORITHM = 'HS256';

const keys = new WeakMap<object, Partial<Record<Purpose, KeyObject>>>();

function keyFor(settings: Pick<Settings, 'jwtSecret'>, purpose: Purpose): KeyObject {
  const known = keys.get(settings) ?? {};
  keys.set(settings, known);
  known[purpose] ??= createSecretKey(
    Buffer.from(hkdfSync('sha256', settings.jwtSecret, 'quittance', `${purpose}-token`, 32)),
  );
  return known[purpose];
}

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
    .sign(keyFor(settings, purpose));
}

/** The payload of a token that we signed for this purpose and that has not expired; null for anything else. */
export async function openToken(
  settings: Pick<Settings, 'jwtSecret'>,
  purpose: Purpose,
  token: string,
  now: number,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keyFor(settings, purpose), {
      algorithms: [ALGORITHM],
      audience: purpose,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    });
    return payload;
  } catch {
    return null;
  }
}

/** The bearer of the Authorization header; other schemes are not ours. */
export function bearerOf(request: DoorRequest): string | undefined {
  const header = headerOf(request, 'authorization');
  return header === undefined ? undefined : /^bearer\s+(.*)$/i.exec(header)?.[1]?.trim();
}

/** Whether a bearer has the form of a signed token: three parts. A key has one. */
export function isToken(bearer: string): boolean {
  return bearer.split('.', 4).length === 3;
}
