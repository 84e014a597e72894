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
