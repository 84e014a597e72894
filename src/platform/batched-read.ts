import { Refusal } from '../core/errors.ts';
import type { Statement } from './query.ts';
import type { TickBatch } from './tick-batch.ts';

/** The most keys per statement. */
const AT_ONCE = 256;

/** The parts of a key. Their number is the same for every read of a statement. */
export type Key = readonly string[];

interface Waiting {
  readonly key: Key;
  readonly row: Promise<unknown>;
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

type Rows = (statement: Statement, parameters: readonly unknown[]) => Promise<unknown[]>;

/**
 * Reads single rows by key. Reads of one tickBatch of the event loop share a statement, and equal keys share a row. The
 * statement starts after the call, so it sees all rows committed before the call.
 */
export function createBatchedRead(
  rows: Rows,
  tickBatch: TickBatch,
): (statement: Statement, key: Key) => Promise<unknown> {
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
      // A faulty key must not fail the others: read each key separately.
      if (batch.length > 1 && !(error instanceof Refusal)) for (const one of batch) void read(statement, [one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return (statement, key) => {
    let batch = waiting.get(statement);
    if (!batch) {
      batch = new Map();
      waiting.set(statement, batch);
      tickBatch.atEnd(() => flush(statement));
    }
    const name = key.join('\0');
    const current = batch.get(name);
    if (current) return current.row;
    const { promise: row, resolve, reject } = Promise.withResolvers<unknown>();
    batch.set(name, { key, row, resolve, reject });
    return row;
  };
}

/** The keys as parameters of the statement: one list per part. */
function columnsOf(batch: readonly Waiting[]): string[][] {
  const [first] = batch;
  return first!.key.map((_, part) => batch.map(({ key }) => key[part] as string));
}
