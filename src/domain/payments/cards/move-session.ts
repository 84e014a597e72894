import { jsonb } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { CARD_SESSION, type SessionStatus } from './lifecycle.ts';
import type { OnrampSession } from './session.entity.ts';

/**
 * The only change of a session's status. The session's receipt must be locked. Sets other fields with it; a session may
 * keep its status and change only them. Returns false, and changes nothing, if the session may not move to `to`.
 */
export async function moveSession(
  uow: UnitOfWork,
  session: OnrampSession,
  to: SessionStatus,
  fields: Partial<Omit<OnrampSession, 'merchant' | 'id' | 'status'>>,
): Promise<boolean> {
  if (session.status !== to && !CARD_SESSION.mayMove(session.status, to)) return false;
  Object.assign(session, fields, { status: to });
  const { eventIds, ...others } = fields;
  await uow.db
    .updateTable('OnrampSession')
    .set({ ...others, ...(eventIds && { eventIds: jsonb(eventIds) }), status: to })
    .where('merchant', '=', session.merchant)
    .where('id', '=', session.id)
    .execute();
  return true;
}
