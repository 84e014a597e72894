import { Refusal } from '../../core/errors.ts';
import type { Query } from './query.ts';
import type { TickBatch } from './tick-batch.ts';

/** The parameters of a statement that writes many items: each is a list as JSON text. */
type ItemLists = Readonly<Record<string, string>>;

/** A statement that writes any number of items, and returns at most one row for each. */
export interface BatchedWrite<Item, Lists extends ItemLists, Row> extends Query<Lists, Row> {
  listsOf(items: readonly Item[]): Lists;
  /** The key of an item. A statement never gets two items with one key. */
  keyOf(item: Item): string;
  /** The key of the item that a row belongs to. */
  keyOfRow(row: Row): string;
}

/** Runs a statement for one item, and resolves with its row after the commit; null if there is none. */
export type Write = <Item, Lists extends ItemLists, Row>(
  statement: BatchedWrite<Item, Lists, Row>,
  item: Item,
) => Promise<Row | null>;

type Run = <Lists extends ItemLists, Row>(query: Query<Lists, Row>, lists: Lists) => Promise<Row[]>;
type AnyWrite = BatchedWrite<unknown, ItemLists, unknown>;

interface Waiting {
  readonly item: unknown;
  readonly key: string;
  resolve(row: unknown): void;
  reject(error: unknown): void;
}

/** The most items of a statement. */
const AT_ONCE = 100;
/**
 * The most running statements of a kind: one for each connection, which runs its statements one after the other. Items
 * that arrive meanwhile share the next one.
 */
const RUNNING = 3;

/**
 * Writes items in batches: those of one tick, and those that arrive while earlier batches run, share a statement and
 * its commit. If a statement fails, each of its items is written alone, so a faulty item fails no other.
 */
export function createBatchedWrite(run: Run, tickBatch: TickBatch): Write {
  const queues = new Map<AnyWrite, (item: unknown) => Promise<unknown>>();
  return ((statement: AnyWrite, item: unknown) => {
    const add = queues.get(statement) ?? createQueue(statement, run, tickBatch);
    queues.set(statement, add);
    return add(item);
  }) as Write;
}

function createQueue(statement: AnyWrite, run: Run, tickBatch: TickBatch): (item: unknown) => Promise<unknown> {
  let waiting: Waiting[] = [];
  let running = 0;
  let scheduled = false;

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await run(statement, statement.listsOf(batch.map(({ item }) => item)));
      const byKey = new Map(rows.map((row) => [statement.keyOfRow(row), row]));
      for (const { key, resolve } of batch) resolve(byKey.get(key) ?? null);
    } catch (error) {
      // A refusal says that the database is away, so the outcome of the statement is unknown.
      if (batch.length > 1 && !(error instanceof Refusal)) await Promise.all(batch.map((one) => write([one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  async function flush(): Promise<void> {
    scheduled = false;
    if (running >= RUNNING) return;
    running += 1;
    while (waiting.length > 0) {
      const [batch, rest] = distinct(waiting);
      waiting = rest;
      await write(batch);
    }
    running -= 1;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.push({ item, key: statement.keyOf(item), resolve, reject });
    if (!scheduled && running < RUNNING) {
      scheduled = true;
      tickBatch.atEnd(() => void flush());
    }
    return promise;
  };
}

/** The first items with distinct keys, and the others in their order. */
function distinct(items: readonly Waiting[]): [batch: Waiting[], rest: Waiting[]] {
  const keys = new Set<string>();
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const item of items) {
    if (keys.size >= AT_ONCE || keys.has(item.key)) rest.push(item);
    else {
      keys.add(item.key);
      batch.push(item);
    }
  }
  return [batch, rest];
}
