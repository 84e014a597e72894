import { letterTile } from '../catalog/thumb.ts';
import { refuse } from '../core/errors.ts';
import { newReceiptId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { currentRate } from '../fx/rates.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import {
  invalidateSettings,
  lockSettingsWithItems,
  type MerchantSettings,
  type PricedItem,
  settingsWithItems,
} from '../merchants/settings.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { Author } from '../receipts/author.ts';
import { requireSigningKey } from '../receipts/author.ts';
import { bookingParameters, bookingText, type NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { LineItem, Pricing } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange, ringFor } from '../receipts/record-change.ts';
import { resolveTax } from '../tax/jurisdictions.ts';
import { type OrderInput, orderInput } from './order.input.ts';
import { convertOrder, type PricedOrder, priceOrder } from './totals.ts';

type OrderDeps = Pick<Deps, 'sql' | 'orm' | 'boss' | 'bus' | 'clock' | 'settings' | 'rates'>;

/** What the prices were made from must still stand, and what is ordered must be there. */
const STILL_TRUE = `m.version = $25::bigint
  and not exists (select 1 from unnest($26::text[], $27::int[]) as wanted(id, qty)
                    join inventory_items i on i.merchant = m.wallet and i.id = wanted.id
                   where i.stock_qty >= 0 and i.stock_qty < wanted.qty)`;
const BOOK = statement('book-order', bookingText(STILL_TRUE));

const STOCK = `select i.sku, i.stock_qty as "stockQty" from unnest($2::text[], $3::int[]) as wanted(id, qty)
  join inventory_items i on i.merchant = $1 and i.id = wanted.id
 where i.stock_qty >= 0 and i.stock_qty < wanted.qty limit 1`;

/** An item line together with what the catalog knows of it. */
interface OrderLine {
  readonly item: PricedItem;
  readonly unitCents: number;
  readonly qty: number;
  readonly taxable: boolean;
}

interface Draft {
  readonly receipt: NewReceipt;
  readonly row: ReceiptRow;
  readonly version: number;
  /** Items that can run out, with how many are wanted of each. */
  readonly limited: ReadonlyMap<string, number>;
}

/**
 * Turns cart items into a receipt with tax and processing fee. Prices come from the kept settings; the one statement that books the order does it only
 * where these are still in place and the stock suffices, else the order is priced anew under a lock.
 *
 * Refuses with `items_required`, `invalid_input` (naming the field, or the sku that is short), `inventory_item_not_found`, `split_required`, or
 * `exchange_rate_unavailable`; nothing is written then. An order over nothing is completed at once.
 *
 * @param body the request's own fields, as in `POST /api/orders`
 */
export async function createOrder(
  deps: OrderDeps,
  author: Author,
  body: unknown,
  uow?: UnitOfWork,
): Promise<ReceiptRow> {
  const input = parseInput(orderInput({ allowInsecure: deps.settings.webhookAllowInsecure }), body);
  requireOwnWallet(author.merchant, input.wallet);
  requireSigningKey(author, input.options);

  if (!uow) {
    const { settings, items } = await settingsWithItems(deps, author.merchant, input.items);
    const draft = draftOrder(deps, author, input, settings, items);
    if (draft.receipt.totalCents > 0) {
      const [booked] = await deps.sql.rows(BOOK, parametersOf(draft));
      if (booked) {
        ringFor(deps.bus, author.merchant, draft.receipt.id, 1);
        return draft.row;
      }
    }
  }
  invalidateSettings(deps, author.merchant);
  return uow
    ? bookUnderLock(deps, author, input, uow)
    : inTransaction(deps, (own) => bookUnderLock(deps, author, input, own));
}

/** Prices and books an order while nobody can change what it is priced from. */
async function bookUnderLock(deps: OrderDeps, author: Author, input: OrderInput, uow: UnitOfWork): Promise<ReceiptRow> {
  const { settings, items } = await lockSettingsWithItems(deps, uow, author.merchant, input.items);
  const draft = draftOrder(deps, author, input, settings, items);
  const { id, totalCents } = draft.receipt;
  const [booked] = await uow.sql(BOOK.text, parametersOf(draft));
  if (!booked) {
    const [short] = await uow.sql<{ sku: string; stockQty: number }>(STOCK, [
      author.merchant,
      ...stockParameters(draft),
    ]);
    if (!short) throw new Error(`Order ${id} was not booked although nothing stands in its way`);
    throw refuse('invalid_input', `There are only ${short.stockQty} of sku ${short.sku} in stock`, { sku: short.sku });
  }
  uow.afterCommit(() => ringFor(deps.bus, author.merchant, id, 1));
  if (totalCents > 0) return draft.row;
  const receipt = await lockReceiptOrRefuse(uow, author.merchant, id);
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
  return { ...draft.row, status: receipt.status, seq: receipt.seq };
}

