import { z } from 'zod';
import { merchantOf, sessionOf } from '../../base/core/caller.ts';
import { refuse } from '../../base/core/errors.ts';
import { coded, optional } from '../../base/core/input.ts';
import { identifier, wallet } from '../../base/core/text.ts';
import { orderInput } from '../../domain/sales/orders/order.input.ts';
import { terminalInput } from '../../domain/sales/orders/terminal.input.ts';
import type { ReceiptOptions } from '../../domain/sales/receipts/options.ts';
import { receiptInput } from '../../domain/sales/receipts/receipt.input.ts';
import { itemInput } from '../../domain/shop/catalog/item.input.ts';
import { itemQuery } from '../../domain/shop/catalog/item-query.input.ts';
import { requireOwnWallet } from '../../domain/shop/merchants/own-wallet.ts';
import { pricingInput } from '../../domain/shop/merchants/pricing.input.ts';
import { shopInput } from '../../domain/shop/merchants/shop.input.ts';
import { splitInput } from '../../domain/shop/splits/split.input.ts';
import type {
  CreateOrderInput,
  CreateReceiptInput,
  InventoryItemInput,
  InventoryQueryVariables,
  LegacyLineInput,
  LegacyLinesInput,
  NativeLineInput,
  NativeLinesInput,
  PricingConfigInput,
  ReceiptLinesInput,
  ShopConfigInput,
  SplitInput,
  TerminalReceiptInput,
} from './generated/graphql.ts';
import { type Reader, readsBody, readsQuery } from './reader.ts';

/*
 * Maps REST request bodies to the variables of the stored operations. The domain's own schema checks each body first,
 * so that an error names the field before GraphQL's coercion runs. Then only the fields that the operation has are
 * passed on.
 */

type Body = Record<string, unknown>;

/** The named fields of a checked body. Other fields are dropped. */
function pick<T>(body: unknown, names: readonly (keyof T & string)[]): T {
  const picked: Body = {};
  for (const name of names) if ((body as Body)[name] !== undefined) picked[name] = (body as Body)[name];
  return picked as T;
}

/** REST takes currencies in any letter case. */
const inUpperCase = <T extends { readonly currency?: string | null }>(picked: T): T =>
  picked.currency ? { ...picked, currency: picked.currency.toUpperCase() } : picked;

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
export const itemBody = readsBody(itemInput, (_, { body }) => inUpperCase(pick<InventoryItemInput>(body, ITEM_FIELDS)));

/** The `id` of `DELETE /api/inventory`. */
const itemId = readsQuery(z.object({ id: identifier }), ({ id }) => id);
export const itemIdQuery: Reader<string> = {
  ...itemId,
  read(request) {
    const { id, sku } = request.query;
    if (id !== undefined) return itemId.read(request);
    const hint = sku === undefined ? '' : ': sku is not accepted here';
    throw refuse('invalid_input', `id is required${hint}`, { field: 'id' });
  },
};

/** The query of `GET /api/inventory`. */
export const inventoryQuery = readsQuery(
  itemQuery,
  ({ priceMinCents, priceMaxCents, taxable, stock, ...rest }) =>
    ({
      ...rest,
      taxable: taxable ?? null,
      stock: stock === 'any' ? null : (stock as InventoryQueryVariables['stock']),
      priceMin: priceMinCents === undefined ? null : priceMinCents / 100,
      priceMax: priceMaxCents === undefined ? null : priceMaxCents / 100,
    }) as InventoryQueryVariables,
);

/** The optional parameters under their primary names, for every alias. */
function optionFields(options: ReceiptOptions) {
  const { postPayment, buyerEmail, billingAddress, ...rest } = options;
  return { ...rest, onSuccess: postPayment, buyerEmail, billingAddress };
}

/** The body of `POST /api/orders`. A missing body counts as an order without items. */
export const orderBody = readsBody(
  orderInput,
  (checked, { caller }): CreateOrderInput => {
    requireOwnWallet(merchantOf(caller), checked.wallet);
    const { items, taxRate, currency, jurisdictionCode, taxComponents, expiresInMinutes, options } = checked;
    return {
      items: items.map(({ id, sku, qty }) => ({ item: id === undefined ? { sku: sku as string } : { id }, qty })),
      currency,
      jurisdictionCode,
      taxComponents,
      taxRate: taxRate === undefined ? undefined : Number(taxRate),
      expiresInMinutes,
      ...optionFields(options),
    };
  },
  { mayBeMissing: true },
);

