import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { raiseVersion } from '../merchants/version.ts';
import { auditedTax } from './save-jurisdiction.ts';

/**
 * Deletes one of the merchant's own jurisdictions. A public one with the same code applies again. Throws `not_found`
 * for an unknown code.
 */
export async function deleteJurisdiction(
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql'>,
  merchant: Wallet,
  code: string,
): Promise<void> {
  await inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const known = await uow.db
      .deleteFrom('MerchantJurisdiction')
      .where((eb) => eb.and({ merchant, code }))
      .returning(['displayName', 'rate', 'components'])
      .executeTakeFirst();
    if (!known) throw refuse('not_found', `You have no tax jurisdiction ${code} of your own`);
    await recordAudit(deps, uow, merchant, 'tax.deleted', ['tax', code], { before: auditedTax(known) });
  });
}
