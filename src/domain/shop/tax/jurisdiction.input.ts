import Big from 'big.js';
import { z } from 'zod';
import { taxRate } from '../../../base/core/amount.ts';
import { fault, optional } from '../../../base/core/input.ts';
import { identifier, label, wallet } from '../../../base/core/text.ts';

const CODE_EXPECTED = 'must be 1 to 32 letters, digits and hyphens, such as US-CA';

/** A code in the form of the public codes, converted to upper case. */
const jurisdictionCode = z
  .string({ error: CODE_EXPECTED })
  .regex(/^(?=.{1,32}$)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/, { error: CODE_EXPECTED })
  .transform((code) => code.toUpperCase());

const component = z.object({ code: identifier, rate: taxRate });

/**
 * A merchant's own tax jurisdiction. With components, the rate is their sum: it may be omitted, and must not differ.
 * Without components it is required. Rates are converted to exact decimal text.
 */
export const jurisdictionInput = z
  .object({
    wallet: optional(wallet),
    code: jurisdictionCode,
    displayName: optional(label),
    rate: optional(taxRate),
    components: optional(z.array(component).max(20)),
  })
  .transform(({ rate, components = [], displayName, ...rest }, ctx) => {
    const seen = new Set<string>();
    for (const [i, { code }] of components.entries()) {
      if (seen.has(code.toUpperCase())) fault(ctx, 'is listed twice', ['components', i, 'code']);
      seen.add(code.toUpperCase());
    }
    const sum = components.reduce((total, part) => total.plus(part.rate), new Big(0));
    if (sum.gt(1)) fault(ctx, 'must not add up to more than 1', ['components']);
    if (components.length === 0 && rate === undefined)
      fault(ctx, 'must be given, or components that have rates', ['rate']);
    if (components.length > 0 && rate !== undefined && !sum.eq(rate)) {
      fault(ctx, `must be what the components add up to: ${sum.toFixed()}`, ['rate']);
    }
    return { ...rest, displayName: displayName ?? rest.code, rate: rate ?? sum.toFixed(), components };
  });

export type JurisdictionInput = z.output<typeof jurisdictionInput>;

/** The code of a jurisdiction to delete. */
export const jurisdictionDeletion = z.object({ code: jurisdictionCode });
