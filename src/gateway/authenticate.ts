import { ANONYMOUS, type Anonymous, type Caller } from '../core/caller.ts';
import { Refusal, refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import { forgetKeys, KEYS_CHANNEL } from '../keys/find.ts';
import type { Deps } from '../platform/deps.ts';
import type { ChangeHandler } from '../platform/pg-notifications.ts';
import { statement } from '../platform/sql.ts';
import { cronSecret, timerSecret } from './cron-secret.ts';
import { isOwnOrigin } from './csrf.ts';
import { developerKey } from './developer-key.ts';
import { dropIdentityHeaders, isIdentityHeader, merchantAt } from './identity-headers.ts';
import { pageToken } from './page-token.ts';
import { type GatewayRequest, headerOf, socketRequest } from './request.ts';
import { forgetSessions, SESSIONS_CHANNEL, session } from './session.ts';
import type { GatewayDeps, Strategy } from './strategy.ts';

/** What wins where several proofs are sent: the first of these that is there, valid or not. */
const STRATEGIES: readonly Strategy[] = [timerSecret, developerKey, pageToken, cronSecret, session];

/** The same where anyone may ask: a session that has ended makes nobody. */
const OPEN_STRATEGIES: readonly Strategy[] = [timerSecret, developerKey, pageToken, cronSecret, standingSession];

/**
 * Who sends this request. Identity headers are taken out of it first, and `x-subscription-id` is stamped for a developer.
 *
 * Errors: `unauthorized` (a proof that is not valid), `forbidden` (an identity header and no proof), `datastore_unavailable` (a proof that cannot be
 * looked up).
 */
export function identify(deps: GatewayDeps, request: GatewayRequest): Promise<Caller> {
  return identifyBy(STRATEGIES, deps, request);
}

/**
 * The same for what anyone may ask (pages, login, site configuration). A session that has ended, or cannot be looked up, is nobody there, with the
 * reason: its cookie must not stand in the way of the next login, and whoever asks for more hears why.
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
  let nobody = ANONYMOUS;
  for (const strategy of strategies) {
    const found = strategy(deps, request);
    const caller = found instanceof Promise ? await found : found;
    if (!caller) continue;
    if (caller.kind === 'anonymous') {
      nobody = caller;
      continue;
    }
    if (caller.kind === 'developer') request.headers['x-subscription-id'] = caller.keyId;
    if (caller.kind !== 'session') return caller;
    return { ...caller, merchant: merchantAt(request.path, caller, claims.wallet) };
  }
  if (claims.any) throw refuse('forbidden', 'Identity headers are not accepted: send a subscription key');
  return nobody;
}

function standingSession(deps: GatewayDeps, request: GatewayRequest): Caller | null | Promise<Caller | null> {
  try {
    const found = session(deps, request);
    return found instanceof Promise ? found.catch(nobodyIfRefused) : found;
  } catch (error) {
    return nobodyIfRefused(error);
  }
}

function nobodyIfRefused(error: unknown): Anonymous {
  if (error instanceof Refusal) return { kind: 'anonymous', declined: error };
  throw error;
}

/**
 * Who opens a websocket: `connection_init` may carry the proofs under the headers' names. A cookie counts only from a page of ours, with the session's
 * CSRF token; browsers send it along with a socket opened by any page.
 */
export async function identifySocket(deps: GatewayDeps, upgrade: GatewayRequest, params: unknown): Promise<Caller> {
  const request = socketRequest(upgrade, params, isIdentityHeader);
  const caller = await identify(deps, request);
  if (caller.kind !== 'session') return caller;
  const fromOwnPage = headerOf(request, 'origin') !== undefined && isOwnOrigin(deps.settings, request);
  if (fromOwnPage && caller.csrfProven) return caller;
  throw forbid('csrf_token_missing', 'A session opens a socket from its own site only, with its CSRF token');
}

/** What the gateway of this process must hear from the others: for `startListener`. */
export function gatewayChanges(deps: Pick<Deps, 'sql'>): Record<string, ChangeHandler> {
  return { [KEYS_CHANNEL]: forgetKeys(deps), [SESSIONS_CHANNEL]: forgetSessions(deps) };
}

const selectEnded = statement(
  'callers_ended',
  `select id from api_keys where id = any($1) and revoked_at is not null
   union all
   select id from unnest($2::text[]) as id
   where not exists (select 1 from sessions s where s.id = id.id and s.revoked_at is null and s.expires_at > $3)`,
);

/** Which of these keys and sessions do not stand any more, by id: sockets that live on their proof are closed by this, in one statement for all. */
export async function endedAmong(
  deps: Pick<Deps, 'sql' | 'clock'>,
  { keyIds, sessionIds }: { keyIds: readonly string[]; sessionIds: readonly string[] },
): Promise<Set<string>> {
  if (keyIds.length === 0 && sessionIds.length === 0) return new Set();
  const rows = await deps.sql.rows<{ id: string }>(selectEnded, [keyIds, sessionIds, deps.clock()]);
  return new Set(rows.map((row) => row.id));
}
