import { z } from 'zod';
import { amount, wholeNumber } from '../../../base/core/amount.ts';
import { clearable, coded, optional } from '../../../base/core/input.ts';
import { description, identifier, label, wallet } from '../../../base/core/text.ts';
import { paymentTokens } from '../../shop/merchants/shop.input.ts';
import { PERIODS } from './period.ts';

/** The price of a plan; at least one cent. */
const priceUsd = amount(1);
const period = z.enum(PERIODS);

/** How many days before a charge; null for no reminder. */
const reminderDays = wholeNumber(1, 30);

/** The body of `POST /api/subscriptions/plans`. */
export const planInput = z.object({
  wallet: optional(wallet),
  name: label,
  description: optional(description),
  priceUsd,
  period,
  paymentTokens: optional(paymentTokens),
  reminderDays: optional(reminderDays),
});

/** The body of `PUT /api/subscriptions/plans`. Omitted fields keep their value. */
export const planChange = z.object({
  wallet: optional(wallet),
  planId: identifier,
  name: optional(label),
  description: optional(description),
  priceUsd: optional(priceUsd),
  period: optional(period),
  paymentTokens: clearable(paymentTokens),
  reminderDays: clearable(reminderDays),
  active: optional(z.boolean()),
});

/** The body of `DELETE /api/subscriptions/plans`. */
export const planChoice = z.object({ wallet: optional(wallet), planId: identifier });

/** The query of `GET /api/subscriptions/plans`. */
export const plansQuery = z.object({
  wallet: coded('wallet_required', (value) => value != null && value !== '').pipe(wallet),
});
