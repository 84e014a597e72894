import { z } from 'zod';
import { amount, currency, wholeNumber } from '../../../base/core/amount.ts';
import { optional } from '../../../base/core/input.ts';
import { identifier, label } from '../../../base/core/text.ts';
import { buyerUrl, type UrlPolicy } from '../../../base/core/url.ts';
import { orderItems } from '../orders/order.input.ts';

/** How long a receipt of a link holds its stock: at least a payment's time, at most a week. */
const expiresInMinutes = wholeNumber(5, 7 * 24 * 60);

/** The receipts of a day are counted for each new one, so there is a most. */
export const MAX_PER_DAY = 10_000;
export const MAX_PER_ADDRESS = 1_000;

/** A new payment link. `items` or `amount` is given; GraphQL sees to it. */
export const linkInput = (urls: UrlPolicy) =>
  z.object({
    name: label,
    items: optional(orderItems),
    amount: optional(amount(1)),
    currency: optional(currency),
    jurisdictionCode: optional(identifier),
    expiresInMinutes: optional(expiresInMinutes),
    perDay: optional(wholeNumber(1, MAX_PER_DAY)),
    perAddress: optional(wholeNumber(1, MAX_PER_ADDRESS)),
    endsAt: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
    returnUrl: optional(buyerUrl(urls)),
  });

export type LinkInput = z.output<ReturnType<typeof linkInput>>;
