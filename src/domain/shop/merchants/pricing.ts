import type { Currency } from '../../../base/core/amount.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { requireOwnWallet } from './own-wallet.ts';
import type { PricingInput } from './pricing.input.ts';
import { raiseVersion } from './version.ts';

/** A merchant's prices per minute, and the currency of its catalog. */
export interface PricingConfig {
  readonly nativeCurrency: Currency;
  readonly ethPer2Min: number | null;
  readonly minMinutes: number | null;
  readonly discountRules: readonly { readonly minMinutes: number; readonly discountPct: number }[];
  /** Epoch ms; null if it was never written. */
  readonly updatedAt: number | null;
}

export const DEFAULT_PRICING: PricingConfig = {
  nativeCurrency: 'USD',
  ethPer2Min: null,
  minMinutes: null,
  discountRules: [],
  updatedAt: null,
};

/**
 * Merges the given fields into the merchant's pricing configuration. Omitted fields keep their values; null clears a
 * field. The native currency affects prices, so the merchant's version is incremented. Refuses with `forbidden`
 * if the wallet is not the merchant's.
 */
export async function writePricing(
  deps: WritingDeps,
  merchant: Wallet,
  { wallet, ...given }: PricingInput,
): Promise<PricingConfig> {
  requireOwnWallet(merchant, wallet);
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const row = await uow.db
      .selectFrom('Merchant')
      .select('pricing')
      .where('wallet', '=', merchant)
      .executeTakeFirstOrThrow();
    const before = { ...DEFAULT_PRICING, ...row.pricing };
    const pricing: PricingConfig = {
      nativeCurrency: given.nativeCurrency ?? before.nativeCurrency,
      ethPer2Min: given.ethPer2Min === undefined ? before.ethPer2Min : given.ethPer2Min,
      minMinutes: given.minMinutes === undefined ? before.minMinutes : given.minMinutes,
      discountRules: given.discountRules ?? before.discountRules,
      updatedAt: deps.clock(),
    };
    await uow.db.updateTable('Merchant').set({ pricing }).where('wallet', '=', merchant).execute();
    await recordAudit(deps, uow, merchant, 'pricing.changed', ['pricing', merchant], {
      before: { ...before, updatedAt: null },
      after: { ...pricing, updatedAt: null },
    });
    return pricing;
  });
}
