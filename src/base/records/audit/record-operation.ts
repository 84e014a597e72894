import type { Deps } from '../../platform/deps.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import { PLATFORM } from './audit-entry.entity.ts';
import { type AuditDeps, recordAudit } from './record.ts';

/**
 * Records an action of the operator that is not a single transaction, in the audit log of the platform.
 */
export const recordOperation = (
  deps: AuditDeps & Pick<Deps, 'db'>,
  action: AuditAction,
  object: readonly [AuditObject, string],
  parameters: object,
): Promise<void> =>
  deps.db.transaction((uow) => recordAudit(deps, uow, PLATFORM, action, object, { after: parameters }));
