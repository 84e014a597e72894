import { defineLifecycle } from '../core/lifecycle.ts';

/**
 * The states of an authorization that this server carries out. `sent`: its transaction is stored and may be mined.
 * `mined`: the transaction succeeded. `credited`: its transfer counts for the receipt. `failed`: the transaction
 * reverted or was replaced.
 *
 * Anyone may carry out an authorization. If someone else was first, our transaction reverts and the transfer still
 * counts, so `credited` may come before or after `failed`.
 */
export const AUTHORIZATION = defineLifecycle(['sent'], {
  sent: ['mined', 'credited', 'failed'],
  mined: ['mined', 'credited', 'failed'],
  credited: ['credited'],
  failed: ['mined', 'credited'],
});

export type AuthorizationState = (typeof AUTHORIZATION.statuses)[number];

/** The states in which a receipt takes no further authorization. */
export const OPEN: readonly AuthorizationState[] = ['sent', 'mined'];
