import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { jurisdictionCode } from './jurisdiction.input.ts';
import { MerchantJurisdiction } from './merchant-jurisdiction.entity.ts';

const deletion = z.object({ code: jurisdictionCode });

/**
 * Deletes one of the merchant's own jurisdictions. A public one with the same code applies again. Throws `not_found`
 * for an unknown code.
 */
export async function deleteJurisdiction(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  code: unknown,
): Promise<void> {
  const wanted = parseInput(deletion, { code });
  await inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const deleted = await uow.em.nativeDelete(MerchantJurisdiction, { merchant, code: wanted.code });
    if (deleted === 0) throw refuse('not_found', `You have no tax jurisdiction ${wanted.code} of your own`);
  });
}
