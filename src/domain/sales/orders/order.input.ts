import { z } from 'zod';
import { amount, currency, qty, taxRate } from '../../../base/core/amount.ts';
import { errorCatalogue } from '../../../base/core/errors.ts';
import { coded, fault, optional } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { centsFromUsd } from '../../../base/core/money.ts';
import { identifier, label, sku, wallet } from '../../../base/core/text.ts';
import type { UrlPolicy } from '../../../base/core/url.ts';
import { expiresInMinutes } from '../receipts/expiry.ts';
import { optionFields, optionsReader } from '../receipts/options.ts';
import { MAX_LINES, voidInput } from '../receipts/receipt.input.ts';

/** An ordered product and its quantity. If both id and sku are given, the id counts. */
const item = z
  .object({
    id: optional(identifier).describe('The inventory item; either id or sku is required.'),
    sku: optional(sku).describe('Used if id is not given.'),
    qty,
  })
  .transform((sent, ctx) =>
    sent.id === undefined && sent.sku === undefined ? fault(ctx, 'must have an id or a sku') : sent,
  );

/** A missing value and an empty list are refused with `items_required`, and what is no list with `invalid_input`. */
export const orderItems = coded('items_required', (value) =>
  Array.isArray(value) ? value.length > 0 : value != null,
).pipe(z.array(item).max(MAX_LINES));

/** Names of tax components, without duplicates. */
const taxComponents = z
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

/** The text of the line if the cashier gives none. */
const DEFAULT_LABEL = 'Payment';

const payable = (value: unknown): boolean => {
  const cents = typeof value === 'number' ? centsFromUsd(value) : null;
  return cents !== null && cents > 0 && cents <= MAX_AMOUNT_CENTS;
};

/**
 * In major units. Anything but a positive number with at most two decimals, up to 10,000,000.00, is `invalid_amount`.
 */
const positive = coded('invalid_amount', payable).pipe(amount(1));

/**
 * The body of `POST /api/receipts/terminal`, in US dollars (`amountUsd`) or natively (`amount`, with `currency`), never
 * both. Both parse to `amountCents` of `currency`, which is undefined if the native form names none. A missing amount
 * is `invalid_amount`.
 */
export const terminalInput = z
  .looseObject({
    wallet: optional(wallet),
    amountUsd: optional(positive),
    amount: optional(positive),
    tip: optional(amount(0)),
    label: optional(label),
    currency: optional(currency),
    jurisdictionCode: optional(identifier),
    taxRate: optional(taxRate),
    taxComponents: optional(taxComponents),
    expiresInMinutes: optional(expiresInMinutes),
  })
  .meta({ oneOf: [{ required: ['amountUsd'] }, { required: ['amount'] }] })
  .transform(({ amountUsd, amount: native, currency: unit, ...body }, ctx) => {
    if (amountUsd === undefined && native === undefined) missingAmount(ctx);
    if (amountUsd !== undefined && native !== undefined) fault(ctx, 'must not be given beside amountUsd', ['amount']);
    if (amountUsd !== undefined && unit !== undefined && unit !== 'USD')
      fault(ctx, `${unit} goes with amount, not with amountUsd`, ['currency']);
    return {
      wallet: body.wallet,
      amountCents: (amountUsd ?? native) as number,
      currency: amountUsd !== undefined ? ('USD' as const) : unit,
      tipCents: body.tip ?? 0,
      label: body.label ?? DEFAULT_LABEL,
      jurisdictionCode: body.jurisdictionCode,
      taxRate: body.taxRate,
      taxComponents: body.taxComponents,
      expiresInMinutes: body.expiresInMinutes,
    };
  });

function missingAmount(ctx: z.RefinementCtx): void {
  ctx.addIssue({ code: 'custom', message: errorCatalogue.invalid_amount[1], params: { code: 'invalid_amount' } });
}

export type TerminalInput = z.output<typeof terminalInput>;
