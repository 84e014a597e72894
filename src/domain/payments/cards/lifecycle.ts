import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The status of a card checkout. `initialized`, `requires_payment`, `fulfillment_processing` (the card was charged) and
 * `fulfillment_complete` are the provider's terms. `failed`: the provider rejected the payment for good. `cancelled`,
 * `abandoned` and `expired` end a checkout that the provider would leave open.
 *
 * A checkout advances and never moves back, so that a late event changes nothing. A checkout that this server ended may
 * continue at the provider. A charge may still fail, and a failed fulfillment may still complete.
 */
export const CARD_SESSION = defineLifecycle(['initialized'], {
  initialized: [
    'requires_payment',
    'fulfillment_processing',
    'fulfillment_complete',
    'failed',
    'cancelled',
    'abandoned',
    'expired',
  ],
  requires_payment: ['fulfillment_processing', 'fulfillment_complete', 'failed', 'cancelled', 'abandoned', 'expired'],
  fulfillment_processing: ['fulfillment_complete', 'failed'],
  fulfillment_complete: [],
  failed: ['fulfillment_complete'],
  cancelled: ['requires_payment', 'fulfillment_processing', 'fulfillment_complete', 'failed', 'expired'],
  abandoned: [
    'initialized',
    'requires_payment',
    'fulfillment_processing',
    'fulfillment_complete',
    'failed',
    'cancelled',
    'expired',
  ],
  expired: ['requires_payment', 'fulfillment_processing', 'fulfillment_complete', 'failed', 'cancelled'],
});

export type SessionStatus = (typeof CARD_SESSION.statuses)[number];

/** The statuses of a session that waits for the buyer. */
export const OPEN = ['initialized', 'requires_payment'] as const satisfies readonly SessionStatus[];

/** The statuses of a session whose provider has charged the buyer. */
export const CHARGED: readonly SessionStatus[] = ['fulfillment_processing', 'fulfillment_complete'];

/** Whether the provider of a session has charged the buyer. */
export const isCharged = ({ status }: { readonly status: SessionStatus }): boolean => CHARGED.includes(status);

/** Whether a session waits for the buyer. */
export const isOpen = ({ status }: { readonly status: SessionStatus }): boolean =>
  OPEN.some((waiting) => waiting === status);
