import { CARD_SESSION, type SessionStatus } from './lifecycle.ts';
import type { OnrampSession } from './session.entity.ts';

/**
 * The only change of a session's status. The session's receipt must be locked. Sets other fields with it; a session may
 * keep its status and change only them. Returns false, and changes nothing, if the session may not move to `to`.
 */
export function moveSession(
  session: OnrampSession,
  to: SessionStatus,
  fields: Partial<Omit<OnrampSession, 'status'>>,
): boolean {
  if (session.status !== to && !CARD_SESSION.mayMove(session.status, to)) return false;
  Object.assign(session, fields, { status: to });
  return true;
}
