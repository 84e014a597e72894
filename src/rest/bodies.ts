import { z } from 'zod';
import { itemInput } from '../catalog/item.input.ts';
import { itemQuery } from '../catalog/item-query.input.ts';
import { merchantOf, sessionOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { identifier, wallet } from '../core/text.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { pricingInput } from '../merchants/pricing.input.ts';
import { shopInput } from '../merchants/shop.input.ts';
import { orderInput } from '../orders/order.input.ts';
import { terminalInput } from '../orders/terminal.input.ts';
import { LIST_MAX } from '../receipts/newest.ts';
import type { ReceiptOptions } from '../receipts/options.ts';
import { receiptInput } from '../receipts/receipt.input.ts';
import { splitInput } from '../splits/split.input.ts';
import type {
  CreateOrderInput,
  CreateReceiptInput,
  InventoryItemInput,
  InventoryQueryVariables,
  PricingConfigInput,
  ShopConfigInput,
  SplitInput,
  TerminalReceiptInput,
} from './generated/graphql.ts';
import type { RestRequest } from './route.ts';

/*
 * From what REST callers send to the variables of the stored operations. Each body is checked by the domain's own schema first, so that a wrong one is
 * refused by name before GraphQL's coercion sees it; then only the fields that the operation knows are handed on.
 */

type Body = Record<string, unknown>;

/** The named fields of a body that was checked; what else it carries is left behind. */
function pick<T>(body: unknown, names: readonly (keyof T & string)[]): T {
  const picked: Body = {};
  for (const name of names) if ((body as Body)[name] !== undefined) picked[name] = (body as Body)[name];
  return picked as T;
}

const ITEM_FIELDS = [
  'wallet',
  'sku',
  'name',
  'priceUsd',
  'price',
  'currency',
  'stockQty',
  'taxable',
  'category',
  'description',
  'tags',
  'images',
  'thumb',
  'attributes',
  'costUsd',
  'jurisdictionCode',
] as const satisfies readonly (keyof InventoryItemInput)[];

/** The body of `POST /api/inventory`. */
export function itemBody(body: unknown): InventoryItemInput {
  parseInput(itemInput, body);
  return pick<InventoryItemInput>(body, ITEM_FIELDS);
}

/** The `id` of `DELETE /api/inventory`. */
export const itemId = (query: RestRequest['query']): string => parseInput(z.object({ id: identifier }), query).id;

/** The query of `GET /api/inventory`. */
export function inventoryQuery(query: RestRequest['query']): InventoryQueryVariables {
  const { priceMinCents, priceMaxCents, taxable, stock, ...rest } = parseInput(itemQuery, query);
  return {
    ...rest,
    taxable: taxable ?? null,
    stock: stock === 'any' ? null : (stock as InventoryQueryVariables['stock']),
    priceMin: priceMinCents === undefined ? null : priceMinCents / 100,
    priceMax: priceMaxCents === undefined ? null : priceMaxCents / 100,
  } as InventoryQueryVariables;
}

/** The optional parameters under their first names, whatever alias they came by. */
function optionFields(options: ReceiptOptions) {
  const { postPayment, buyerEmail, billingAddress, ...rest } = options;
  return { ...rest, onSuccess: postPayment, buyerEmail, billingAddress };
}

/** The body of `POST /api/orders`. */
export function orderBody({ body, urls, caller }: RestRequest): CreateOrderInput {
  // No body at all is one without items.
  const checked = parseInput(orderInput(urls), body ?? {});
  requireOwnWallet(merchantOf(caller), checked.wallet);
  const { items, taxRate, currency, jurisdictionCode, taxComponents, options } = checked;
  return {
    items,
    currency,
    jurisdictionCode,
    taxComponents,
    taxRate: taxRate === undefined ? undefined : Number(taxRate),
    ...optionFields(options),
  };
}

const TERMINAL_FIELDS = [
  'amountUsd',
  'amount',
  'currency',
  'label',
  'jurisdictionCode',
  'taxRate',
  'taxComponents',
] as const satisfies readonly (keyof TerminalReceiptInput)[];

/** The body of `POST /api/receipts/terminal`. The merchant that the gateway found the session to act for stands before one that the body names. */
export function terminalBody({ body, caller }: RestRequest): TerminalReceiptInput {
  const { wallet: named } = parseInput(terminalInput, body);
  const { merchant } = sessionOf(caller);
  if (merchant !== null) requireOwnWallet(merchant, named);
  return { ...pick<TerminalReceiptInput>(body, TERMINAL_FIELDS), wallet: merchant ?? named };
}

/** The body of `POST /api/receipts`, in either format. */
export function receiptBody({ body, urls, caller }: RestRequest): CreateReceiptInput {
  const checked = parseInput(receiptInput(urls), body);
  requireOwnWallet(merchantOf(caller), checked.wallet);
  const native = checked.format === 'native';
  return {
    id: checked.id,
    lineItems: checked.lines.map(({ label, amountCents, qty }) => ({
      label,
      [native ? 'amount' : 'priceUsd']: amountCents / 100,
      qty,
    })),
    currency: native ? checked.currency : undefined,
    [native ? 'total' : 'totalUsd']: checked.totalCents / 100,
    ...optionFields(checked.options),
  };
}

/** The `limit` of `GET /api/receipts`: 1 to 200, else refused. */
export function limitQuery({ limit = '100' }: RestRequest['query']): number {
  const value = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (value >= 1 && value <= LIST_MAX) return value;
  throw refuse('invalid_input', `limit must be a whole number from 1 to ${LIST_MAX}`, { field: 'limit' });
}

/** The `receiptId` of a query. */
export function receiptIdQuery({ receiptId }: RestRequest['query']): string {
  if (!receiptId) throw refuse('invalid_input', 'receiptId is required', { field: 'receiptId' });
  return receiptId;
}

/** The body of `POST /api/receipts/status`. */
export function trackingBody({ body, caller }: RestRequest): { receiptId: string; status: string } {
  const { receiptId, wallet: named, status } = (typeof body === 'object' && body !== null ? body : {}) as Body;
  if (typeof receiptId !== 'string' || receiptId === '') throw refuse('missing_receipt_id');
  const own = named == null ? null : walletOf(named);
  if (typeof status !== 'string' || status === '') throw refuse('missing_status');
  const checked = { receiptId: parseInput(identifier, receiptId), status: parseInput(identifier, status) };
  requireOwnWallet(merchantOf(caller), own);
  return checked;
}

function walletOf(value: unknown): Wallet {
  const parsed = parseWallet(value);
  if (!parsed) throw refuse('invalid_wallet');
  return parsed;
}

const SHOP_FIELDS = [
  'wallet',
  'name',
  'description',
  'bio',
  'theme',
  'arrangement',
  'xpPerDollar',
  'slug',
  'links',
  'processingFeePct',
  'setupComplete',
] as const satisfies readonly (keyof ShopConfigInput)[];

const THEME_FIELDS = [
  'primaryColor',
  'secondaryColor',
  'textColor',
  'accentColor',
  'brandLogoUrl',
  'coverPhotoUrl',
  'fontFamily',
  'logoShape',
  'heroFontSize',
] as const satisfies readonly (keyof NonNullable<ShopConfigInput['theme']>)[];

/** The body of `POST /api/shop/config`. */
export function shopBody(body: unknown): ShopConfigInput {
  parseInput(shopInput, body);
  const picked = pick<ShopConfigInput>(body, SHOP_FIELDS);
  return {
    ...picked,
    ...(picked.theme ? { theme: pick<NonNullable<ShopConfigInput['theme']>>(picked.theme, THEME_FIELDS) } : {}),
    ...(picked.links ? { links: picked.links.map(({ label, url }) => ({ label, url })) } : {}),
  };
}

/** The body of `POST /api/pricing/config`. */
export function pricingBody(body: unknown): PricingConfigInput {
  const { discountRules, ...rest } = parseInput(pricingInput, body);
  return { ...rest, discountRules };
}

/** The body of `POST /api/split/deploy`. */
export function splitBody(body: unknown): SplitInput {
  const { wallet: own, splitAddress, recipients } = parseInput(splitInput, body ?? {});
  return { wallet: own, splitAddress, recipients };
}

const hex = z
  .string({ error: 'must be 0x followed by hex digits' })
  .regex(/^0x[0-9a-fA-F]*$/, { error: 'must be 0x followed by hex digits' });

/** The body of `POST /api/auth/nonce`. */
export const nonceBody = (body: unknown) => parseInput(z.object({ wallet }), body);

/** The body of `POST /api/auth/login`. */
export const loginBody = (body: unknown) => parseInput(z.object({ wallet, nonce: identifier, signature: hex }), body);
