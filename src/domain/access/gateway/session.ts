import type { JWTPayload } from 'jose';
import type { JoinBuilder } from 'kysely';
import type { Session as SessionCaller } from '../../../base/core/caller.ts';
import { sessionFailed } from '../../../base/core/forbidden.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ClockAndSettings, Settings } from '../../../base/platform/deps.ts';
import { lastUsesOf } from '../../../base/platform/last-uses.ts';
import { type ChangeHandler, notify } from '../../../base/platform/pg-notifications.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type KeyColumns, keyedQuery, type RowOf } from '../../../base/platform/postgres/query.ts';
import { createProofCache } from '../../../base/platform/proof-cache.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { csrfToken, isCsrfProven } from './csrf.ts';
import { cookieOf, type GatewayRequest } from './request.ts';
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

/** When the sessions of a database were last used. */
export const sessionUses = lastUsesOf('uses of sessions', 'sessions-used', 'Session');

const REMEMBERED = 10_000;
const FRESH_MS = 5_000;
const KEPT_MS = 3_600_000;

type SessionId = KeyColumns<{ id: string }>;

type Joined = Database & { s: Database['Session']; m: Database['Member'] };

/** Joins a session `s` with its wallet's membership `m` in the merchant that it acts for. */
export const memberOfSession = (join: JoinBuilder<Joined, 's' | 'm'>) =>
  join
    .on('m.merchant', '=', ({ fn, ref }) => fn.coalesce(ref('s.merchant'), ref('s.wallet')))
    .onRef('m.wallet', '=', 's.wallet');

/** A session, with the merchant that it acts for and the role there. Both are null if the wallet is not a member. */
const BY_ID = keyedQuery('session-by-id', ['id'], (db, key: SessionId) =>
  db
    .selectFrom('Session as s')
    .leftJoin('Member as m', memberOfSession)
    .leftJoin('Merchant as shop', 'shop.wallet', 'm.merchant')
    .select(['s.wallet', 's.expiresAt', 's.confirmedAt', 'm.merchant', 'm.role', 'shop.newcomer'])
    .where('s.id', '=', key.id)
    .where('s.revokedAt', 'is', null),
);

type SessionRow = Omit<RowOf<typeof BY_ID>, 'n'>;

const memoryOf = keptBy('sessions', (db: Db) =>
  createProofCache((id) => db.one(BY_ID, { id }), { max: REMEMBERED, freshMs: FRESH_MS, keptMs: KEPT_MS }),
);

type SessionListener = (id: string | null) => void;

const listenersOf = keptBy('listeners of sessions', (_db: Db) => new Set<SessionListener>());

/**
 * Calls `listener` when a session has ended or changed, in any process; with null, any may have. Returns a function
 * that removes it.
 */
export function onSessionChanged(db: Db, listener: SessionListener): () => void {
  listenersOf(db).add(listener);
  return () => void listenersOf(db).delete(listener);
}

/** Creates the handler of notifications about sessions that have ended or changed. */
export function forgetSessions(db: Db): ChangeHandler {
  return (id) => {
    memoryOf(db).forget(id);
    for (const listener of listenersOf(db)) listener(id);
  };
}

/** Has every process read a session again, after the commit of this unit of work. */
export async function announceSession(db: Db, uow: UnitOfWork, id: string): Promise<void> {
  await notify(uow, SESSIONS_CHANNEL, id);
  // This process must not wait for its own notification.
  uow.afterCommit(() => forgetSessions(db)(id));
}

/**
 * Identifies a signed-in wallet by its cookie. If token and session are cached the result is immediate, because
 * heartbeats are frequent.
 */
export const session: Strategy = (deps, request) => {
  const token = cookieOf(request, SESSION_COOKIE);
  if (token === undefined) return null;
  const { settings, db, clock } = deps;
  const payload = openToken(settings, 'session', token, clock());
  if (payload instanceof Promise || !payload?.jti) return lookUp(deps, request, payload);
  const row = memoryOf(db).get(payload.jti);
  return row instanceof Promise ? lookUp(deps, request, payload) : callerOf(deps, request, payload, row);
};

async function lookUp(
  deps: GatewayDeps,
  request: GatewayRequest,
  opening: JWTPayload | null | Promise<JWTPayload | null>,
): Promise<SessionCaller> {
  const payload = await opening;
  if (!payload?.jti) throw sessionFailed('session_ended');
  return callerOf(deps, request, payload, await memoryOf(deps.db).get(payload.jti));
}

function callerOf(
  { settings, clock, db }: GatewayDeps,
  request: GatewayRequest,
  payload: JWTPayload,
  row: SessionRow | null,
): SessionCaller {
  const now = clock();
  if (!row || row.wallet !== payload.sub || row.expiresAt <= now) throw sessionFailed('session_ended');
  const sessionId = payload.jti as string;
  sessionUses(db).note(sessionId, now);
  return {
    kind: 'session',
    sessionId,
    wallet: row.wallet,
    merchant: row.merchant,
    role: row.role,
    ...(row.newcomer ? { newcomer: true } : {}),
    confirmedAt: row.confirmedAt,
    platformAdmin: settings.platformAdmins.includes(row.wallet),
    csrfProven: isCsrfProven(settings, request, sessionId),
  };
}

/** What a session begins with. */
export interface NewSession {
  readonly wallet: Wallet;
  readonly merchant: Wallet | null;
  /** When the wallet signed; now by default. */
  readonly confirmedAt?: number;
  /** Where the wallet signs in. */
  readonly client?: { readonly address: string | null; readonly userAgent: string | null };
}

/** The longest stored user agent. */
const USER_AGENT_MAX = 512;

/** Inserts a session within a unit of work. Returns its id, and its token for the cookie. */
export async function openSession(
  { settings, clock }: ClockAndSettings,
  uow: UnitOfWork,
  { wallet, merchant, confirmedAt, client }: NewSession,
): Promise<{ id: string; token: string; expiresAt: number }> {
  const now = clock();
  const id = newUuid();
  const expiresAt = now + SESSION_MS;
  await uow.db
    .insertInto('Session')
    .values({
      id,
      wallet,
      merchant,
      createdAt: now,
      expiresAt,
      confirmedAt: confirmedAt ?? now,
      address: client?.address ?? null,
      userAgent: storable(client?.userAgent ?? null),
    })
    .execute();
  const token = await signToken(settings, 'session', { sub: wallet, jti: id }, { now, expiresAt });
  return { id, token, expiresAt };
}

/** A user agent as it can be stored. */
const storable = (userAgent: string | null): string | null =>
  userAgent === null ? null : userAgent.slice(0, USER_AGENT_MAX).replaceAll('\0', '').toWellFormed();

/**
 * Revokes a session within a unit of work, in every process. Repeating it changes nothing. Returns whether the session
 * was not revoked before.
 */
export async function endSession(db: Db, now: number, uow: UnitOfWork, id: string): Promise<boolean> {
  const ended = await uow.db
    .updateTable('Session')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute();
  await announceSession(db, uow, id);
  return ended.length > 0;
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