const stockParameters = ({ limited }: Draft) => [[...limited.keys()], [...limited.values()]];
const parametersOf = (draft: Draft) => [...bookingParameters(draft.receipt), draft.version, ...stockParameters(draft)];

function draftOrder(
  deps: Pick<Deps, 'clock' | 'settings' | 'rates'>,
  author: Author,
  input: OrderInput,
  settings: MerchantSettings,
  items: readonly (PricedItem | null)[],
): Draft {
  const known = items.map((item, i) => item ?? unknownItem(input.items[i]!));
  const currency = input.currency ?? currencyOf(known, settings);
  const lines = known.map(
    (item, i): OrderLine => ({
      item,
      unitCents: unitCents(item, currency, i),
      qty: input.items[i]!.qty,
      taxable: item.taxable,
    }),
  );
  const tax = resolveTax(input, settings.jurisdictions);
  const priced = priceOrder({ lines, rate: tax.rate, feeBps: settings.feeBps });
  if (settings.splitAddress === null) throw refuse('split_required');

  const at = deps.clock();
  const rate = currency === 'USD' ? null : currentRate(deps.rates(), currency, at, deps.settings.fx.maxAgeMs);
  const inUsd = rate ? convertOrder(priced, rate.usdPerUnit) : priced;
  const pricing: Pricing | null = rate && {
    version: 1,
    currency,
    usdPerUnit: rate.usdPerUnit,
    quotedAt: rate.quotedAt,
    provider: rate.provider,
    originalTotalCents: priced.totalCents,
    originalLineItems: receiptLines(priced).map(({ label, priceCents, qty }) => ({
      label,
      amountCents: priceCents,
      qty,
    })),
  };

  const receipt: NewReceipt = {
    merchant: author.merchant,
    id: newReceiptId(at),
    origin: 'order',
    status: 'generated',
    totalCents: inUsd.totalCents,
    currency,
    lineItems: receiptLines(inUsd),
    jurisdictionCode: tax.jurisdictionCode,
    taxRate: tax.rate,
    taxComponents: tax.components,
    pricing,
    brandName: settings.brandName,
    options: input.options,
    keyId: author.keyId,
    contentDigest: null,
    chainId: deps.settings.chainId,
    actor: author.actor,
    at,
  };
  const shown = receipt.lineItems.map((line, i) =>
    lines[i] ? { ...line, thumb: lines[i].item.thumb ?? letterTile(lines[i].item.name) } : line,
  );
  return {
    receipt,
    row: { ...rowOf(receipt), lineItems: shown },
    version: settings.version,
    limited: limitedOf(lines),
  };
}

/** A receipt as it reads right after it was booked. */
export function rowOf(receipt: NewReceipt): ReceiptRow {
  const {
    options,
    keyId: _keyId,
    contentDigest: _contentDigest,
    chainId: _chainId,
    actor: _actor,
    at,
    ...own
  } = receipt;
  return {
    ...own,
    seq: 1,
    transactionId: options.transactionId ?? null,
    metadata: options.metadata ?? null,
    billingAddress: options.billingAddress ?? null,
    redirectUrl: options.redirectUrl ?? null,
    successUrl: options.successUrl ?? null,
    webhookUrl: options.webhookUrl ?? null,
    transactionHash: null,
    transactionTimestamp: null,
    buyerWallet: null,
    paidToken: null,
    paidAmount: null,
    failureCode: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Item lines, then tax and fee. */
function receiptLines(order: PricedOrder<OrderLine>): LineItem[] {
  return [
    ...order.lines.map(({ item, qty, priceCents }) => ({
      label: item.name,
      priceCents,
      qty,
      itemId: item.id,
      sku: item.sku,
    })),
    { label: 'Tax', priceCents: order.taxCents },
    { label: 'Processing Fee', priceCents: order.feeCents },
  ];
}

function limitedOf(lines: readonly OrderLine[]): Map<string, number> {
  const limited = new Map<string, number>();
  for (const { item, qty } of lines) if (item.stockLimited) limited.set(item.id, (limited.get(item.id) ?? 0) + qty);
  return limited;
}

function unknownItem({ id, sku }: { id?: string; sku?: string }): never {
  throw refuse('inventory_item_not_found', undefined, id === undefined ? { sku } : { id });
}

/** Without a currency in the request: the one that every item is natively priced in, where there is such a one; else US dollars. */
function currencyOf(items: readonly PricedItem[], settings: MerchantSettings): 'USD' | 'EUR' {
  const [first] = items;
  const own = first?.currency ?? settings.nativeCurrency;
  return items.every((item) => item.currency === own && item.priceUsdCents === null) ? own : 'USD';
}

function unitCents(item: PricedItem, currency: 'USD' | 'EUR', i: number): number {
  if (item.currency === currency && item.priceCents !== null) return item.priceCents;
  if (currency === 'USD' && item.priceUsdCents !== null) return item.priceUsdCents;
  const field = `items[${i}]`;
  throw refuse('invalid_input', `${field} has no price in ${currency}`, { field });
}
