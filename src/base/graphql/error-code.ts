import { type ErrorCode, errorCatalogue } from '../core/errors.ts';
import { vocabulary } from './vocabulary.ts';

/** The error codes with their sentences. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, [, sentence]]) => [code, `${sentence}.`]),
) as Record<ErrorCode, string>;

export const ErrorCodeEnum = vocabulary('ErrorCode', 'An error code, as in `extensions.code`.', ERROR_CODES);
