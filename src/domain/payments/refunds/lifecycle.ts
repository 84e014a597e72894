import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The state of a refund. `requested`: transactions have not proven the whole amount. `refunded`: they have. A refund
 * that is recorded with its proof begins as `refunded`.
 */
export const REFUND = defineLifecycle(['requested', 'refunded'], { requested: ['refunded'], refunded: [] });

export type RefundState = (typeof REFUND.statuses)[number];
