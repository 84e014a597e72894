import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { raiseVersion } from './version.ts';

/** Whether the operator has suspended a merchant, and why. Times in epoch ms. */
export interface Suspension {
  readonly suspendedAt: number | null;
  readonly suspendedReason: string | null;
}

/**
 * Suspends a merchant: from now on orders, receipts, quotes, subscriptions and charges are refused with
 * `merchant_suspended`. Money that arrives is still credited, and everything can be read. Suspending again changes the
 * reason. Refuses with `not_found`.
 */
export const suspendMerchant = (deps: WritingDeps, merchant: Wallet, reason: string): Promise<Suspension> =>
  write(deps, merchant, 'merchant.suspended', ({ suspendedAt }) => ({
    suspendedAt: suspendedAt ?? deps.clock(),
    suspendedReason: reason,
  }));

/** Ends the suspension of a merchant. Refuses with `not_found`. */
export const resumeMerchant = (deps: WritingDeps, merchant: Wallet): Promise<Suspension> =>
  write(deps, merchant, 'merchant.resumed', () => ({ suspendedAt: null, suspendedReason: null }));

/** Prices of an earlier version are not booked, so no process books an order after the suspension. */
function write(
  deps: WritingDeps,
  merchant: Wallet,
  action: 'merchant.suspended' | 'merchant.resumed',
  change: (before: Suspension) => Suspension,
): Promise<Suspension> {
  return deps.db.transaction(async (uow: UnitOfWork) => {
    await raiseVersion(deps, uow, merchant);
    const before = await uow.db
      .selectFrom('Merchant')
      .select(['suspendedAt', 'suspendedReason'])
      .where('wallet', '=', merchant)
      .executeTakeFirstOrThrow();
    const after = change(before);
    await uow.db.updateTable('Merchant').set(after).where('wallet', '=', merchant).execute();
    await recordAudit(deps, uow, merchant, action, ['merchant', merchant], { before, after });
    return after;
  });
}

const SUSPENDED = query('merchant-suspended', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('wallet').where('wallet', '=', $.merchant).where('suspendedAt', 'is not', null),
);

/** Whether the operator has suspended a merchant. */
export async function isSuspended(db: Db, merchant: Wallet): Promise<boolean> {
  return (await db.run(SUSPENDED, { merchant })).length > 0;
}
