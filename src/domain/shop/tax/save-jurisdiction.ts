import { refuse } from '../../../base/core/errors.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { JurisdictionInput } from './jurisdiction.input.ts';
import { MerchantJurisdiction } from './merchant-jurisdiction.entity.ts';

/** The most jurisdictions of a merchant. All of them are read with its settings. */
const MAX_OWN_JURISDICTIONS = 500;

/**
 * Creates or replaces one of the merchant's own tax jurisdictions. It replaces the public one with the same code.
 * Throws `invalid_input` if the merchant has too many, and `forbidden` for a wallet that is not the merchant's.
 */
export async function saveJurisdiction(
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql'>,
  merchant: Wallet,
  { wallet, ...given }: JurisdictionInput,
): Promise<Jurisdiction> {
  requireOwnWallet(merchant, wallet);
  const jurisdiction: Jurisdiction = { ...given, updatedAt: deps.clock() };
  return inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const known = await uow.em.findOne(MerchantJurisdiction, { merchant, code: given.code });
    const before = known && auditedTax(known);
    await uow.em.upsert(MerchantJurisdiction, { merchant, ...jurisdiction, components: [...jurisdiction.components] });
    if ((await uow.em.count(MerchantJurisdiction, { merchant })) > MAX_OWN_JURISDICTIONS) {
      throw refuse('invalid_input', `A merchant has at most ${MAX_OWN_JURISDICTIONS} jurisdictions of its own`);
    }
    await recordAudit(deps, uow, merchant, 'tax.saved', ['tax', given.code], {
      before,
      after: auditedTax(jurisdiction),
    });
    return jurisdiction;
  });
}

/** What the audit log records of a jurisdiction. */
export const auditedTax = ({ displayName, rate, components }: Omit<Jurisdiction, 'updatedAt'>) => ({
  ...{ displayName, rate, components },
});