const TERMINAL_FIELDS = [
  'amountUsd',
  'amount',
  'currency',
  'label',
  'tip',
  'jurisdictionCode',
  'taxRate',
  'taxComponents',
  'expiresInMinutes',
] as const satisfies readonly (keyof TerminalReceiptInput)[];

/**
 * The body of `POST /api/receipts/terminal`. The merchant that the session acts for overrides one named in the body.
 */
export const terminalBody = readsBody(terminalInput, ({ wallet: named }, { body, caller }) => {
  const { merchant } = sessionOf(caller);
  if (merchant !== null) requireOwnWallet(merchant, named);
  return { ...inUpperCase(pick<TerminalReceiptInput>(body, TERMINAL_FIELDS)), wallet: merchant ?? named };
});

const LEGACY_LINE = ['label', 'priceUsd', 'qty'] as const satisfies readonly (keyof LegacyLineInput)[];
const NATIVE_LINE = ['label', 'amount', 'qty'] as const satisfies readonly (keyof NativeLineInput)[];

/** The lines and the total of a body, in its format. */
function linesOf(format: 'legacy' | 'native', body: unknown): ReceiptLinesInput {
  const { lineItems } = body as { readonly lineItems: readonly unknown[] };
  if (format === 'legacy') {
    const lines = lineItems.map((line) => pick<LegacyLineInput>(line, LEGACY_LINE));
    return { legacy: { ...pick<LegacyLinesInput>(body, ['totalUsd']), lineItems: lines } };
  }
  const lines = lineItems.map((line) => pick<NativeLineInput>(line, NATIVE_LINE));
  return { native: { ...inUpperCase(pick<NativeLinesInput>(body, ['currency', 'total'])), lineItems: lines } };
}

/** The body of `POST /api/receipts`, in either format. */
export const receiptBody = readsBody(receiptInput, (checked, { body, caller }): CreateReceiptInput => {
  requireOwnWallet(merchantOf(caller), checked.wallet);
  return {
    id: checked.id,
    lines: linesOf(checked.format, body),
    expiresInMinutes: checked.expiresInMinutes,
    ...optionFields(checked.options),
  };
});

const required = z.string({ error: 'is required' }).min(1, { error: 'is required' });

/** The `receiptId` of a query. */
export const receiptIdQuery = readsQuery(z.object({ receiptId: required }), ({ receiptId }) => receiptId);

/** The `address` of `GET /api/split/transactions`. */
export const addressQuery = readsQuery(z.object({ address: z.string().optional() }), ({ address = null }) => address);

const filled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The body of `POST /api/receipts/status`. */
export const trackingBody = readsBody(
  z.object({
    receiptId: coded('missing_receipt_id', filled).pipe(identifier),
    wallet: optional(wallet),
    status: coded('missing_status', filled).pipe(identifier),
  }),
  ({ receiptId, wallet: named, status }, { caller }) => {
    requireOwnWallet(merchantOf(caller), named);
    return { receiptId, status };
  },
  { mayBeMissing: true },
);

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
  'postPaymentScripts',
  'allowRenewal',
  'holdStock',
  'gasless',
  'paymentTokens',
  'lateHours',
  'tolerancePct',
  'toleranceUsd',
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
export const shopBody = readsBody(shopInput, (_, { body }): ShopConfigInput => {
  const picked = pick<ShopConfigInput>(body, SHOP_FIELDS);
  return {
    ...picked,
    ...(picked.theme ? { theme: pick<NonNullable<ShopConfigInput['theme']>>(picked.theme, THEME_FIELDS) } : {}),
    ...(picked.paymentTokens
      ? { paymentTokens: picked.paymentTokens.map(({ chainId, token }) => ({ chainId, token })) }
      : {}),
    ...(picked.links ? { links: picked.links.map(({ label, url }) => ({ label, url })) } : {}),
  };
});

/** The body of `POST /api/pricing/config`. */
export const pricingBody = readsBody(pricingInput, (checked): PricingConfigInput => checked);

/** The body of `POST /api/split/deploy`. */
export const splitBody = readsBody(splitInput, (checked): SplitInput => checked, { mayBeMissing: true });

const hex = z
  .string({ error: 'must be 0x followed by hex digits' })
  .regex(/^0x[0-9a-fA-F]*$/, { error: 'must be 0x followed by hex digits' });

/** The body of `POST /api/auth/nonce`. */
export const nonceBody = readsBody(z.object({ wallet }), (checked) => checked);

/** The body of `POST /api/auth/login`. */
export const loginBody = readsBody(z.object({ wallet, nonce: identifier, signature: hex }), (checked) => checked);
