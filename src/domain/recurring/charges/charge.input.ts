import { z } from 'zod';
import { coded } from '../../../base/core/input.ts';
import { identifier } from '../../../base/core/text.ts';

/** The body of `POST /api/subscriptions/charge`. */
export const chargeInput = z.object({
  subscriptionId: coded('subscription_id_required', (value) => value != null && value !== '').pipe(identifier),
});
