import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { merchantNotFound } from './find.ts';

type VersionListener = (merchant: Wallet) => void;

const listenersOf = keptBy('listeners of merchants’ versions', (_db: Db): VersionListener[] => []);

/** Calls `listener` after this process has committed a new version of a merchant, for the life of the connections. */
export function onVersionRaised(db: Db, listener: VersionListener): void {
  listenersOf(db).push(listener);
}

/**
 * Increments a merchant's version, so that orders priced from the previous version are priced again. Every write to
 * catalog, shop, tax or split calls it before it reads the data that it changes. The merchant's row stays locked to the
 * end of the transaction, which serializes the merchant's writes. Refuses with `not_found` if there is no such
 * merchant.
 */
export async function raiseVersion(deps: Pick<Deps, 'db' | 'clock'>, uow: UnitOfWork, merchant: Wallet): Promise<void> {
  const raised = await uow.db
    .updateTable('Merchant')
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: deps.clock() }))
    .where('wallet', '=', merchant)
    .returning('version')
    .executeTakeFirst();
  if (!raised) throw merchantNotFound();
  uow.afterCommit(() => {
    for (const listener of listenersOf(deps.db)) listener(merchant);
  });
}
