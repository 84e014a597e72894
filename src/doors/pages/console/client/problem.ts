import type { CombinedError } from '@urql/core';
import type { InputReason } from '../../../../base/core/errors.ts';
import { ApiError, type Facts } from '../../client/graphql.ts';
import { connectFault, errorCode } from '../../client/wallet.ts';
import { language, wordFor, words } from '../shared/words.ts';
import { moneyText } from './money-text.ts';

/** The words of a reason, which may be about what the API says beside it. */
type Word = string | ((facts: never) => string);

/** The words for each reason of `invalid_input`. */
const REASONS: Readonly<Record<InputReason, Word>> = words.refusedInput;

/**
 * A refusal of the API for the reader, by its code, its reason and its field. The API's own sentence is English, and
 * stands in for words in the English console only. A newer server has more codes and reasons.
 */
export function refusalText(code: string, sentence: string, facts: Facts = {}): string {
  const { reason = '', field = '', refundableUsd } = facts;
  if (typeof refundableUsd === 'number') return words.refusedUsd({ most: moneyText(refundableUsd) });
  const byCode = code === 'invalid_input' ? undefined : wordFor(words.problems, code);
  if (byCode !== undefined) return byCode;
  const word = Object.hasOwn(REASONS, reason) ? REASONS[reason as InputReason] : undefined;
  if (word !== undefined) return typeof word === 'string' ? word : word(facts as never);
  if (language === 'en') return sentence;
  const label = wordFor(words.audit.fields, field.split(/[.[\]]+/).findLast((part) => /\D/.test(part)) ?? '');
  return label === undefined ? words.problems.invalid_input : words.refusedField({ field: label });
}

/** The reader's message for an error of a request. */
export const problemText = (error: unknown): string =>
  error instanceof ApiError ? refusalText(error.code, error.message, error.facts) : words.unreachable;

/** The reader's message for what the GraphQL client reports; undefined is an answer without data. */
export function answerText(error: CombinedError | undefined): string {
  const [refusal] = error?.graphQLErrors ?? [];
  if (!refusal) return words.unreachable;
  return refusal.extensions.code === 'rate_limited'
    ? words.tooMany
    : refusalText(String(refusal.extensions.code), refusal.message, refusal.extensions);
}

/** The message for a wallet that could not be connected; null for other errors. */
export function connectProblem(error: unknown, chain: string): string | null {
  const fault = connectFault(error);
  return fault && (fault === 'elsewhere' ? words.wallet.elsewhere({ chain }) : words.wallet[fault]);
}

/** The merchant's message for an error of a wallet, or of what was done before it was asked. */
export function walletProblem(error: unknown, chainName: string): string {
  const code = errorCode(error);
  if (code === 4001) return words.wallet.declined;
  const connecting = connectProblem(error, chainName);
  if (connecting !== null) return connecting;
  const { message } = error as Error;
  // An error of ours has no code, and its text is meant for the merchant.
  if (code === 0 && message) return message;
  return /insufficient|exceeds.*balance/i.test(message) ? words.wallet.insufficient : words.wallet.failed;
}

const { reasons, actions } = words.failures;

/** Why a payment failed, by its code. A code of a newer server has the general words. */
export const failureReason = (code: string): string => wordFor(reasons, code) ?? reasons.PORTAL_SYS_GENERIC_FAILURE;

/** What the merchant can do about a charge that failed: charges have few of the codes. */
export const failureAction = (code: string): string => wordFor(actions, code) ?? actions.PORTAL_SYS_GENERIC_FAILURE;
