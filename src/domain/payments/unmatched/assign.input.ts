import Big from 'big.js';
import { z } from 'zod';
import { fault, optional } from '../../../base/core/input.ts';

const WANTED = 'must be a decimal number above 0, below a billion, with at most 18 decimals';

/** A rate that an admin states, in US dollars per whole token. */
export const statedRate = z.object({
  usdPerToken: optional(
    z.string().transform((text, ctx) => {
      if (!/^\d{1,9}(\.\d{1,18})?$/.test(text) || new Big(text).lte(0)) return fault(ctx, WANTED);
      return new Big(text).toFixed();
    }),
  ),
});
