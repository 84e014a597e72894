import type { Caller } from '../../base/core/caller.ts';
import { weakMemo } from '../../base/core/weak-memo.ts';

/** Serialized responses by their source object; garbage-collected with it. */
const answersOf = weakMemo((_source: object) => new Map<string, Promise<CachedAnswer>>());

/** The bytes of a response, and the cursor of its next page. */
interface CachedAnswer {
  readonly bytes: Buffer;
  readonly next: string | null;
}

/**
 * A response that depends only on `source`, the variables and the caller's rights. Each is made once, also
 * for concurrent requests. A change of the data produces a new `source` object, so a cached response is never stale.
 *
 * @param name the operation with its variables and rights (`rightsOf`)
 */
export function cacheResponse(source: object, name: string, make: () => Promise<CachedAnswer>): Promise<CachedAnswer> {
  const answers = answersOf(source);
  const known = answers.get(name);
  if (known) return known;
  const made = make();
  answers.set(name, made);
  made.catch(() => answers.delete(name));
  return made;
}

/**
 * A caller's rights as a key, equal for callers that see the same data. Null for callers whose responses are not
 * cached.
 */
export function responseRights(caller: Caller): string | null {
  return caller.kind === 'developer' ? `${caller.merchant} ${[...caller.scopes].join(' ')}` : null;
}
