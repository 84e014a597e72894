import { z } from 'zod';
import { coded, fault, shownAs } from '../../../base/core/input.ts';
import { identifier, wallet } from '../../../base/core/text.ts';
import {
  cancelInput,
  LIST_MAX,
  LIST_USUAL,
  subscriptionInput,
} from '../../../domain/recurring/subscriptions/subscription.input.ts';
import type {
  CancelSubscriptionInput,
  CreateSubscriptionInput,
  SubscriptionStatusQueryVariables,
} from '../generated/graphql.ts';
import { readsBody, readsQuery } from '../reader.ts';

/** The body of `POST /api/subscriptions/create`. */
export const subscriptionBody = readsBody(subscriptionInput, (checked): CreateSubscriptionInput => checked, {
  mayBeMissing: true,
});

/** The body of `POST /api/subscriptions/cancel`. */
export const cancelBody = readsBody(cancelInput, (checked): CancelSubscriptionInput => checked, { mayBeMissing: true });

const NAMES = ['subscriptionId', 'customer', 'merchant'] as const;

/** A whole number in a query string. */
function number(min: number, max: number, usual: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  const read = z
    .string()
    .transform((text, ctx) =>
      /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : fault(ctx, error),
    );
  return shownAs(read, { type: 'integer', minimum: min, maximum: max, default: usual }).optional();
}

/** The query of `GET /api/subscriptions/status`: exactly one of the three names. */
export const statusQuery = readsQuery(
  coded('query_required', namesOne).pipe(
    z.object({
      subscriptionId: identifier.optional(),
      customer: wallet.optional(),
      merchant: wallet.optional(),
      limit: number(1, LIST_MAX, LIST_USUAL),
      page: number(0, 10_000, 0),
    }),
  ),
  ({ limit, page, ...of }) => ({ of, limit, page }) as SubscriptionStatusQueryVariables,
);

function namesOne(query: unknown): boolean {
  const given = (query ?? {}) as Record<string, unknown>;
  return NAMES.filter((name) => given[name] !== undefined).length === 1 && NAMES.every((name) => given[name] !== '');
}
