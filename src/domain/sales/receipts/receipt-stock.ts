import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { holdStock, type Oversold, releaseStock, type Short, takeStock } from '../../shop/catalog/stock.ts';
import { holdsStock } from '../../shop/merchants/read-shop.ts';
import type { ReceiptStatus } from './lifecycle.ts';
import type { Receipt } from './receipt.entity.ts';

/**
 * Moves the stock of a locked receipt with its status. Paid, or completed without a payment: the stock is taken, once.
 * Failed or refunded: its hold ends. Back from `failed`, or paid after its hold ended: the stock is held again if the
 * merchant holds stock and there is enough; otherwise the receipt waits without a hold, because money may be on its
 * way. A part of a payment holds nothing after `expiresAt`. Returns what was sold beyond the stock.
 *
 * @param now epoch ms
 */
export async function moveStock(
  uow: UnitOfWork,
  receipt: Receipt,
  from: ReceiptStatus,
  to: ReceiptStatus,
  now: number,
): Promise<readonly Oversold[]> {
  const { merchant, lineItems, stockHeld } = receipt;
  if (to === 'paid' || to === 'completed') {
    if (receipt.stockTaken) return [];
    receipt.stockTaken = true;
    receipt.stockHeld = false;
    return takeStock(uow, merchant, lineItems, stockHeld);
  }
  if (to === 'failed' || to === 'refunded') {
    await endHold(uow, receipt);
    return [];
  }
  const isLatePart = to === 'tx_mismatch' && receipt.expiresAt != null && receipt.expiresAt <= now;
  if ((from === 'failed' || from === 'tx_mismatch') && !isLatePart) await holdAgain(uow, receipt);
  return [];
}

/** Ends the hold of a locked receipt that waits on. Returns whether it held anything. */
export async function endHold(uow: UnitOfWork, receipt: Receipt): Promise<boolean> {
  if (!receipt.stockHeld) return false;
  receipt.stockHeld = false;
  await releaseStock(uow, receipt.merchant, receipt.lineItems);
  return true;
}

/**
 * Holds the stock of a receipt that has failed, before it waits for money again at somebody's request. Refuses with
 * `invalid_input` (names the sku and what is left) if the merchant holds stock and there is not enough. Then the
 * receipt does not change.
 */
export async function holdOrRefuse(uow: UnitOfWork, receipt: Receipt): Promise<void> {
  const [short] = await holdAgain(uow, receipt);
  if (short) throw outOfStock(short);
}

/** Returns the items of which there is not enough. */
async function holdAgain(uow: UnitOfWork, receipt: Receipt): Promise<readonly Short[]> {
  const { merchant, lineItems, stockHeld, stockTaken, linkId } = receipt;
  if (stockHeld || stockTaken || !lineItems.some(({ itemId }) => itemId)) return [];
  if (linkId === null && !(await holdsStock(uow, merchant))) return [];
  const short = await holdStock(uow, merchant, lineItems);
  receipt.stockHeld = short.length === 0;
  return short;
}

/** The refusal of an order for more than there is. */
export const outOfStock = ({ sku, left }: Short): Refusal =>
  refuse('invalid_input', `Only ${left} of sku ${sku} in stock`, { reason: 'out_of_stock', sku, most: left });
