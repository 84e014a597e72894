import { sql } from 'kysely';
import { ANONYMOUS, type Anonymous, type Caller, type Scheduler } from '../../../base/core/caller.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ChangeHandler } from '../../../base/platform/pg-notifications.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sameSecret } from '../../../base/platform/secrets.ts';
import { findKey, forgetKeys, KEYS_CHANNEL } from '../keys/find.ts';
import { isOwnOrigin } from './csrf.ts';
import { pageToken } from './page-token.ts';
import { type GatewayRequest, headerOf, socketRequest } from './request.ts';
import { forgetSessions, memberOfSession, SESSIONS_CHANNEL, session } from './session.ts';
import type { GatewayDeps, Strategy } from './strategy.ts';
import { bearerOf, isToken } from './tokens.ts';

/**
 * Identifies a developer by the key in `Ocp-Apim-Subscription-Key`, `x-api-key` or `Authorization: Bearer`; the first
 * one present is used. A bearer in the form of a token is left to the page tokens.
 */
const developerKey: Strategy = (deps, request) => {
  const key = headerOf(request, 'ocp-apim-subscription-key') ?? headerOf(request, 'x-api-key');
  const { address } = request;
  const use = { address, origin: headerOf(request, 'origin') };
  if (key !== undefined) return findKey(deps.db, deps.clock(), key, use);
  const bearer = bearerOf(request);
  return bearer === undefined || isToken(bearer) ? null : findKey(deps.db, deps.clock(), bearer, use);
};

const SCHEDULER: Scheduler = { kind: 'scheduler' };

/** Identifies the operator’s scheduler by `x-cron-secret`. */
export const cronSecret: Strategy = ({ settings }, request) => {
  const given = headerOf(request, 'x-cron-secret');
  if (given === undefined) return null;
  if (!sameSecret(given, settings.cronSecret)) throw refuse('unauthorized', 'Invalid cron secret');
  return SCHEDULER;
};

/** The paths for the operator’s scheduler only. */
const SCHEDULER_PATHS: ReadonlySet<string> = new Set(['/api/subscriptions/charge', '/api/cron/charge-subscriptions']);

/**
 * The same before any other proof, if the secret is correct and the path accepts nothing else: the operator’s scheduler
 * may come through a gateway that adds a key.
 */
export const schedulerSecret: Strategy = ({ settings }, request) => {
  const given = SCHEDULER_PATHS.has(request.path) ? headerOf(request, 'x-cron-secret') : undefined;
  return given !== undefined && sameSecret(given, settings.cronSecret) ? SCHEDULER : null;
};

/** The order of precedence if several proofs are sent: the first one present is used, valid or not. */
const STRATEGIES: readonly Strategy[] = [schedulerSecret, developerKey, pageToken, cronSecret, session];

/** The same for public resources: an ended session counts as anonymous. */
const OPEN_STRATEGIES: readonly Strategy[] = [schedulerSecret, developerKey, pageToken, cronSecret, standingSession];

/**
 * Identifies the caller of a request. Removes the identity headers first, and sets `x-subscription-id` for a developer.
 *
 * Errors: `unauthorized` (an invalid proof), `forbidden` (an identity header without a proof), `datastore_unavailable`
 * (a proof that cannot be looked up).
 */
export function identify(deps: GatewayDeps, request: GatewayRequest): Promise<Caller> {
  return identifyBy(STRATEGIES, deps, request);
}

/**
 * The same for public resources (pages, login, site configuration). A session that has ended or cannot be looked up
 * counts as anonymous and carries the reason, so that its cookie does not prevent the next login. The reason is
 * reported if the request needs a session.
 */
export function identifyOpen(deps: GatewayDeps, request: GatewayRequest): Promise<Caller> {
  return identifyBy(OPEN_STRATEGIES, deps, request);
}

async function identifyBy(
  strategies: readonly Strategy[],
  deps: GatewayDeps,
  request: GatewayRequest,
): Promise<Caller> {
  const claims = dropIdentityHeaders(request);
  let anonymous = ANONYMOUS;
  for (const strategy of strategies) {
    const found = strategy(deps, request);
    const caller = found instanceof Promise ? await found : found;
    if (!caller) continue;
    if (caller.kind === 'anonymous') {
      anonymous = caller;
      continue;
    }
    if (caller.kind === 'developer') request.headers['x-subscription-id'] = caller.keyId;
    if (caller.kind !== 'session') return caller;
    return { ...caller, ...merchantAt(request.path, caller, claims.wallet) };
  }
  if (claims.any) throw refuse('forbidden', 'Identity headers are not accepted: send a subscription key');
  return anonymous;
}

function standingSession(deps: GatewayDeps, request: GatewayRequest): Caller | null | Promise<Caller | null> {
  try {
    const found = session(deps, request);
    return found instanceof Promise ? found.catch(anonymousIfRefused) : found;
  } catch (error) {
    return anonymousIfRefused(error);
  }
}

function anonymousIfRefused(error: unknown): Anonymous {
  if (error instanceof Refusal) return { kind: 'anonymous', declined: error };
  throw error;
}

/**
 * Identifies the caller of a websocket. `connection_init` may contain the proofs under the headers' names. A cookie
 * counts only from one of our pages and with the session's CSRF token, because browsers send cookies with a socket
 * opened by any page.
 */
export async function identifySocket(deps: GatewayDeps, upgrade: GatewayRequest, params: unknown): Promise<Caller> {
  const request = socketRequest(upgrade, params, isIdentityHeader);
  const caller = await identify(deps, request);
  if (caller.kind !== 'session') return caller;
  const fromOwnPage = headerOf(request, 'origin') !== undefined && isOwnOrigin(deps.settings, request);
  if (fromOwnPage && caller.csrfProven) return caller;
  throw forbid('csrf_token_missing', 'A session opens a socket from its own site only, with its CSRF token');
}

