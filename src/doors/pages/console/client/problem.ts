import type { CombinedError } from '@urql/core';
import { ApiError } from '../../client/graphql.ts';
import { words } from '../shared/words.ts';

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
