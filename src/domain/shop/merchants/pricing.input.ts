import { z } from 'zod';
import { currency, wholeNumber } from '../../../base/core/amount.ts';
import { clearable, fault, optional } from '../../../base/core/input.ts';
import { centsFromUsd } from '../../../base/core/money.ts';
import { wallet } from '../../../base/core/text.ts';

/** The largest minimum of a price or a discount: the minutes of a year. */
const MAX_MINUTES = 525_600;
const MAX_ETH = 1_000_000;
const MAX_RULES = 50;

const eth = z.number({ error: ethWanted() }).min(0, { error: ethWanted() }).max(MAX_ETH, { error: ethWanted() });

const percent = z
  .number({ error: percentWanted() })
  .refine((value) => value >= 0 && value <= 100 && centsFromUsd(value) !== null, { error: percentWanted() });

const rule = z.object({ minMinutes: wholeNumber(0, MAX_MINUTES), discountPct: percent });

/** Each rule has another minimum. They are stored in ascending order. */
const discountRules = z
  .array(rule)
  .max(MAX_RULES)
  .transform((rules, ctx) => {
    const seen = new Set<number>();
    for (const [i, { minMinutes }] of rules.entries()) {
      if (seen.has(minMinutes)) return fault(ctx, 'must differ from the minutes of the other rules', [i, 'minMinutes']);
      seen.add(minMinutes);
    }
    return rules.toSorted((a, b) => a.minMinutes - b.minMinutes);
  });

/**
 * The body of `POST /api/pricing/config`. Omitted fields keep their values, null clears a number, and `discountRules`
 * replaces all rules.
 */
export const pricingInput = z.object({
  wallet: optional(wallet),
  nativeCurrency: optional(currency),
  ethPer2Min: clearable(eth),
  minMinutes: clearable(wholeNumber(0, MAX_MINUTES)),
  discountRules: optional(discountRules),
});

export type PricingInput = z.output<typeof pricingInput>;

function ethWanted(): string {
  return `must be a number from 0 to ${MAX_ETH}`;
}

function percentWanted(): string {
  return 'must be a number from 0 to 100 with at most two decimals';
}
