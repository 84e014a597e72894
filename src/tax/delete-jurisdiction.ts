import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { MerchantJurisdiction } from './merchant-jurisdiction.entity.ts';

/**
 * Deletes one of the merchant's own jurisdictions. A public one with the same code applies again. Throws `not_found`
 * for an unknown code.
 */
export async function deleteJurisdiction(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  code: string,
): Promise<void> {
  await inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const deleted = await uow.em.nativeDelete(MerchantJurisdiction, { merchant, code });
    if (deleted === 0) throw refuse('not_found', `You have no tax jurisdiction ${code} of your own`);
  });
}
