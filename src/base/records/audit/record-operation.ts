import type { AuditAction, AuditObject } from './actions.ts';
import { PLATFORM } from './audit-entry.entity.ts';
import { recordAudit, type WritingDeps } from './record.ts';

/**
 * Records an action of the operator that is not a single transaction, in the audit log of the platform.
 */
export const recordOperation = (
  deps: WritingDeps,
  action: AuditAction,
  object: readonly [AuditObject, string],
  parameters: object,
): Promise<void> =>
  deps.db.transaction((uow) => recordAudit(deps, uow, PLATFORM, action, object, { after: parameters }));
