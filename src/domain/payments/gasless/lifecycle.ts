import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The states of an authorization that this server carries out. `sent`: its transaction is stored and may be mined.
 * `mined`: the transaction succeeded. `credited`: its transfer counts for the receipt. `failed`: the transaction
 * reverted or was replaced.
 *
 * Anyone may carry out an authorization. If someone else was first, our transaction reverts and the transfer still
 * counts, so `credited` may come before or after `failed`. A reorganisation may take the transfer back: then the
 * authorization may still be carried out, and is `mined` again until it is. A failed one may be sent again, with the
 * same nonce.
 */
export const AUTHORIZATION = defineLifecycle(['sent'], {
  sent: ['mined', 'credited', 'failed'],
  mined: ['mined', 'credited', 'failed'],
  credited: ['credited', 'mined', 'failed'],
  failed: ['sent', 'mined', 'credited'],
});

export type AuthorizationState = (typeof AUTHORIZATION.statuses)[number];

/** The states in which the authorization is expected to pay its receipt. */
export const OPEN: readonly AuthorizationState[] = ['sent', 'mined'];

/**
 * An authorization whose transaction failed a moment ago may have been carried out by someone else: the watcher needs
 * this long to find the transfer, and a second payment would be too much.
 */
export const FAILED_LATELY_MS = 120_000;
