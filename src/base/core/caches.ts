import { LRUCache } from 'lru-cache';

/** What a cache keeps; it evicts the least recently used entries beyond that. */
export interface CacheBounds<V> {
  /** The number of entries. */
  readonly max: number;
  /** How long an entry is kept, in milliseconds; without it, until it is evicted. */
  readonly ttl?: number;
  /** The size of all entries together, in the unit of `sizeOf`. */
  readonly maxSize?: number;
  readonly sizeOf?: (value: V) => number;
}

/**
 * Creates a cache that needs memory only for the entries it has. With its own option `max`, LRUCache allocates memory
 * for that many entries at once, so entries are counted by their sizes: each is at least `maxSize / max`.
 */
export function boundedCache<K extends string, V extends NonNullable<unknown>>({
  max,
  ttl,
  maxSize = max,
  sizeOf = () => 1,
}: CacheBounds<V>): LRUCache<K, V> {
  const smallest = Math.ceil(maxSize / max);
  return new LRUCache<K, V>({ maxSize, ttl, sizeCalculation: (value) => Math.max(smallest, sizeOf(value)) });
}

/** Computes one value per object, on first use. The value lives as long as the object. */
export function weakMemo<K extends object, V>(make: (owner: K) => V): (owner: K) => V {
  const values = new WeakMap<K, { readonly value: V }>();
  return (owner) => {
    const known = values.get(owner);
    if (known) return known.value;
    const value = make(owner);
    values.set(owner, { value });
    return value;
  };
}

/** The number of results that a function keeps. */
const NUMBERS = 10_000;

/** Keeps what `make` returns for a number. The results of many numbers are dropped together, to bound the memory. */
export function numberMemo<Made>(make: (of: number) => Made): (of: number) => Made {
  const known = new Map<number, Made>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found;
    const made = make(of);
    if (known.size >= NUMBERS) known.clear();
    known.set(of, made);
    return made;
  };
}
