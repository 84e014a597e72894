import { z } from 'zod';
import { coded } from '../core/input.ts';
import { identifier } from '../core/text.ts';

/** The body of `POST /api/subscriptions/charge`. */
export const chargeInput = z.object({
  subscriptionId: coded('subscription_id_required', (value) => value != null && value !== '').pipe(identifier),
});
