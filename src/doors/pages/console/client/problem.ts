import { ApiError } from '../../client/graphql.ts';
import { wordFor, words } from '../shared/words.ts';

/** A refusal of the API for the reader: the console has words for some codes in languages other than English. */
export const refusalText = (code: string, sentence: string): string => wordFor(words.problems, code) ?? sentence;

/** The reader's message for an error of a request. */
export const problemText = (error: unknown): string =>
  error instanceof ApiError ? refusalText(error.code, error.message) : words.unreachable;
