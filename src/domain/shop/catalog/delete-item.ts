import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import { raiseVersion } from '../merchants/version.ts';

/** Deletes an item from the catalog. Receipts that contain it do not change. Refuses an unknown id with `not_found`. */
export async function deleteItem(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  id: string,
): Promise<void> {
  await inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const deleted = await uow.db
      .deleteFrom('Item')
      .where((eb) => eb.and({ merchant, id }))
      .returning('id')
      .execute();
    if (deleted.length === 0) throw refuse('not_found', 'Product not found');
  });
}
