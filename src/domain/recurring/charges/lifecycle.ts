import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The charge of one period of a subscription. `sent`: its transaction is stored and has no outcome yet. `succeeded` and
 * `failed`: the outcome is known.
 *
 * A failed charge is sent again in the same period, or found to have succeeded after all, or settled by another payment
 * of its receipt. A reorganization can make a charge fail that had succeeded by its own transaction.
 */
export const CHARGE = defineLifecycle(['sent'], {
  sent: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: ['sent', 'succeeded'],
});

export type ChargeStatus = (typeof CHARGE.statuses)[number];
