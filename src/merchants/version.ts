import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { invalidateSettings } from './settings.ts';

/**
 * Raises a merchant's version: whoever priced from what stood before must price again. Every write to catalog, shop, tax or split calls it, before it
 * reads what it changes: the merchant's row stays locked to the end of the transaction, so that a merchant's writes come one after another. Refuses with
 * `not_found` a wallet that is no merchant's.
 */
export async function raiseVersion(
  deps: Pick<Deps, 'sql' | 'clock'>,
  uow: UnitOfWork,
  merchant: Wallet,
): Promise<void> {
  const [raised] = await uow.sql<{ version: number }>(
    'update merchants set version = version + 1, updated_at = $2 where wallet = $1 returning version',
    [merchant, deps.clock()],
  );
  if (!raised) throw refuse('not_found', 'No merchant is registered under this wallet');
  // Other processes find out when they book; this one need not wait for that.
  uow.afterCommit(() => invalidateSettings(deps, merchant));
}
