import { boundedCache } from '../core/caches.ts';
import { Refusal } from '../core/errors.ts';

/**
 * A cache of records that prove an identity, such as keys and sessions. An entry is valid for a few seconds without a
 * statement.
 */
export interface ProofCache<V> {
  /** The value, at once if it is cached; null if there is none. Throws `datastore_unavailable` if it cannot be read. */
  get(id: string): V | Promise<V | null>;
  /** Removes one value, so that it is read again. `null`: all values must be confirmed before their next use. */
  forget(id: string | null): void;
  /**
   * Keeps values for an outage of the database, by id. They are confirmed before their next use while it answers. A
   * value that is forgotten during the read is not kept.
   */
  keep(read: () => Promise<Iterable<readonly [string, V]>>): Promise<void>;
}

export interface ProofCacheOptions {
  /** The number of entries. The least recently used are evicted. */
  readonly max: number;
  /** How long a value is used without a read. */
  readonly freshMs: number;
  /** How long a value is used while the database is away. */
  readonly keptMs: number;
}

/** How long a request waits for a read that confirms a cached value, before it uses the cached value. */
const PATIENCE_MS = 250;
/** How long other requests then use the cached value without a read. */
const UNCONFIRMED_MS = 1_000;

interface Entry<V> {
  value: V;
  freshUntil: number;
  keptUntil: number;
}

/**
 * Creates a cache over `load`. Only existing records are cached, so that a new record is valid at once. A value that is
 * forgotten during its load is not cached: the row may have been read before the change. Uses the monotonic clock, so
 * that a jump of the wall clock does not extend the life of an entry.
 */
export function createProofCache<V extends object>(
  load: (id: string) => Promise<V | null>,
  { max, freshMs, keptMs }: ProofCacheOptions,
): ProofCache<V> {
  const entries = boundedCache<string, Entry<V>>({ max });
  const loading = new Map<string, Promise<V | null>>();
  /** What is forgotten during each read of `keep`; null for all. */
  const forgotten = new Set<Set<string | null>>();

  function read(id: string): Promise<V | null> {
    const current = loading.get(id);
    if (current) return current;
    const reading = load(id).then(
      (value) => {
        if (loading.get(id) !== reading) return value;
        loading.delete(id);
        const now = performance.now();
        if (value === null) entries.delete(id);
        else entries.set(id, { value, freshUntil: now + freshMs, keptUntil: now + keptMs });
        return value;
      },
      (error) => {
        if (loading.get(id) === reading) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, reading);
    return reading;
  }

  async function confirm(id: string, entry: Entry<V>): Promise<V | null> {
    const reading = read(id);
    try {
      const answer = await within(reading, PATIENCE_MS);
      if (answer !== LATE) return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (entries.peek(id) !== entry) throw error;
    }
    if (entries.peek(id) !== entry) return reading;
    entry.freshUntil = performance.now() + UNCONFIRMED_MS;
    return entry.value;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return read(id);
      const now = performance.now();
      if (now < entry.freshUntil) return entry.value;
      return now < entry.keptUntil ? confirm(id, entry) : read(id);
    },
    async keep(read) {
      const meanwhile = new Set<string | null>();
      forgotten.add(meanwhile);
      try {
        const keptUntil = performance.now() + keptMs;
        for (const [id, value] of await read()) {
          if (meanwhile.has(id) || meanwhile.has(null)) continue;
          const known = entries.peek(id);
          if (known) Object.assign(known, { value, keptUntil });
          else entries.set(id, { value, freshUntil: 0, keptUntil });
        }
      } finally {
        forgotten.delete(meanwhile);
      }
    },
    forget(id) {
      for (const meanwhile of forgotten) meanwhile.add(id);
      if (id === null) {
        loading.clear();
        for (const entry of entries.values()) entry.freshUntil = 0;
      } else {
        loading.delete(id);
        entries.delete(id);
      }
    },
  };
}

const LATE = Symbol('late');

async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, LATE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
