import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { identifier } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';

const deletion = z.object({ id: identifier });

/** Deletes an item from the catalog. Receipts that contain it do not change. Refuses an unknown id with `not_found`. */
export async function deleteItem(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  merchant: Wallet,
  id: unknown,
): Promise<void> {
  const wanted = parseInput(deletion, { id });
  await inTransaction(deps, async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const deleted = await uow.sql('delete from inventory_items where merchant = $1 and id = $2 returning id', [
      merchant,
      wanted.id,
    ]);
    if (deleted.length === 0) throw refuse('not_found', 'Product not found');
  });
}
