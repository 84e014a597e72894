import { z } from 'zod';
import { currency, qty, taxRate } from '../../../base/core/amount.ts';
import { coded, fault, optional } from '../../../base/core/input.ts';
import { identifier, wallet } from '../../../base/core/text.ts';
import type { UrlPolicy } from '../../../base/core/url.ts';
import { expiresInMinutes } from '../receipts/expiry.ts';
import { optionFields, optionsReader } from '../receipts/options.ts';
import { MAX_LINES, voidInput } from '../receipts/receipt.input.ts';

/** An ordered product and its quantity. If both id and sku are given, the id counts. */
const item = z
  .object({
    id: optional(identifier).describe('The inventory item; either id or sku is required.'),
    sku: optional(identifier).describe('Used if id is not given.'),
    qty,
  })
  .transform((sent, ctx) =>
    sent.id === undefined && sent.sku === undefined ? fault(ctx, 'must have an id or a sku') : sent,
  );

/** A missing value, a value that is not a list, and an empty list are refused with `items_required`. */
export const orderItems = coded('items_required', (value) => Array.isArray(value) && value.length > 0).pipe(
  z.array(item).max(MAX_LINES),
);

/** Names of tax components, without duplicates. */
export const taxComponents = z
  .array(identifier)
  .max(50)
  .transform((names) => [...new Set(names)]);

const order = {
  items: orderItems,
  wallet: optional(wallet),
  currency: optional(currency),
  jurisdictionCode: optional(identifier),
  taxRate: optional(taxRate),
  taxComponents: optional(taxComponents),
  expiresInMinutes: optional(expiresInMinutes),
};

/** The body of `POST /api/orders`. `taxRate` is parsed to exact decimal text. */
function build(urls: UrlPolicy) {
  const readOptions = optionsReader(urls);
  const read = ({ items: ordered, ...body }: z.output<z.ZodObject<typeof order>>, ctx: z.RefinementCtx) => ({
    wallet: body.wallet,
    items: ordered,
    currency: body.currency,
    jurisdictionCode: body.jurisdictionCode,
    taxRate: body.taxRate,
    taxComponents: body.taxComponents,
    expiresInMinutes: body.expiresInMinutes,
    options: readOptions(body, ctx),
  });
  const further = { further: optionFields };
  return {
    order: z.looseObject(order).meta(further).transform(read),
    replacement: z
      .looseObject({ ...voidInput.shape, ...order })
      .meta(further)
      .transform(({ receiptId, reason, ...body }, ctx) => ({
        ...{ receiptId, reason: reason ?? null },
        order: read(body, ctx),
      })),
  };
}

const secure = build({ allowInsecure: false });
const insecure = build({ allowInsecure: true });
const under = ({ allowInsecure }: UrlPolicy) => (allowInsecure ? insecure : secure);

/** The schema under the operator's address policy. Both variants are built once. */
export const orderInput = (urls: UrlPolicy) => under(urls).order;

/** The body of `POST /api/receipts/replace`: the receipt to void, and the order that takes its place. */
export const replacementInput = (urls: UrlPolicy) => under(urls).replacement;

export type OrderInput = z.output<(typeof secure)['order']>;
export type Replacement = z.output<(typeof secure)['replacement']>;
