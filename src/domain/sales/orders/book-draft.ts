import { type ExpressionBuilder, sql } from 'kysely';
import { Refusal } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { holdStock, lockStock, type Short } from '../../shop/catalog/stock.ts';
import { type ItemRef, readSettings } from '../pricing/read-settings.ts';
import { lockSettingsWithItems, replaceSettings, settingsWithItems } from '../pricing/settings.ts';
import type { Author } from '../receipts/author.ts';
import { type Booking, bookingQuery, bookWithin } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { outOfStock } from '../receipts/receipt-stock.ts';
import { lockReceiptOrRefuse, recordChange, signalChange } from '../receipts/record-change.ts';
import type { Draft, MakeDraft } from './draft.ts';

/** The dependencies of drafting and inserting a receipt. */
export type BookingDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'rates'>;

/** The items of an order with limited stock, and the quantity of each. */
interface Wanted {
  readonly items: readonly string[];
  readonly quantities: readonly number[];
}

/** The wanted items as a table, to join to the table `i`. */
const wanted = (items: unknown, quantities: unknown) =>
  sql<{ id: string; qty: number }>`unnest(${items}::text[], ${quantities}::int4[])`.as<'wanted'>(sql`wanted(id, qty)`);

/** What no receipt holds of an item. */
const left = (eb: ExpressionBuilder<Database & { i: Database['Item'] }, 'i'>) =>
  eb('i.stockQty', '-', eb.ref('i.held'));

/**
 * The prices must still be current and the items in stock. What receipts hold is not in stock, also after the merchant
 * has switched `holdStock` off.
 */
const BOOK = bookingQuery<Wanted & { readonly version: number }>(
  'book-order',
  { version: 'int4', items: 'text[]', quantities: 'int4[]' },
  (m, $) =>
    m.and([
      m('m.version', '=', $.version),
      m.not(
        m.exists(
          m
            .selectFrom('Item as i')
            .innerJoin(wanted($.items, $.quantities), (join) => join.onRef('i.id', '=', 'wanted.id'))
            .select('i.id')
            .whereRef('i.merchant', '=', 'm.wallet')
            .where('i.stockQty', '>=', 0)
            .where((eb) => eb(left(eb), '<', eb.ref('wanted.qty'))),
        ),
      ),
    ]),
);

/**
 * Drafts a receipt from cached settings and inserts it in one statement, together with other orders of the same tick.
 * It is inserted only if the settings are still current and the stock suffices. Otherwise it is drafted again under a
 * lock; so are all orders of a merchant that holds stock. A receipt with a total of zero is completed at once.
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
    if (draft.receipt.totalCents > 0 && !draft.receipt.stockHeld) {
      const booked = await deps.db.write(BOOK, bookingOf(draft));
      if (booked) {
        signalChange(deps.bus, author.merchant, draft.receipt.id, 1);
        return draft.row;
      }
      replaceSettings(deps.db, author.merchant);
    }
  }
  return uow
    ? bookUnderLock(deps, author, refs, make, uow)
    : deps.db.transaction((own) => bookUnderLock(deps, author, refs, make, own));
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
    const { version } = await readSettings(deps.db, merchant, deps.settings.chainId);
    if (version === settings.version) throw error;
    replaceSettings(deps.db, merchant);
    const now = await settingsWithItems(deps, merchant, refs);
    return make(now.settings, now.items);
  }
}

/**
 * Drafts and inserts under a lock on the settings that it is priced from. The items of a merchant that holds stock are
 * held first, so that of two orders for the last piece the second one is refused.
 */
async function bookUnderLock(
  deps: BookingDeps,
  author: Author,
  refs: readonly ItemRef[],
  make: MakeDraft,
  uow: UnitOfWork,
): Promise<ReceiptRow> {
  const { settings, items } = await lockSettingsWithItems(deps, uow, author.merchant, refs);
  const draft = make(settings, items);
  const { id, totalCents, stockHeld, lineItems } = draft.receipt;
  if (stockHeld) {
    const [short] = await holdStock(uow, author.merchant, lineItems);
    if (short) throw outOfStock(short);
  }
  // An order with a total of zero takes its stock at once, so the stock is locked between check and update.
  if (totalCents === 0) await lockStock(uow, author.merchant, [...draft.limited.keys()]);
  if (!(await bookWithin(uow, BOOK, bookingOf(draft)))) {
    const short = await findShortItem(uow, author.merchant, wantedBy(draft));
    if (!short) throw new Error(`Receipt ${id} was not inserted although settings and stock allow it`);
    throw outOfStock(short);
  }
  uow.afterCommit(() => signalChange(deps.bus, author.merchant, id, 1));
  if (totalCents > 0) return draft.row;
  const receipt = await lockReceiptOrRefuse(uow, author.merchant, id);
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
  return { ...draft.row, status: receipt.status, seq: receipt.seq };
}

const SHORT = query(
  'short-item',
  (db, $: Wanted & { merchant: Wallet }) =>
    db
      .selectFrom('Item as i')
      .innerJoin(wanted($.items, $.quantities), (join) => join.onRef('i.id', '=', 'wanted.id'))
      .select((eb) => ['i.sku', sql<number>`greatest(0, ${left(eb)})`.as('left')])
      .where('i.merchant', '=', $.merchant)
      .where('i.stockQty', '>=', 0)
      .where((eb) => eb(left(eb), '<', eb.ref('wanted.qty')))
      .limit(1),
  { computed: { left: 'int4' } },
);

/** One of the wanted items of which there are not enough. */
export async function findShortItem(uow: UnitOfWork, merchant: Wallet, items: Wanted): Promise<Short | undefined> {
  const [short] = await uow.run(SHORT, { merchant, ...items });
  return short;
}

const wantedBy = ({ limited }: Draft): Wanted => ({
  items: [...limited.keys()],
  quantities: [...limited.values()],
});

const bookingOf = (draft: Draft): Booking<Wanted & { readonly version: number }> => ({
  receipt: draft.receipt,
  condition: { version: draft.version, ...wantedBy(draft) },
});
