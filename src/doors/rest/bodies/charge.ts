import { chargeInput } from '../../../domain/recurring/charges/charge.input.ts';
import { readsBody } from '../reader.ts';

/** The body of `POST /api/subscriptions/charge`. */
export const chargeBody = readsBody(chargeInput, ({ subscriptionId }) => subscriptionId, { mayBeMissing: true });
