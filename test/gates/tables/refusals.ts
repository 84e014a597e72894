import { errorAdvice } from '../../../src/base/core/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../../src/base/core/errors.ts';
import { FORBIDDEN_REASONS, KEY_REASONS, SESSION_REASONS } from '../../../src/base/core/forbidden.ts';
import { failureCatalogue } from '../../../src/domain/sales/receipts/failures.ts';
import { CLOSES, LIMIT_WORDS, LIVE_LIMITS } from '../../../src/doors/http/server/live-connections.ts';
import { code, table } from './markdown.ts';

/** The tables of errors and failures, by the name of their marker. */
export const refusalTables: Readonly<Record<string, () => string>> = {
  errors: () =>
    table(
      ['`error`', 'HTTP', 'Default message', 'What to do'],
      Object.entries(errorCatalogue).map(([name, [status, sentence]]) => [
        code(name),
        String(status),
        sentence,
        errorAdvice[name as ErrorCode],
      ]),
    ),
  'forbidden-reasons': () =>
    table(
      ['`error`', '`reason`', 'meaning'],
      [
        ...Object.entries(FORBIDDEN_REASONS).map(([name, meaning]) => [code('forbidden'), code(name), meaning]),
        ...Object.entries({ ...SESSION_REASONS, ...KEY_REASONS }).map(([name, meaning]) => [
          code('unauthorized'),
          code(name),
          meaning,
        ]),
      ],
    ),
  failures: () =>
    table(
      ['`failureCode`', '`failureCategory`', '`failureReason`', '`failureAction`'],
      Object.entries(failureCatalogue).map(([name, [category, reason, action]]) => [
        code(name),
        code(category),
        reason,
        action,
      ]),
    ),
  'close-codes': () =>
    table(
      ['Code', 'Reason', 'Cause', 'Reconnect'],
      Object.values(CLOSES).map(({ code: number, reason, when, again }) => [String(number), reason, when, again]),
    ),
  'live-limits': () =>
    table(
      ['Limit', 'Maximum'],
      Object.entries(LIMIT_WORDS).map(([name, [what, unit]]) => [
        what,
        `${LIVE_LIMITS[name as keyof typeof LIVE_LIMITS].toLocaleString('en-US')} ${unit}`.trim(),
      ]),
    ),
};
