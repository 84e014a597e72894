import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** Raises a merchant's version: whoever priced from what stood before must price again. Every write to catalog, shop, tax or split calls it. */
export async function raiseVersion(uow: UnitOfWork, merchant: Wallet, now: number): Promise<void> {
  await uow.sql('update merchants set version = version + 1, updated_at = $2 where wallet = $1', [merchant, now]);
}
