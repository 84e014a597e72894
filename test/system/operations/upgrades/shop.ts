import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { limitsOf } from '../../../../src/base/platform/postgres/connection-limits.ts';
import { until } from '../../../support/program.ts';
import { type GrowingTables, readGrowingTables, SHOP } from './rows.ts';

/** The numbers of the orders begin here, far behind those of the receipts that are there before. */
const FIRST_ORDER = 1_000_000_000;
/** A person at a till, not a benchmark: the migrations have the machine, too. */
const PAUSE_MS = 20;

/** What an order changes beside the rows that it adds: an earlier receipt is paid. `$1` is its number. */
const CHANGES: Readonly<Record<string, string>> = {
  receipts: `update receipts set status = 'paid', updated_at = updated_at + 1
    where merchant = '${SHOP}' and id = 'receipt-' || $1::bigint`,
  settlement_shares: `update settlement_shares set owed = coalesce(owed, 0) + 1
    where merchant = '${SHOP}' and receipt_id = 'receipt-' || $1::bigint`,
  submitted_transactions: `update submitted_transactions set closed_at = 1
    where merchant = '${SHOP}' and receipt_id = 'receipt-' || $1::bigint`,
  inventory_items: `update inventory_items set stock_qty = stock_qty - 1
    where merchant = '${SHOP}' and id = 'item-' || $1::bigint / 10`,
  users: "update users set last_seen = 1 where wallet = 'user-' || $1::bigint / 10",
};
const HISTORY = `insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
  select '${SHOP}', 'receipt-' || $1::bigint, $2::int, 'status', 'paid', 'shop', 1`;
const READ = `select merchant, id, status, line_items, created_at from receipts
  where merchant = '${SHOP}' and id = 'receipt-' || $1::bigint`;

interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Sends a statement, and resolves to its rows. */
type Send = (statement: Statement, values?: readonly number[]) => Promise<readonly unknown[]>;

/** How long something of the shop took while a step ran, in milliseconds. */
export interface Took {
  /** The migration that ran. Null: none. */
  readonly during: string | null;
  readonly ms: number;
  /** The statement that took longest. */
  readonly longest: { readonly name: string; readonly ms: number };
}

/** Orders at tables of any version. */
export interface Shop {
  /** The numbers of the orders whose commit was acknowledged. */
  readonly placed: readonly number[];
  readonly orders: readonly Took[];
  readonly reads: readonly Took[];
  /** Each with the migration that ran. */
  readonly faults: readonly string[];
  /** The migration that runs from now on. */
  during(migration: string | null): void;
  /** From now on the shop writes the tables as they are now. Before, it kept to what they were. */
  adapt(): Promise<void>;
  /** Forgets how long orders and reads took until now. */
  forget(): void;
  /** Waits until this many more orders are placed, and a read is done. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Places orders, one after the other on each of two connections, as a server does that knows the tables as they were
 * when it started: a receipt with its rows in the other tables, and the payment of an earlier one, in one transaction
 * under the time limit that the server has with this URL. A third connection reads receipts by their keys.
 *
 * @param receipts the number of receipts that are there already
 */
export async function openShop(databaseUrl: string, receipts: number): Promise<Shop> {
  const limit = { statement_timeout: limitsOf(databaseUrl).statementMs };
  const clients = [0, 1, 2].map(() => new pg.Client({ connectionString: databaseUrl, ...limit }));
  await Promise.all(clients.map((client) => client.connect()));
  const placed: number[] = [];
  const orders: Took[] = [];
  const reads: Took[] = [];
  const faults: string[] = [];
  let during: string | null = null;
  /** The migrations that began, in their order. */
  const begunMigrations: string[] = [];
  let running = true;
  let next = FIRST_ORDER;
  /** The names of prepared statements, by their texts: their plans outlive a change of the tables, as the server's. */
  const prepared = new Map<string, string>();
  let added: readonly Statement[] = [];
  let changes: readonly Statement[] = [];

  function use(tables: GrowingTables): void {
    added = tables.perOrder.map((name) => ({ name: `insert ${name}`, text: tables.insert(name) }));
    changes = tables.names
      .filter((name) => name in CHANGES)
      .map((name) => ({ name: `update ${name}`, text: CHANGES[name] as string }));
  }
  const earlier = () => 1 + Math.floor(Math.random() * receipts);

  async function placeOrder(client: pg.Client, send: Send): Promise<void> {
    const order = next++;
    const paid = earlier();
    const [inserts, updates] = [added, changes];
    try {
      await send({ name: 'begin', text: 'begin' });
      for (const statement of inserts) await send(statement, [order, order]);
      for (const statement of updates) await send(statement, [paid]);
      await send({ name: 'insert history', text: HISTORY }, [paid, order]);
      await send({ name: 'commit', text: 'commit' });
      placed.push(order);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  }

  async function readReceipt(_client: pg.Client, send: Send): Promise<void> {
    const number = earlier();
    const rows = await send({ name: 'read', text: READ }, [number]);
    if (rows.length !== 1) throw new Error(`receipt-${number} is not there`);
  }

  /** Does something again and again, and notes how long it took and the migration that ran beside it. */
  async function repeat(client: pg.Client, work: typeof placeOrder, took: Took[]): Promise<void> {
    while (running) {
      let longest = { name: 'nothing', ms: 0 };
      const send: Send = async ({ name, text }, values) => {
        const begun = performance.now();
        try {
          if (!prepared.has(text)) prepared.set(text, `${name} ${prepared.size}`);
          const statement = values ? { name: prepared.get(text), text, values: [...values] } : { text };
          return (await client.query(statement)).rows;
        } catch (error) {
          throw new Error(`${name}: ${(error as Error).message}`);
        } finally {
          const ms = performance.now() - begun;
          if (ms > longest.ms) longest = { name, ms };
        }
      };
      const [begun, before, count] = [performance.now(), during, begunMigrations.length];
      const beside = () => before ?? begunMigrations[count] ?? null;
      try {
        await work(client, send);
      } catch (error) {
        faults.push(`${beside() ?? 'no migration'}: ${(error as Error).message}`);
      }
      took.push({ during: beside(), ms: performance.now() - begun, longest });
      await pause(PAUSE_MS);
    }
  }

  use(await readGrowingTables(clients[0] as pg.Client));
  const loops = clients.map((client, i) =>
    i < 2 ? repeat(client, placeOrder, orders) : repeat(client, readReceipt, reads),
  );
  const observer = new pg.Client({ connectionString: databaseUrl });
  await observer.connect();
  return {
    ...{ placed, orders, reads, faults },
    during: (migration) => {
      during = migration;
      if (migration !== null) begunMigrations.push(migration);
    },
    forget() {
      orders.length = 0;
      reads.length = 0;
    },
    adapt: async () => use(await readGrowingTables(observer)),
    async more(count) {
      const [goal, read] = [orders.length + count, reads.length];
      await until(() => orders.length >= goal && reads.length > read, { timeoutMs: 180_000 });
    },
    async stop() {
      running = false;
      await Promise.all(loops);
      await Promise.all([...clients, observer].map((client) => client.end()));
    },
  };
}
