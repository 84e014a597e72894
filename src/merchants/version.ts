import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { invalidateSettings } from './settings.ts';

/**
 * Increments a merchant's version, so that orders priced from the previous version are priced again. Every write to
 * catalog, shop, tax or split calls it before it reads the data that it changes. The merchant's row stays locked to the
 * end of the transaction, which serializes the merchant's writes. Refuses with `not_found` if there is no such
 * merchant.
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
  // Other processes notice when they book an order; this one invalidates its cache immediately.
  uow.afterCommit(() => invalidateSettings(deps, merchant));
}
