import { z } from 'zod';
import { amount, currency, qty, signedAmount } from '../../../base/core/amount.ts';
import { coded, fault, optional } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS, MAX_LABEL } from '../../../base/core/limits.ts';
import { email, identifier, label, text, wallet } from '../../../base/core/text.ts';
import type { UrlPolicy } from '../../../base/core/url.ts';
import { expiresInMinutes } from './expiry.ts';
import { optionFields, optionsReader } from './options.ts';

/** The maximum number of lines of a receipt, and of items of an order. */
export const MAX_LINES = 500;

/** Reserved for routes beside `GET /api/receipts/{id}`. */
const RESERVED_IDS = new Set(['.', '..', 'status', 'refund', 'terminal']);

/**
 * A receipt id chosen by the caller. It becomes part of a URL path, so it must not contain characters with a meaning in
 * URLs.
 */
const receiptId = identifier
  .regex(/^[^\s\p{C}/\\?#%"<>]+$/u, { error: 'must not contain spaces, control characters or any of / \\ ? # % " < >' })
  .refine((id) => !RESERVED_IDS.has(id), { error: 'is reserved' });

const line = z.object({
  label,
  priceUsd: optional(signedAmount).describe('Extended amount in US dollars (legacy lines).'),
  amount: optional(signedAmount),
  qty: optional(qty),
});

/**
 * The body of `POST /api/receipts`, in either format: legacy (`priceUsd` lines, `totalUsd`) or native (`amount` lines,
 * `total`, `currency`). Mixing them is refused. Both parse to the same shape: lines of extended cents in the receipt's
 * currency that add up to `totalCents`, from 0 to 10,000,000.00. A discount may make a line negative. `qty` is
 * descriptive.
 */
function build(urls: UrlPolicy) {
  const readOptions = optionsReader(urls);
  return z
    .looseObject({
      id: receiptId,
      wallet: optional(wallet),
      lineItems: z
        .array(line)
        .min(1, { error: 'must not be empty' })
        .max(MAX_LINES)
        .describe('The lines, all in one format; at least one.'),
      currency: optional(currency),
      total: optional(amount(0)),
      totalUsd: optional(amount(0)),
      expiresInMinutes: optional(expiresInMinutes),
      replaces: optional(identifier).describe('The unpaid receipt that is voided with it. Needs `receipts:void` too.'),
    })
    .meta({ further: optionFields })
    .transform((body, ctx) => {
      const native = body.total !== undefined || body.lineItems.some((item) => item.amount !== undefined);
      const lines = body.lineItems.map((item, i) => {
        const [own, other] = native ? (['amount', 'priceUsd'] as const) : (['priceUsd', 'amount'] as const);
        if (item[other] !== undefined) fault(ctx, MIXED, ['lineItems', i, other]);
        const amountCents = item[own];
        if (amountCents === undefined) {
          fault(
            ctx,
            native
              ? 'must be given: the amount of the line in the receipt currency'
              : 'must be given: the price of the line in USD',
            ['lineItems', i, own],
          );
        }
        return {
          label: item.label,
          amountCents: amountCents ?? 0,
          ...(item.qty === undefined ? {} : { qty: item.qty }),
        };
      });
      if (native && body.totalUsd !== undefined) fault(ctx, MIXED, ['totalUsd']);
      if (!native && body.currency !== undefined && body.currency !== 'USD') {
        fault(ctx, `${body.currency} goes with lineItems[].amount and total, not with priceUsd`, ['currency']);
      }
      if (body.replaces === body.id) fault(ctx, 'must be another receipt', ['replaces']);
      const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
      if (totalCents < 0)
        fault(ctx, `must not add up to less than 0; they add up to ${inMajor(totalCents)}`, ['lineItems']);
      if (totalCents > MAX_AMOUNT_CENTS)
        fault(ctx, `must not add up to more than ${inMajor(MAX_AMOUNT_CENTS)}`, ['lineItems']);
      const given = native ? body.total : body.totalUsd;
      if (given !== undefined && given !== totalCents) {
        fault(ctx, `must equal the sum of the lines, ${inMajor(totalCents)}`, [native ? 'total' : 'totalUsd']);
      }
      return {
        wallet: body.wallet,
        id: body.id,
        format: native ? ('native' as const) : ('legacy' as const),
        currency: body.currency ?? ('USD' as const),
        lines,
        totalCents,
        expiresInMinutes: body.expiresInMinutes,
        replaces: body.replaces ?? null,
        options: readOptions(body, ctx),
      };
    });
}

const MIXED = 'must not be mixed in: send either priceUsd lines with totalUsd, or amount lines with total and currency';
const inMajor = (cents: number): string => (cents / 100).toFixed(2);

const secure = build({ allowInsecure: false });
const insecure = build({ allowInsecure: true });

/** The schema under the operator's address policy. Both variants are built once. */
export const receiptInput = ({ allowInsecure }: UrlPolicy) => (allowInsecure ? insecure : secure);

export type ReceiptInput = z.output<typeof secure>;

/** The `receiptId` of a body. */
export const receiptIdInput = coded('missing_receipt_id', (value) => typeof value === 'string' && value !== '').pipe(
  identifier,
);

/** The receipt to void, and why: for the audit log. */
export const voidInput = z.object({ receiptId: receiptIdInput, reason: optional(text(MAX_LABEL)) });

/** The e-mail address that a buyer enters on the page. */
export const buyerEmailInput = z.object({ email });
