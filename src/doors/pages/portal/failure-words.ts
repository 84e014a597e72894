import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { type FailureCode, failureCatalogue } from '../../../domain/sales/receipts/failures.ts';

/** The buyer's message for a failure code; a general one for an unknown code. The API's reasons are for the shop. */
export const failureWords = (code: string, language: Language): string =>
  wordsOf(
    'failures',
    language,
  )(Object.hasOwn(failureCatalogue, code) ? (code as FailureCode) : 'PORTAL_SYS_GENERIC_FAILURE');
