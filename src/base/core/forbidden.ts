import { type Refusal, refuse } from './errors.ts';

/** The values of `reason` beside `forbidden`, each with its meaning for the reference. */
export const FORBIDDEN_REASONS = {
  scope_missing: 'The key lacks the scope that `scope` names.',
  session_required: 'Only a signed-in session may do this. A key or a page token may not.',
  csrf_token_missing:
    'The session’s CSRF token is missing or wrong in `x-csrf-token`, or the request comes from another site.',
  role_missing:
    'The signed-in wallet lacks the role that `role` names: `admin` (a member of a merchant), `platform_admin`, or a role that has the `permission`.',
  signature_required:
    'The wallet’s last signature is older than five minutes. Sign the data of `confirmChallenge` and send it with `confirmSession`.',
  key_required: 'Only a subscription key may do this.',
  page_token_required: 'Only the page of this receipt may do this, with a token that may write.',
  page_token_limited: 'A page token opens only what its page shows and does.',
  timer_required: 'Only the operator’s scheduler may do this, with `x-cron-secret`.',
  timer_limited: '`x-cron-secret` opens only the routes of the scheduler.',
  trusted_document_required: 'The key runs only the documents that the operator trusts (`TRUSTED_DOCUMENTS`).',
  address_not_allowed: 'The key is limited to other addresses.',
  origin_not_allowed: 'The key is limited to other origins, or the request has no `Origin`.',
  wallet_not_own: 'The request names a wallet that is not the caller’s own.',
} as const satisfies Record<string, string>;

export type ForbiddenReason = keyof typeof FORBIDDEN_REASONS;

/**
 * A 403 that says what is missing: `reason` stands beside the code.
 *
 * @param extra further fields, such as `scope` or `role`
 */
export function forbid(
  reason: ForbiddenReason,
  message?: string,
  extra: Readonly<Record<string, unknown>> = {},
): Refusal {
  return refuse('forbidden', message, { reason, ...extra });
}

/** The values of `reason` beside `unauthorized`, where a session is what counts. */
export const SESSION_REASONS = {
  session_missing: 'The request carries no session. Sign in.',
  session_ended: 'The session has expired, was signed out or is not valid. Sign in again.',
} as const satisfies Record<string, string>;

export type SessionReason = keyof typeof SESSION_REASONS;

/** The values of `reason` beside `unauthorized`, where a key is what counts. */
export const KEY_REASONS = {
  key_expired: 'The key has expired. Use a new one.',
} as const satisfies Record<string, string>;

/** Refuses a key whose time is over. */
export const keyExpired = (): Refusal =>
  refuse('unauthorized', 'The subscription key has expired', {
    reason: 'key_expired' satisfies keyof typeof KEY_REASONS,
  });

/** Refuses a missing or ended session. The contract fixes the message; `reason` and `action` say what to do. */
export const sessionFailed = (reason: SessionReason): Refusal =>
  refuse('unauthorized', 'JWT authentication failed', {
    reason,
    action: reason === 'session_ended' ? 'Sign in again' : 'Sign in',
  });
