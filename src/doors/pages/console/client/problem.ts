import { ApiError } from '../../client/graphql.ts';
import { language, wordFor, words } from '../shared/words.ts';

/** A refusal of the API for the reader. The API says it in English; another language has words for some codes. */
export const refusalText = (code: string, sentence: string): string =>
  (language === 'en' ? undefined : wordFor(words.problems, code)) ?? sentence;

/** The reader's message for an error of a request. */
export const problemText = (error: unknown): string =>
  error instanceof ApiError ? refusalText(error.code, error.message) : words.unreachable;
