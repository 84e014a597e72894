import { SCOPES } from '../../../base/core/scopes.ts';
import { nameOfWord } from '../../../base/graphql/vocabulary.ts';
import { EVENT_KINDS } from '../../../domain/webhooks/events/kinds.ts';

/**
 * Gives the words of a vocabulary, as REST writes them, by their names in GraphQL: `receipt_paid` → `receipt.paid`. The
 * placeholders of the API document stay as they are.
 */
function wordsOf(words: readonly string[]): <Name extends string>(name: Name) => string {
  const byName = new Map(words.map((word) => [nameOfWord(word), word]));
  return (name) => byName.get(name) ?? name;
}

const scopeWord = wordsOf(SCOPES);

/** Scopes as REST writes them: `receipts:read`. */
export const scopeWords = <Name extends string>(names: readonly Name[]): readonly string[] =>
  names.every((name) => typeof name === 'string') ? names.map(scopeWord) : names;

/** A kind of event as REST and webhooks write it: `receipt.paid`. */
export const eventWord = wordsOf(Object.keys(EVENT_KINDS));
