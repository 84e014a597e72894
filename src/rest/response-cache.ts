import type { Caller } from '../core/caller.ts';
import { weakMemo } from '../core/weak-memo.ts';

/** Answers as bytes, by what they were made from; gone with it. */
const answersOf = weakMemo((_source: object) => new Map<string, Promise<Buffer>>());

/**
 * The bytes of an answer that is made from nothing but `source`, the variables and the caller's rights: made once for each, and by one where many ask at
 * once. `source` is another object as soon as anything in it is different, so that what is kept is never old.
 *
 * @param name which operation, with its variables and the rights (`rightsOf`) that it runs under
 */
export function cacheResponse(source: object, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const answers = answersOf(source);
  const known = answers.get(name);
  if (known) return known;
  const made = make();
  answers.set(name, made);
  made.catch(() => answers.delete(name));
  return made;
}

/** A caller's rights as text, the same for all who may see the same; null for callers whose answers are not worth keeping. */
export function responseRights(caller: Caller): string | null {
  return caller.kind === 'developer' ? `${caller.merchant} ${[...caller.scopes].join(' ')}` : null;
}
