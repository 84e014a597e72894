import { refuse } from '../../../base/core/errors.ts';
import { newReceiptId } from '../../../base/core/ids.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readShop } from '../../shop/merchants/read-shop.ts';
import { catalogueOf } from '../../shop/tax/jurisdictions.ts';
import { holdsMoney, isExpired } from '../receipts/ended.ts';
import { optionsOf } from '../receipts/options.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse } from '../receipts/record-change.ts';
import { renewLocked } from '../receipts/renew.ts';
import { linkSuccessor, successorOf } from '../receipts/successor.ts';
import { bookDraft } from './book-draft.ts';
import { type MakeDraft, readOrder } from './draft.ts';
import type { OrderInput } from './order.input.ts';

type AgainDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'rates' | 'moneyOnItsWay'>;

/** Whether a buyer may ask again for an expired receipt. One that a payment link made is asked for at the link. */
export const mayAskAgain = (
  shop: { readonly newRequests: boolean },
  receipt: Parameters<typeof isExpired>[0] & Pick<Receipt, 'linkId'>,
): boolean => shop.newRequests && receipt.linkId === null && isExpired(receipt);

/**
 * Makes an expired receipt payable again, and returns the id of the one to pay. An order of products becomes a new
 * order of the same products at the prices and tax of today, whose stock is checked; each names the other in its
 * history, and asking twice gives the same one. A receipt of other lines, or one that holds a part of its payment, is
 * renewed itself. Refuses with `receipt_ended` (not expired, or the shop wants no new requests), with
 * `payment_underway`, and as placing an order does.
 */
export function requestAgain(
  deps: AgainDeps,
  { merchant, receiptId }: { readonly merchant: Wallet; readonly receiptId: string },
  actor: string,
): Promise<string> {
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (!mayAskAgain(await readShop(deps.db, merchant), receipt))
      throw refuse(
        'receipt_ended',
        'Only an expired receipt can be asked for again, and only where the shop allows it',
      );
    const made = await successorOf(uow, receipt);
    if (made !== null) return made;
    const items = orderedItems(receipt);
    if (items === null || holdsMoney(receipt)) {
      await renewLocked(deps, uow, receipt, actor);
      return receiptId;
    }
    const author = { merchant, keyId: receipt.keyId, actor };
    const id = newReceiptId(deps.clock());
    const makeAgain: MakeDraft = (settings, found) =>
      readOrder(deps, author, inputOf(receipt, items, settings.jurisdictions), id).make(settings, found);
    await bookDraft(deps, author, items, makeAgain, uow);
    await linkSuccessor(deps, uow, receipt, id, actor);
    return id;
  });
}

/** The products of an order; null if it has none, or lines of another kind. */
function orderedItems({ origin, lineItems }: Receipt): OrderInput['items'] | null {
  if (origin !== 'order') return null;
  const items = lineItems.flatMap(({ itemId, qty }) => (itemId ? [{ id: itemId, sku: undefined, qty: qty ?? 1 }] : []));
  // The last two lines are the tax and the fee.
  return items.length > 0 && items.length === lineItems.length - 2 ? items : null;
}

/**
 * The order that a receipt was made of. The rate of its jurisdiction is that of today. A rate that its request named
 * stays: it has no components, although the jurisdiction has some.
 */
function inputOf(receipt: Receipt, items: OrderInput['items'], own: readonly Jurisdiction[]): OrderInput {
  const { jurisdictionCode, taxRate, lifetimeMs } = receipt;
  const taxComponents = [...(receipt.taxComponents ?? [])];
  const jurisdiction = catalogueOf(own).find(({ code }) => code === jurisdictionCode);
  const isNamed = jurisdiction === undefined || (taxComponents.length === 0 && jurisdiction.components.length > 0);
  return {
    wallet: undefined,
    items,
    currency: receipt.currency,
    jurisdictionCode: jurisdictionCode ?? undefined,
    taxRate: isNamed ? (taxRate ?? '0') : undefined,
    taxComponents,
    expiresInMinutes: lifetimeMs === null ? 0 : Math.ceil(lifetimeMs / 60_000),
    options: optionsOf(receipt),
  };
}
