import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

/** The bus channel that announces changed shares of a merchant. */
export const payoutsChannel = (merchant: Wallet): string => `payouts.${merchant}`;

/** Each statement that changes a share sets this, so that followers of payouts read it again. */
export const CHANGED = { txid: sql<string>`pg_current_xact_id()` } as const;

/** Announces changed shares. They are committed already. */
export function announceShares(bus: Bus, changed: readonly { readonly merchant: Wallet }[]): void {
  for (const merchant of new Set(changed.map((one) => one.merchant))) bus.publish(payoutsChannel(merchant), '');
}

/** Announces changed shares after the commit. */
export function announceAfterCommit(
  bus: Bus,
  uow: UnitOfWork,
  changed: readonly { readonly merchant: Wallet }[],
): void {
  if (changed.length > 0) uow.afterCommit(() => announceShares(bus, changed));
}
