import { LRUCache } from 'lru-cache';

/** When records of one kind were last used, by id. Noting a use costs no statement. */
export interface LastUses {
  /** Notes a use. Times in epoch milliseconds. */
  note(id: string, at: number): void;
  /** Writes what is due, in one statement. Rejects if that fails; nothing is lost then. */
  write(): Promise<void>;
}

/** The uses that one statement writes. */
export interface Uses {
  readonly ids: readonly string[];
  readonly times: readonly number[];
}

/** A record is written at most once in this time. */
const USE_WRITTEN_EVERY_MS = 60_000;
const REMEMBERED = 50_000;
const AT_ONCE = 2_000;

/**
 * Creates the notes of one kind of records.
 *
 * @param store writes the uses; must not move a time back
 */
export function createLastUses(store: (uses: Uses) => Promise<unknown>): LastUses {
  const noted = new Map<string, number>();
  const written = new LRUCache<string, number>({ max: REMEMBERED });
  const isDue = ([id, at]: readonly [string, number]) =>
    Math.abs(at - (written.get(id) ?? Number.NEGATIVE_INFINITY)) >= USE_WRITTEN_EVERY_MS;
  return {
    note(id, at) {
      if (noted.size < REMEMBERED || noted.has(id)) noted.set(id, at);
    },
    async write() {
      const due = [...noted].filter(isDue).slice(0, AT_ONCE);
      if (due.length === 0) return;
      await store({ ids: due.map(([id]) => id), times: due.map(([, at]) => at) });
      for (const [id, at] of due) {
        written.set(id, at);
        // A use that was noted meanwhile waits for its turn.
        if (noted.get(id) === at) noted.delete(id);
      }
    },
  };
}