/** The handlers for notifications from other processes, for `startListener`. */
export function gatewayChanges(db: Db): Record<string, ChangeHandler> {
  return { [KEYS_CHANNEL]: forgetKeys(db), [SESSIONS_CHANNEL]: forgetSessions(db) };
}

/** A session as it was when a connection was opened with it. */
export interface OpenedSession {
  readonly id: string;
  readonly role: MemberRole | null;
}

/** Names a session with the role that it had. */
export const nameOfSession = ({ id, role }: OpenedSession): string => `${id} ${role ?? ''}`;

interface Proofs {
  readonly keyIds: readonly string[];
  /** By `nameOfSession`. */
  readonly sessions: readonly string[];
  readonly now: number;
}

const ENDED = query(
  'callers-ended',
  (db, $: Proofs) =>
    db
      .selectFrom('ApiKey')
      .select('id')
      .where('id', '=', sql<string>`any(${$.keyIds}::text[])`)
      .where((eb) => eb.or([eb('revokedAt', 'is not', null), eb('expiresAt', '<=', $.now)]))
      .unionAll((keys) =>
        keys
          .selectFrom(sql<{ id: string }>`unnest(${$.sessions}::text[])`.as<'given'>(sql`given(id)`))
          .select('given.id')
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('Session as s')
                  .leftJoin('Member as m', memberOfSession)
                  .select('s.id')
                  .where('s.id', '=', sql<string>`split_part(given.id, ' ', 1)`)
                  .where('s.revokedAt', 'is', null)
                  .where('s.expiresAt', '>', $.now)
                  .where(
                    ({ fn, ref, val }) =>
                      sql<boolean>`${fn.coalesce(ref('m.role'), val(''))} = split_part(given.id, ' ', 2)`,
                  ),
              ),
            ),
          ),
      ),
  { computed: { id: 'text' } },
);

/**
 * Those keys and sessions that have ended, in one statement, by id and by `nameOfSession`. A session whose role has
 * changed counts as ended. Used to close connections that depend on them.
 */
export async function endedAmong(
  db: Db,
  now: number,
  { keyIds, sessions }: { keyIds: readonly string[]; sessions: readonly string[] },
): Promise<Set<string>> {
  if (keyIds.length === 0 && sessions.length === 0) return new Set();
  const rows = await db.run(ENDED, { keyIds, sessions, now });
  return new Set(rows.map((row) => row.id));
}

/** Headers that name a wallet or a subscription. From outside they are claims without proof. */
const IDENTITY_HEADERS = new Set(['wallet', 'x-wallet', 'x-wallet-address', 'x-merchant-wallet', 'x-subscription-id']);

/** Whether a lower-case header name claims an identity. */
export function isIdentityHeader(name: string): boolean {
  return IDENTITY_HEADERS.has(name) || name.startsWith('x-user-');
}

/** The claims of a request, read before its identity headers were removed. */
export interface Claims {
  /** Whether there was any identity header. */
  readonly any: boolean;
  /** The value of `x-wallet`. Only used as the choice of an admin's session on terminal receipts. */
  readonly wallet: string | undefined;
}

const NO_CLAIMS: Claims = { any: false, wallet: undefined };

/** Removes the identity headers from the request, so that no later code can read them. */
export function dropIdentityHeaders(request: GatewayRequest): Claims {
  let claims = NO_CLAIMS;
  for (const name in request.headers) {
    if (!isIdentityHeader(name) || request.headers[name] === undefined) continue;
    const value = String(request.headers[name]);
    claims = { any: true, wallet: name === 'x-wallet' ? value : claims.wallet };
    delete request.headers[name];
  }
  return claims;
}

/**
 * The routes on which a session's `x-wallet` selects a merchant: creating a terminal receipt, where a platform admin
 * must select one, and checking its payment.
 */
const TERMINAL_PATH = '/api/receipts/terminal';
const CHECK_PATH = '/api/terminal/check-payment';

interface Acting {
  readonly merchant: Wallet | null;
  readonly role: MemberRole | null;
}

/** The merchant that a session acts for on this path, and its role there. Errors like `chosenMerchant`. */
export function merchantAt(
  path: string,
  session: Acting & { readonly platformAdmin: boolean },
  claimed: string | undefined,
): Acting {
  const { merchant, role } = session;
  if (path !== TERMINAL_PATH && (path !== CHECK_PATH || claimed === undefined)) return { merchant, role };
  const chosen = chosenMerchant(session, claimed);
  // A platform admin acts as the owner of the merchant that it names.
  return { merchant: chosen, role: chosen === merchant ? role : chosen === null ? null : 'owner' };
}

/**
 * The merchant that an admin's session acts for on terminal receipts. A merchant's own session acts for its merchant
 * and may name it. A platform admin acts for the merchant it names; null if it names none, which the terminal refuses
 * with `wallet_required`.
 *
 * Errors: `invalid_wallet`; `forbidden` if the named wallet is not the session's own.
 */
function chosenMerchant(
  session: { readonly merchant: Wallet | null; readonly platformAdmin: boolean },
  claimed: string | undefined,
): Wallet | null {
  if (claimed === undefined) return session.platformAdmin ? null : session.merchant;
  const named = parseWallet(claimed);
  if (!named) throw refuse('invalid_wallet');
  if (named !== session.merchant && !session.platformAdmin) throw forbid('wallet_not_own');
  return named;
}
