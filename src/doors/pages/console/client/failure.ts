import { wordFor, words } from '../shared/words.ts';

const { reasons, actions } = words.failures;

/** Why a payment failed, by its code. A code of a newer server has the general words. */
export const failureReason = (code: string): string => wordFor(reasons, code) ?? reasons.PORTAL_SYS_GENERIC_FAILURE;

/** What the merchant can do about a charge that failed: charges have few of the codes. */
export const failureAction = (code: string): string => wordFor(actions, code) ?? actions.PORTAL_SYS_GENERIC_FAILURE;
