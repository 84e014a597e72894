import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { convertLines } from '../../shop/fx/convert.ts';
import { currentRate } from '../../shop/fx/rates.ts';
import { readShop } from '../../shop/merchants/read-shop.ts';
import { isExpired, waitsAs } from './ended.ts';
import { requireNothingOnItsWay } from './on-its-way.ts';
import type { Receipt } from './receipt.entity.ts';
import { holdOrRefuse } from './receipt-stock.ts';
import { lockReceiptOrRefuse, recordChange } from './record-change.ts';

type RenewDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'rates' | 'moneyOnItsWay'>;

/**
 * Renews an expired receipt: it waits for its payment, or for the rest of it, as long as a new receipt would. A receipt
 * in another currency is converted at the current rate, so its total in US dollars may change. Refuses with
 * `not_found`, with `receipt_ended` (not expired, made by a payment link, or the merchant allows no renewal by buyers),
 * with `payment_underway`, with `exchange_rate_unavailable`, and with `invalid_input` if its stock must be held and
 * there is not enough.
 *
 * @param byMerchant an admin may renew whatever the shop's setting is
 */
export function renewReceipt(
  deps: RenewDeps,
  { merchant, receiptId, byMerchant }: { merchant: Wallet; receiptId: string; byMerchant: boolean },
  actor: string,
): Promise<void> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (!isExpired(receipt)) throw refuse('receipt_ended', 'Only an expired receipt can be renewed');
    if (!byMerchant && (receipt.linkId !== null || !(await readShop(deps.db, merchant)).allowRenewal))
      throw refuse('receipt_ended', 'The merchant does not renew expired receipts');
    await renewLocked(deps, uow, receipt, actor);
  });
}

/** The same for an expired receipt that is locked, whatever the shop's setting is. */
export async function renewLocked(deps: RenewDeps, uow: UnitOfWork, receipt: Receipt, actor: string): Promise<void> {
  await requireNothingOnItsWay(deps, uow, receipt);
  const now = deps.clock();
  await holdOrRefuse(uow, receipt);
  await reprice(deps, uow, receipt, now);
  receipt.expiresAt = receipt.lifetimeMs == null ? null : now + receipt.lifetimeMs;
  const detail = { renewed: true, expiresAt: receipt.expiresAt, totalCents: receipt.totalCents };
  await recordChange(deps, uow, receipt, { kind: 'status', to: waitsAs(receipt) }, { actor, detail });
}

/** Converts a receipt in another currency at the current rate. Its amounts in its own currency stay. */
async function reprice({ rates, settings }: RenewDeps, uow: UnitOfWork, receipt: Receipt, now: number): Promise<void> {
  const { pricing } = receipt;
  if (!pricing) return;
  const { usdPerUnit, quotedAt, provider } = currentRate(rates(), pricing.currency, now, settings.fx.maxAgeOf);
  const { lineCents, totalCents } = convertLines(
    pricing.originalLineItems.map(({ amountCents }) => amountCents),
    usdPerUnit,
  );
  receipt.lineItems = receipt.lineItems.map((line, i) => ({ ...line, priceCents: lineCents[i] as number }));
  receipt.totalCents = totalCents;
  receipt.pricing = { ...pricing, usdPerUnit, quotedAt, provider };
  await uow.db
    .updateTable('Receipt')
    .set({ totalCents, lineItems: jsonb(receipt.lineItems), pricing: receipt.pricing })
    .where('merchant', '=', receipt.merchant)
    .where('id', '=', receipt.id)
    .execute();
}
