import type { CombinedError } from '@urql/core';
import { ApiError } from '../../client/graphql.ts';
import { wordFor, words } from '../shared/words.ts';

/** A refusal of the API for the reader: the console has words for some codes in languages other than English. */
const refusalText = (code: string, sentence: string): string => wordFor(words.problems, code) ?? sentence;

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
