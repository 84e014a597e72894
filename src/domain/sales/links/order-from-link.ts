import { refuse } from '../../../base/core/errors.ts';
import { newReceiptId, receiptIdFor } from '../../../base/core/ids.ts';
import { isStorable, MAX_ID } from '../../../base/core/limits.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { hmac } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { networkOf } from '../../access/gateway/rate-limits.ts';
import { requireRoomAt } from '../../access/gateway/storage-budget.ts';
import { type BookingDeps, bookDraft, findShortItem } from '../orders/book-draft.ts';
import { type Draft, draftReceipt, type OrderRequest, readOrder } from '../orders/draft.ts';
import { settingsWithItems } from '../pricing/settings.ts';
import type { NewReceipt } from '../receipts/book.ts';
import { outOfStock } from '../receipts/receipt-stock.ts';
import { LINK_COLUMNS, type PaymentLink } from './link.entity.ts';
import { linkMissing } from './read-links.ts';

const DAY_MS = 86_400_000;

/** What a link sells. */
export type LinkTerms = Pick<
  PaymentLink,
  'merchant' | 'name' | 'items' | 'amountCents' | 'currency' | 'jurisdictionCode' | 'expiresInMinutes' | 'returnUrl'
>;

type DraftDeps = Pick<BookingDeps, 'db' | 'clock' | 'settings' | 'rates'>;

/** The order that a link makes. Its stock is held, so that a link sells no more than there is. */
function orderOf(
  deps: DraftDeps,
  link: LinkTerms,
  id: string,
  by: NewReceipt['link'],
  language: string | null,
): OrderRequest {
  const { items, amountCents, expiresInMinutes, returnUrl } = link;
  const author = { merchant: link.merchant, keyId: null, actor: 'buyer' };
  const currency = link.currency ?? undefined;
  const tax = { ...(link.jurisdictionCode !== null && { jurisdictionCode: link.jurisdictionCode }) };
  const options = { ...(returnUrl !== null && { successUrl: returnUrl }), ...(language !== null && { language }) };
  const terms = { ...tax, currency, expiresInMinutes, options };
  if (items !== null) {
    const refs = items.map(({ id: item, qty }) => ({ id: item, sku: undefined, qty }));
    const rest = { wallet: undefined, taxRate: undefined, taxComponents: undefined };
    return readOrder(deps, author, { jurisdictionCode: undefined, ...rest, ...terms, items: refs }, id, by);
  }
  const line = { label: link.name, item: null, qty: 1, unitCents: amountCents!, taxable: true };
  return {
    refs: [],
    make: (settings) =>
      draftReceipt(deps, author, settings, {
        ...{ id, origin: 'order', lines: [line], tax, expiresInMinutes, options, link: by },
        currency: currency ?? settings.nativeCurrency,
      }),
  };
}

/** The receipt that the next visit would make. Refuses as placing an order does, except for the stock. */
export async function previewLink(deps: DraftDeps, link: LinkTerms): Promise<Draft> {
  const { refs, make } = orderOf(deps, link, newReceiptId(deps.clock()), null, null);
  const { settings, items } = await settingsWithItems(deps, link.merchant, refs);
  return make(settings, items);
}

const BY_ID = query('payment-link', (db, $: { id: string }) =>
  db.selectFrom('PaymentLink').select(LINK_COLUMNS).where('id', '=', $.id),
);

/** The link with this id, of any merchant. Refuses with `not_found`, also a text that is no id. */
export async function findLink({ db }: Pick<BookingDeps, 'db'>, id: string): Promise<PaymentLink> {
  const [link] = id.length <= MAX_ID && isStorable(id) ? await db.run(BY_ID, { id }) : [];
  if (!link) throw linkMissing();
  return link;
}

/** Whether a link makes receipts now. */
export const isOpen = ({ active, endsAt }: PaymentLink, now: number): boolean =>
  active && (endsAt === null || endsAt > now);

