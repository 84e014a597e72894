import { wholeNumber } from '../../../base/core/amount.ts';
import { fault } from '../../../base/core/input.ts';

/** The limits of `expiresInMinutes`: 5 minutes to 90 days. */
const MIN_MINUTES = 5;
const MAX_MINUTES = 90 * 24 * 60;

/** How long a receipt waits for its payment, in minutes; 0 for ever. */
export const expiresInMinutes = wholeNumber(0, MAX_MINUTES).transform((minutes, ctx) =>
  minutes === 0 || minutes >= MIN_MINUTES
    ? minutes
    : fault(ctx, `must be 0 (never), or a whole number from ${MIN_MINUTES} to ${MAX_MINUTES}`),
);

/** How long a receipt waits, and when it ends if it is unpaid. Both are null if it never ends. */
export interface Expiry {
  readonly lifetimeMs: number | null;
  /** Epoch ms. */
  readonly expiresAt: number | null;
}

/**
 * The expiry of a receipt that starts to wait at `at`, in epoch ms.
 *
 * @param minutes as the request gave them; the server's `RECEIPT_TTL` if undefined
 */
export function expiryOf(settings: { readonly receiptTtlMs: number }, minutes: number | undefined, at: number): Expiry {
  const lifetimeMs = minutes === undefined ? settings.receiptTtlMs : minutes * 60_000;
  return lifetimeMs === 0 ? { lifetimeMs: null, expiresAt: null } : { lifetimeMs, expiresAt: at + lifetimeMs };
}
