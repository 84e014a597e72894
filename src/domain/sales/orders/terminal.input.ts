import { z } from 'zod';
import { amount, currency, taxRate } from '../../../base/core/amount.ts';
import { errorCatalogue } from '../../../base/core/errors.ts';
import { coded, fault, optional } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { centsFromUsd } from '../../../base/core/money.ts';
import { identifier, label, wallet } from '../../../base/core/text.ts';
import { expiresInMinutes } from '../receipts/expiry.ts';
import { taxComponents } from './order.input.ts';

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
