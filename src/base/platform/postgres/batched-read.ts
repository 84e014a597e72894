import { Refusal } from '../../core/errors.ts';
import type { Statement } from './query.ts';
import type { TickBatch } from './tick-batch.ts';

/** The most keys per statement. */
const AT_ONCE = 256;

/** The parts of a key. Their number is the same for every read of a statement. */
export type Key = readonly string[];

/** The most running statements of a kind. Keys that are requested meanwhile share the next one. */
const RUNNING = 2;

/** The reads of one kind of statement. */
interface Queue {
  waiting: Map<string, Waiting>;
  running: number;
  scheduled: boolean;
}

interface Waiting {
  readonly key: Key;
  readonly row: Promise<unknown>;
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

type Rows = (statement: Statement, parameters: readonly unknown[]) => Promise<unknown[]>;

/**
 * Reads single rows by key. Reads of one turn of the event loop share a statement, and so do those that arrive while
 * earlier ones run. Equal keys share a row. The statement starts after the call, so it sees all rows committed before
 * the call.
 */
export function createBatchedRead(
  rows: Rows,
  tickBatch: TickBatch,
): (statement: Statement, key: Key) => Promise<unknown> {
  const queues = new Map<Statement, Queue>();

  function flush(statement: Statement, queue: Queue): void {
    queue.scheduled = false;
    if (queue.running >= RUNNING || queue.waiting.size === 0) return;
    const all = [...queue.waiting.values()];
    queue.waiting = new Map();
    for (let from = 0; from < all.length; from += AT_ONCE) void run(statement, queue, all.slice(from, from + AT_ONCE));
  }

  async function run(statement: Statement, queue: Queue, batch: readonly Waiting[]): Promise<void> {
    queue.running += 1;
    await read(statement, batch);
    queue.running -= 1;
    flush(statement, queue);
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
    const queue = queues.get(statement) ?? { waiting: new Map(), running: 0, scheduled: false };
    queues.set(statement, queue);
    if (!queue.scheduled && queue.running < RUNNING) {
      queue.scheduled = true;
      tickBatch.atEnd(() => flush(statement, queue));
    }
    const name = key.length === 1 ? (key[0] as string) : key.join('\0');
    const current = queue.waiting.get(name);
    if (current) return current.row;
    const { promise: row, resolve, reject } = Promise.withResolvers<unknown>();
    queue.waiting.set(name, { key, row, resolve, reject });
    return row;
  };
}

/** The keys as parameters of the statement: one list per part. */
function columnsOf(batch: readonly Waiting[]): string[][] {
  const [first] = batch;
  return first!.key.map((_, part) => batch.map(({ key }) => key[part] as string));
}
