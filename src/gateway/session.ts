import type { JWTPayload } from 'jose';
import type { Session as SessionCaller } from '../core/caller.ts';
import { sessionFailed } from '../core/forbidden.ts';
import { newUuid } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps, Settings } from '../platform/deps.ts';
import { type ChangeHandler, notify } from '../platform/pg-notifications.ts';
import { createProofCache } from '../platform/proof-cache.ts';
import { type KeyColumns, keyedQuery, type RowOf } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { csrfToken, isCsrfProven } from './csrf.ts';
import { cookieOf, type GatewayRequest } from './request.ts';
import { Session } from './session.entity.ts';
import type { GatewayDeps, Strategy } from './strategy.ts';
import { openToken, signToken } from './tokens.ts';

/** The cookie with the session's token; scripts cannot read it. */
export const SESSION_COOKIE = 'cb_auth_token';
/** The cookie with the CSRF token; scripts send it as `x-csrf-token`. */
const CSRF_COOKIE = 'cb_csrf';

/** The lifetime of a session. */
export const SESSION_MS = 12 * 3_600_000;

/** The channel that publishes the ids of revoked sessions. */
export const SESSIONS_CHANNEL = 'sessions_revoked';

const REMEMBERED = 10_000;
const FRESH_MS = 5_000;
const KEPT_MS = 3_600_000;

type SessionId = KeyColumns<{ id: string }>;

/** A session, with the merchant registered under its wallet, if there is one. */
const BY_ID = keyedQuery('session-by-id', ['id'], (db, key: SessionId) =>
  db
    .selectFrom('Session as s')
    .leftJoin('Merchant as m', 'm.wallet', 's.wallet')
    .select(['s.wallet', 's.expiresAt', 'm.wallet as merchant'])
    .where('s.id', '=', key.id)
    .where('s.revokedAt', 'is', null),
);

type SessionRow = Omit<RowOf<typeof BY_ID>, 'n'>;

const memoryOf = weakMemo((sql: Sql) =>
  createProofCache((id) => sql.one(BY_ID, { id }), { max: REMEMBERED, freshMs: FRESH_MS, keptMs: KEPT_MS }),
);

/** Creates the handler of revocation notifications. */
export function forgetSessions(deps: Pick<Deps, 'sql'>): ChangeHandler {
  return (id) => memoryOf(deps.sql).forget(id);
}

/**
 * Identifies a signed-in wallet by its cookie. If token and session are cached the result is immediate, because
 * heartbeats are frequent.
 */
export const session: Strategy = (deps, request) => {
  const token = cookieOf(request, SESSION_COOKIE);
  if (token === undefined) return null;
  const { settings, sql, clock } = deps;
  const payload = openToken(settings, 'session', token, clock());
  if (payload instanceof Promise || !payload?.jti) return lookUp(deps, request, payload);
  const row = memoryOf(sql).get(payload.jti);
  return row instanceof Promise ? lookUp(deps, request, payload) : callerOf(deps, request, payload, row);
};

async function lookUp(
  deps: GatewayDeps,
  request: GatewayRequest,
  opening: JWTPayload | null | Promise<JWTPayload | null>,
): Promise<SessionCaller> {
  const payload = await opening;
  if (!payload?.jti) throw sessionFailed('session_ended');
  return callerOf(deps, request, payload, await memoryOf(deps.sql).get(payload.jti));
}

function callerOf(
  { settings, clock }: GatewayDeps,
  request: GatewayRequest,
  payload: JWTPayload,
  row: SessionRow | null,
): SessionCaller {
  if (!row || row.wallet !== payload.sub || row.expiresAt <= clock()) throw sessionFailed('session_ended');
  const sessionId = payload.jti as string;
  return {
    kind: 'session',
    sessionId,
    wallet: row.wallet,
    merchant: row.merchant,
    platformAdmin: settings.platformAdmins.includes(row.wallet),
    csrfProven: isCsrfProven(settings, request, sessionId),
  };
}

/** Inserts a session within a unit of work. Returns its id, and its token for the cookie. */
export async function openSession(
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  uow: UnitOfWork,
  wallet: Wallet,
): Promise<{ id: string; token: string; expiresAt: number }> {
  const now = clock();
  const id = newUuid();
  const expiresAt = now + SESSION_MS;
  uow.em.create(Session, { id, wallet, createdAt: now, expiresAt, revokedAt: null });
  await uow.em.flush();
  const token = await signToken(settings, 'session', { sub: wallet, jti: id }, { now, expiresAt });
  return { id, token, expiresAt };
}

/** Revokes a session within a unit of work, in every process. Repeating it changes nothing. */
export async function endSession(deps: Pick<Deps, 'sql' | 'clock'>, uow: UnitOfWork, id: string): Promise<void> {
  await uow.em.nativeUpdate(Session, { id, revokedAt: null }, { revokedAt: deps.clock() });
  await notify(uow, SESSIONS_CHANNEL, id);
  // This process must not wait for its own notification.
  uow.afterCommit(() => forgetSessions(deps)(id));
}

type CookieSettings = Pick<Settings, 'environment' | 'jwtSecret'>;

/** The Set-Cookie headers of a login: the session cookie, and the readable cookie with the CSRF token. */
export function sessionCookies(settings: CookieSettings, { id, token }: { id: string; token: string }): string[] {
  return [
    cookie(settings, SESSION_COOKIE, token, SESSION_MS, true),
    cookie(settings, CSRF_COOKIE, csrfToken(settings, id), SESSION_MS, false),
  ];
}

/** The Set-Cookie headers that clear both cookies, for a logout and for refused sessions. */
export function clearedCookies(settings: CookieSettings): string[] {
  return [cookie(settings, SESSION_COOKIE, '', 0, true), cookie(settings, CSRF_COOKIE, '', 0, false)];
}

function cookie(settings: CookieSettings, name: string, value: string, maxAgeMs: number, hidden: boolean): string {
  const secure = settings.environment === 'production' ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeMs / 1000}; SameSite=Lax${hidden ? '; HttpOnly' : ''}${secure}`;
}
