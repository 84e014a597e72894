import { SCOPES } from '../core/scopes.ts';
import { nameOfWord } from '../graphql/vocabulary.ts';

const SCOPE_WORDS = new Map<string, string>(SCOPES.map((scope) => [nameOfWord(scope), scope]));

/** Scopes as REST writes them: `receipts:read`. The placeholders of the API document stay as they are. */
export const scopeWords = <Name extends string>(names: readonly Name[]): readonly string[] =>
  names.every((name) => typeof name === 'string') ? names.map((name) => SCOPE_WORDS.get(name) ?? name) : names;
