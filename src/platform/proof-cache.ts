import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.ts';

/** What was read from the database about a proof of identity, remembered for a few seconds so that the next request needs no statement. */
export interface ProofCache<V> {
  /** The value, at once where it is remembered; null where there is none. Refuses with `datastore_unavailable` where it cannot be known. */
  get(id: string): V | Promise<V | null>;
  /** Forgets one value, which is read anew; `null` doubts all of them. */
  forget(id: string | null): void;
}

export interface ProofCacheOptions {
  /** How many are kept; those not used for longest go first. */
  readonly max: number;
  /** For how long a value needs no look. */
  readonly freshMs: number;
  /** For how long a value goes on serving while the database is away. */
  readonly keptMs: number;
}

/** How long a request waits to have a remembered value confirmed, before it goes on with what is remembered. */
const PATIENCE_MS = 300;
/** How long the others do not even ask after that. */
const RESPITE_MS = 1_000;

interface Entry<V> {
  readonly value: V;
  freshUntil: number;
  readonly keptUntil: number;
}

/**
 * Makes a memory over `load`. Only what exists is remembered, so a record made elsewhere counts at once. What `forget` was called for while it was being
 * loaded is not kept: the row may have been read before the change. Time is measured by the monotonic clock, so that a jump of the wall clock keeps
 * nothing alive.
 */
export function createProofCache<V extends object>(
  load: (id: string) => Promise<V | null>,
  { max, freshMs, keptMs }: ProofCacheOptions,
): ProofCache<V> {
  const entries = new LRUCache<string, Entry<V>>({ max });
  const loading = new Map<string, Promise<V | null>>();

  function ask(id: string): Promise<V | null> {
    const underway = loading.get(id);
    if (underway) return underway;
    const asked = load(id).then(
      (value) => {
        if (loading.get(id) !== asked) return value;
        loading.delete(id);
        const now = performance.now();
        if (value === null) entries.delete(id);
        else entries.set(id, { value, freshUntil: now + freshMs, keptUntil: now + keptMs });
        return value;
      },
      (error) => {
        if (loading.get(id) === asked) loading.delete(id);
        throw error;
      },
    );
    loading.set(id, asked);
    return asked;
  }

  async function confirm(id: string, entry: Entry<V>): Promise<V | null> {
    const asked = ask(id);
    try {
      const answer = await within(asked, PATIENCE_MS);
      if (answer !== LATE) return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (entries.peek(id) !== entry) throw error;
    }
    if (entries.peek(id) !== entry) return asked;
    entry.freshUntil = performance.now() + RESPITE_MS;
    return entry.value;
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (!entry) return ask(id);
      const now = performance.now();
      if (now < entry.freshUntil) return entry.value;
      return now < entry.keptUntil ? confirm(id, entry) : ask(id);
    },
    forget(id) {
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
