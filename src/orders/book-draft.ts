import { lockStock } from '../catalog/stock.ts';
import { Refusal, refuse } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import {
  type ItemRef,
  lockSettingsWithItems,
  type MerchantSettings,
  type PricedItem,
  readSettings,
  replaceSettings,
  settingsWithItems,
} from '../pricing/settings.ts';
import type { Author } from '../receipts/author.ts';
import { bookingParameters, bookingText } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { lockReceiptOrRefuse, recordChange, signalChange } from '../receipts/record-change.ts';
import type { Draft } from './draft.ts';

/** The dependencies of drafting and inserting a receipt. */
export type BookingDeps = Pick<Deps, 'sql' | 'orm' | 'boss' | 'bus' | 'clock' | 'settings' | 'rates'>;

/** Makes the draft from settings and items of one version; null in the place of an item that does not exist. */
export type MakeDraft = (settings: MerchantSettings, items: readonly (PricedItem | null)[]) => Draft;

/** The prices must still be current and the items in stock. */
const STILL_TRUE = `m.version = $25::bigint
  and not exists (select 1 from unnest($26::text[], $27::int[]) as wanted(id, qty)
                    join inventory_items i on i.merchant = m.wallet and i.id = wanted.id
                   where i.stock_qty >= 0 and i.stock_qty < wanted.qty)`;
const BOOK = statement('book-order', bookingText(STILL_TRUE));

const STOCK = `select i.sku, i.stock_qty as "stockQty" from unnest($2::text[], $3::int[]) as wanted(id, qty)
  join inventory_items i on i.merchant = $1 and i.id = wanted.id
 where i.stock_qty >= 0 and i.stock_qty < wanted.qty limit 1`;

/**
 * Drafts a receipt from cached settings and inserts it in one statement, which succeeds only if the settings are still
 * current and the stock suffices. Otherwise it drafts the receipt again under a lock. A receipt with a total of zero is
 * completed at once.
 *
 * Refuses as `make` does, and with `invalid_input` (names the sku) an order that exceeds the stock. A refused order
 * writes nothing.
 *
 * @param uow inserts within this transaction instead of a new one
 */
export async function bookDraft(
  deps: BookingDeps,
  author: Author,
  refs: readonly ItemRef[],
  make: MakeDraft,
  uow?: UnitOfWork,
): Promise<ReceiptRow> {
  if (!uow) {
    const draft = await draftFromKept(deps, author, refs, make);
    if (draft.receipt.totalCents > 0) {
      const [booked] = await deps.sql.rows(BOOK, parametersOf(draft));
      if (booked) {
        signalChange(deps.bus, author.merchant, draft.receipt.id, 1);
        return draft.row;
      }
      replaceSettings(deps, author.merchant);
    }
  }
  return uow
    ? bookUnderLock(deps, author, refs, make, uow)
    : inTransaction(deps, (own) => bookUnderLock(deps, author, refs, make, own));
}

/**
 * Drafts from cached settings. If drafting is refused and the cache is stale (another process changed the settings),
 * drafts again from current settings: only current settings may refuse an order.
 */
async function draftFromKept(
  deps: BookingDeps,
  { merchant }: Author,
  refs: readonly ItemRef[],
  make: MakeDraft,
): Promise<Draft> {
  const { settings, items } = await settingsWithItems(deps, merchant, refs);
  try {
    return make(settings, items);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { version } = await readSettings(deps.sql, merchant, deps.settings.chainId);
    if (version === settings.version) throw error;
    replaceSettings(deps, merchant);
    const now = await settingsWithItems(deps, merchant, refs);
    return make(now.settings, now.items);
  }
}

/** Drafts and inserts under a lock on the settings that it is priced from. */
async function bookUnderLock(
  deps: BookingDeps,
  author: Author,
  refs: readonly ItemRef[],
  make: MakeDraft,
  uow: UnitOfWork,
): Promise<ReceiptRow> {
  const { settings, items } = await lockSettingsWithItems(deps, uow, author.merchant, refs);
  const draft = make(settings, items);
  const { id, totalCents } = draft.receipt;
  // An order with a total of zero takes its stock at once, so the stock is locked between check and update.
  if (totalCents === 0) await lockStock(uow, author.merchant, [...draft.limited.keys()]);
  const [booked] = await uow.sql(BOOK.text, parametersOf(draft));
  if (!booked) {
    const [short] = await uow.sql<{ sku: string; stockQty: number }>(STOCK, [
      author.merchant,
      ...stockParameters(draft),
    ]);
    if (!short) throw new Error(`Receipt ${id} was not inserted although settings and stock allow it`);
    throw refuse('invalid_input', `Only ${short.stockQty} of sku ${short.sku} in stock`, { sku: short.sku });
  }
  uow.afterCommit(() => signalChange(deps.bus, author.merchant, id, 1));
  if (totalCents > 0) return draft.row;
  const receipt = await lockReceiptOrRefuse(uow, author.merchant, id);
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
  return { ...draft.row, status: receipt.status, seq: receipt.seq };
}

const stockParameters = ({ limited }: Draft) => [[...limited.keys()], [...limited.values()]];
const parametersOf = (draft: Draft) => [...bookingParameters(draft.receipt), draft.version, ...stockParameters(draft)];