/** A visit of a link: the same visit gives the same receipt, however often its button is pressed. */
export interface Visit {
  readonly linkId: string;
  /** Chosen by the page. */
  readonly visit: string;
  /** The address of the visitor. */
  readonly address: string;
  /** The language that the visitor has chosen, which becomes that of the receipt. */
  readonly language?: Language | null;
}

/**
 * Makes the receipt of a visit, and returns it by merchant and id. Refuses with `not_found`, with `link_closed`, with
 * `link_limit_reached` (`limit` is `day` or `address`), with `storage_limit_reached` at a newcomer, and as placing an
 * order does: with `invalid_input` and the `sku` if there is not enough. A refused visit changes nothing.
 */
export async function orderFromLink(
  deps: BookingDeps,
  { linkId, visit, address, language = null }: Visit,
): Promise<{ readonly merchant: Wallet; readonly id: string }> {
  const found = await findLink(deps, linkId);
  const { merchant } = found;
  await requireRoomAt(deps, merchant);
  const at = deps.clock();
  const request = { merchant, operation: 'orderFromLink', key: `${linkId} ${visit}`, digest: '' };
  return withIdempotencyKey(deps.db, at, request, async (uow) => {
    // A visit that cannot have its items does not wait for those before it.
    const items = found.items ?? [];
    const wanted = { items: items.map(({ id }) => id), quantities: items.map(({ qty }) => qty) };
    const short = items.length > 0 && (await findShortItem(uow, merchant, wanted));
    if (short) throw outOfStock(short);
    const link = await lockLink(uow, found);
    if (!isOpen(link, at)) throw refuse('link_closed');
    const secret = deps.settings.keyEncryptionKey;
    const day = Math.floor(at / DAY_MS);
    const visitor = hmac(secret, JSON.stringify(['visitor', linkId, day, networkOf(address)]));
    await requireWithinLimits(uow, link, visitor, day * DAY_MS);
    const id = receiptIdFor(hmac(secret, JSON.stringify(['visit', linkId, visit, at])));
    const { refs, make } = orderOf({ ...deps, clock: () => at }, link, id, { id: linkId, visitor }, language);
    await bookDraft(deps, { merchant, keyId: null, actor: 'buyer' }, refs, make, uow);
    return { merchant, id };
  });
}

/** Visits of one link follow each other, because its limits are counted. */
async function lockLink({ db }: UnitOfWork, { merchant, id }: PaymentLink): Promise<PaymentLink> {
  const link = await db
    .selectFrom('PaymentLink')
    .select(LINK_COLUMNS)
    .where((eb) => eb.and({ merchant, id }))
    .forUpdate()
    .executeTakeFirst();
  if (!link) throw refuse('link_closed');
  return link;
}

interface Made {
  readonly merchant: Wallet;
  readonly linkId: string;
  readonly visitor: string;
  readonly since: number;
}

/** The receipts of a link of a day that are paid or can be paid. Those that ended give their places back. */
const MADE = query(
  'payment-link-made',
  (db, $: Made) =>
    db
      .selectFrom('Receipt')
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('linkVisitor', '=', $.visitor).as('own'),
      ])
      .where('merchant', '=', $.merchant)
      .where('linkId', '=', $.linkId)
      .where('createdAt', '>=', $.since)
      .where('status', '<>', 'failed'),
  { computed: { all: 'int8', own: 'int8' } },
);

async function requireWithinLimits(uow: UnitOfWork, link: PaymentLink, visitor: string, since: number): Promise<void> {
  const { merchant, id: linkId, perDay, perAddress } = link;
  const [made] = await uow.run(MADE, { merchant, linkId, visitor, since });
  if (perDay !== null && made!.all >= perDay) throw refuse('link_limit_reached', undefined, { limit: 'day' });
  if (made!.own >= perAddress) throw refuse('link_limit_reached', undefined, { limit: 'address' });
}
