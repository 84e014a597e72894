import { refuse } from '../../../base/core/errors.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { JurisdictionInput } from './jurisdiction.input.ts';

/** The most jurisdictions of a merchant. All of them are read with its settings. */
const MAX_OWN_JURISDICTIONS = 500;

/**
 * Creates or replaces one of the merchant's own tax jurisdictions. It replaces the public one with the same code.
 * Throws `invalid_input` if the merchant has too many, and `forbidden` for a wallet that is not the merchant's.
 */
export async function saveJurisdiction(
  deps: WritingDeps,
  merchant: Wallet,
  { wallet, ...given }: JurisdictionInput,
): Promise<Jurisdiction> {
  requireOwnWallet(merchant, wallet);
  const jurisdiction: Jurisdiction = { ...given, updatedAt: deps.clock() };
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const own = await uow.db
      .selectFrom('MerchantJurisdiction')
      .select(['code', 'displayName', 'rate', 'components'])
      .where('merchant', '=', merchant)
      .execute();
    const known = own.find(({ code }) => code === given.code);
    const before = known ? auditedTax(known) : null;
    const { code: _, ...replaced } = { ...jurisdiction, components: jsonb([...jurisdiction.components]) };
    await uow.db
      .insertInto('MerchantJurisdiction')
      .values({ ...replaced, merchant, code: given.code })
      .onConflict((one) => one.columns(['merchant', 'code']).doUpdateSet(replaced))
      .execute();
    if (!known && own.length >= MAX_OWN_JURISDICTIONS) {
      throw refuse('invalid_input', `A merchant has at most ${MAX_OWN_JURISDICTIONS} jurisdictions of its own`, {
        reason: 'too_many',
        most: MAX_OWN_JURISDICTIONS,
      });
    }
    await recordAudit(deps, uow, merchant, 'tax.saved', ['tax', given.code], {
      before,
      after: auditedTax(jurisdiction),
    });
    return jurisdiction;
  });
}

/** What the audit log records of a jurisdiction. */
const auditedTax = ({ displayName, rate, components }: Pick<Jurisdiction, 'displayName' | 'rate' | 'components'>) => ({
  ...{ displayName, rate, components },
});

/**
 * Deletes one of the merchant's own jurisdictions. A public one with the same code applies again. Throws `not_found`
 * for an unknown code.
 */
export async function deleteJurisdiction(deps: WritingDeps, merchant: Wallet, code: string): Promise<void> {
  await deps.db.transaction(async (uow) => {
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
