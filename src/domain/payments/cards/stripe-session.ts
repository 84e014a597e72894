import { z } from 'zod';
import { centsFromText } from '../../../base/core/money.ts';
import { cardFailure } from './failure-sources.ts';
import type { ProviderEvent } from './provider.ts';

/** An amount in Stripe's format: decimal text, sometimes a number. */
const decimal = z.union([z.string(), z.number()]).transform(String).nullish();

/** The error of the last attempt: a word, or an error object with the bank's decline code. */
const lastError = z
  .union([
    z.string(),
    z.object({ code: z.string().nullish(), decline_code: z.string().nullish(), reason: z.string().nullish() }),
  ])
  .nullish();

/** The used fields of a CryptoOnrampSession. */
export const stripeSession = z.object({
  id: z.string().min(1).max(256),
  object: z.literal('crypto.onramp_session'),
  status: z.string(),
  redirect_url: z.string().nullish(),
  transaction_details: z
    .object({
      source_amount: decimal,
      source_currency: z.string().nullish(),
      source_total_amount: decimal,
      destination_amount: decimal,
      transaction_id: z.string().nullish(),
      fees: z.object({ network_fee_amount: decimal, transaction_fee_amount: decimal }).nullish(),
      last_error: lastError,
    })
    .nullish(),
});
export type StripeSession = z.infer<typeof stripeSession>;

/** Stripe's statuses; a rejected session has ended. */
const STATUSES: Readonly<Record<string, ProviderEvent['status']>> = {
  initialized: 'initialized',
  requires_payment: 'requires_payment',
  fulfillment_processing: 'fulfillment_processing',
  fulfillment_complete: 'fulfillment_complete',
  rejected: 'ended',
};

/** Errors that are not failures yet: the buyer must complete another step. */
const IN_PROGRESS = new Set(['action_required', 'requires_action']);

/** The provider event for a Stripe session; null for an unknown status. `at` in epoch ms. */
export function readStripeEvent(id: string, at: number, session: StripeSession): ProviderEvent | null {
  const status = STATUSES[session.status];
  if (!status) return null;
  const details = session.transaction_details;
  const hash = details?.transaction_id;
  return {
    id,
    at,
    status,
    failureCode: failureOf(status, details?.last_error),
    ...amountsOf(session),
    transactionHash: hash && /^0x[0-9a-fA-F]{64}$/.test(hash) ? (hash.toLowerCase() as `0x${string}`) : null,
  };
}

function failureOf(status: ProviderEvent['status'], error: z.infer<typeof lastError>): ProviderEvent['failureCode'] {
  const said = typeof error === 'string' ? [error] : [error?.decline_code, error?.code, error?.reason];
  const errors = said.filter((word) => word != null && !IN_PROGRESS.has(word));
  if (status === 'ended') return cardFailure(...errors, 'rejected');
  return status === 'requires_payment' && errors.length > 0 ? cardFailure(...errors) : null;
}

/**
 * The amount converted to tokens and the amount charged to the card, in US cents. Null if Stripe has not reported it or
 * charges another currency.
 */
export function amountsOf({ transaction_details: details }: Pick<StripeSession, 'transaction_details'>): {
  sourceAmountCents: number | null;
  customerTotalCents: number | null;
} {
  if (!details || (details.source_currency ?? 'usd') !== 'usd') {
    return { sourceAmountCents: null, customerTotalCents: null };
  }
  const sourceAmountCents = centsFrom(details.source_amount);
  const fees = [details.fees?.network_fee_amount, details.fees?.transaction_fee_amount].map(centsFrom);
  const sum =
    sourceAmountCents === null || !details.fees
      ? null
      : fees.reduce<number>((total, fee) => total + (fee ?? 0), sourceAmountCents);
  return { sourceAmountCents, customerTotalCents: centsFrom(details.source_total_amount) ?? sum };
}

/** Cents of decimal text; null for no text, or an amount that is not in whole cents. */
export const centsFrom = (text: string | null | undefined): number | null =>
  text == null ? null : centsFromText(text.replace(/(\.\d\d)0+$/, '$1'));
