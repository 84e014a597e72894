import { Refusal } from '../core/errors.ts';
import type { Statement } from './query.ts';
import type { TickBatch } from './tick-batch.ts';

/** What one statement reads at most. */
const AT_ONCE = 256;

/** A key: the same number of texts for every read of a statement. */
export type Key = readonly string[];

interface Waiting {
  readonly key: Key;
  readonly row: Promise<unknown>;
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

type Rows = (statement: Statement, parameters: readonly unknown[]) => Promise<unknown[]>;

/**
 * Reads single rows by key, those that are asked for in one turn of the event loop in one statement, and each of them once. Each read begins after it was
 * asked for, so that it sees all that was committed by then.
 */
export function createBatchedRead(rows: Rows, turn: TickBatch): (statement: Statement, key: Key) => Promise<unknown> {
  const waiting = new Map<Statement, Map<string, Waiting>>();

  function flush(statement: Statement): void {
    const all = [...(waiting.get(statement) as Map<string, Waiting>).values()];
    waiting.delete(statement);
    for (let from = 0; from < all.length; from += AT_ONCE) void read(statement, all.slice(from, from + AT_ONCE));
  }

  async function read(statement: Statement, batch: readonly Waiting[]): Promise<void> {
    try {
      const found = (await rows(statement, columnsOf(batch))) as { readonly n: number }[];
      const byPlace: unknown[] = [];
      for (const row of found) byPlace[row.n - 1] = row;
      for (let i = 0; i < batch.length; i++) batch[i]!.resolve(byPlace[i] ?? null);
    } catch (error) {
      // What is wrong with one key is nobody else's fault: each is asked for by itself.
      if (batch.length > 1 && !(error instanceof Refusal)) for (const one of batch) void read(statement, [one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return (statement, key) => {
    let batch = waiting.get(statement);
    if (!batch) {
      batch = new Map();
      waiting.set(statement, batch);
      turn.atEnd(() => flush(statement));
    }
    const name = key.join('\0');
    const asked = batch.get(name);
    if (asked) return asked.row;
    const { promise: row, resolve, reject } = Promise.withResolvers<unknown>();
    batch.set(name, { key, row, resolve, reject });
    return row;
  };
}

/** The keys as the statement takes them: one list for each part. */
function columnsOf(batch: readonly Waiting[]): string[][] {
  const [first] = batch;
  return first!.key.map((_, part) => batch.map(({ key }) => key[part] as string));
}
