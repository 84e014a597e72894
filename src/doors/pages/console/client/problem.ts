import type { CombinedError } from '@urql/core';
import { ApiError } from '../../client/graphql.ts';
import { connectFault, errorCode } from '../../client/wallet.ts';
import { wordFor, words } from '../shared/words.ts';

type Word = string | ((values: { readonly detail: string }) => string);

/** A refusal of the API for the reader, by its code: the API's sentence is English. A newer server has more codes. */
export function refusalText(code: string, sentence: string): string {
  const table: Readonly<Record<string, Word>> = words.problems;
  const word = Object.hasOwn(table, code) ? table[code] : words.problems.invalid_input;
  return typeof word === 'function' ? word({ detail: sentence }) : (word ?? sentence);
}

/** The reader's message for an error of a request. */
export const problemText = (error: unknown): string =>
  error instanceof ApiError ? refusalText(error.code, error.message) : words.unreachable;

/** The reader's message for what the GraphQL client reports; undefined is an answer without data. */
export function answerText(error: CombinedError | undefined): string {
  const [refusal] = error?.graphQLErrors ?? [];
  if (!refusal) return words.unreachable;
  return refusal.extensions.code === 'rate_limited'
    ? words.tooMany
    : refusalText(String(refusal.extensions.code), refusal.message);
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
