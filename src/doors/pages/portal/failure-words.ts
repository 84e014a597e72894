import words from '../../../base/core/messages/failures/en.json' with { type: 'json' };
import type { FailureCode } from '../../../domain/sales/receipts/failures.ts';

/** The buyer's message for a failure code; a general one for an unknown code. The API's reasons are for the shop. */
export const failureWords = (code: string): string =>
  words[Object.hasOwn(words, code) ? (code as FailureCode) : 'PORTAL_SYS_GENERIC_FAILURE'];
