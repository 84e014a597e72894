import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { PLATFORM } from './audit-entry.entity.ts';
import { type AuditDeps, recordAudit } from './record.ts';

/**
 * Erases the personal data of the entries of a merchant, or of all, that are older than `before`: addresses, user
 * agents and e-mail addresses. The chains stay valid. Returns the number of entries.
 */
export function eraseAuditPersonal(
  deps: AuditDeps & Pick<Deps, 'orm'>,
  { merchant, before }: { readonly merchant: Wallet | null; readonly before: number },
): Promise<number> {
  return inTransaction(deps, async (uow) => {
    const erased = await uow.db
      .updateTable('AuditEntry')
      .set({ personal: null, salt: null })
      .where('at', '<', before)
      .where('personal', 'is not', null)
      .$if(merchant !== null, (update) => update.where('merchant', '=', merchant as Wallet))
      .executeTakeFirstOrThrow();
    const entries = Number(erased.numUpdatedRows);
    await recordAudit(deps, uow, {
      merchant: merchant ?? PLATFORM,
      action: 'audit.erased',
      object: ['audit', merchant ?? PLATFORM],
      before: null,
      after: { entries, before },
    });
    return entries;
  });
}
