import pg from 'pg';
import { createDatabase, openSql } from '../../../../../test/support/database.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Db } from '../../../../base/platform/db.ts';

export const SHOP = `0x${'1'.repeat(40)}` as Wallet;
export const OTHER = `0x${'2'.repeat(40)}` as Wallet;

/** A database with two merchants, and what reads and writes it. */
export interface Shop {
  readonly databaseUrl: string;
  readonly db: Db;
  /** A connection of its own, for transactions that stay open. */
  connect(): Promise<pg.Client>;
  /** Runs plain SQL. */
  run<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const { databaseUrl, drop } = await createDatabase();
  const { db, close } = await openSql(databaseUrl);
  const open: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    open.push(client);
    return client;
  };
  const client = await connect();
  for (const wallet of [SHOP, OTHER])
    await client.query(
      "insert into merchants (wallet, name, brand_key, shop, pricing, created_at, updated_at) values ($1, 'Shop', 'b', '{}', '{}', 0, 0)",
      [wallet],
    );
  return {
    databaseUrl,
    db,
    connect,
    run: async (text, values) => (await client.query(text, values as unknown[])).rows,
    async close() {
      await Promise.all(open.map((one) => one.end()));
      await close();
      await drop();
    },
  };
}

/** The columns of receipts that tests set; the others have plain values. */
const COLUMNS = 'merchant, id, origin, status, announced_status, total_cents, currency, line_items, brand_name';

/**
 * Inserts receipts `prefix1` to `prefix<count>`, created in this order, each with the first row of its history, in one
 * statement.
 */
export const insertReceipts = (
  client: Pick<pg.Client, 'query'> | { query: Shop['run'] },
  {
    merchant = SHOP,
    prefix,
    count = 1,
    at = 1_000,
  }: { merchant?: Wallet; prefix: string; count?: number; at?: number },
): Promise<unknown> =>
  (client.query as Shop['run'])(
    `with booked as (insert into receipts (${COLUMNS}, created_at, updated_at)
       select $1, $2 || n, 'order', 'generated', 'generated', n, 'USD', '[]', 'Shop', $4::bigint + n, $4::bigint + n
         from generate_series(1, $3::int) n returning merchant, id, created_at)
     insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
       select merchant, id, 1, 'status', 'generated', 'test', created_at from booked`,
    [merchant, prefix, count, at],
  );

/** Changes a receipt, with a row of its history. */
export async function changeReceipt(shop: Shop, id: string, set: string): Promise<void> {
  await shop.run(
    `with changed as (update receipts set seq = seq + 1, ${set} where merchant = $1 and id = $2 returning *)
     insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
       select merchant, id, seq, 'note', status, 'test', 5000 from changed`,
    [SHOP, id],
  );
}

/** The ids that the search knows, in order. */
export const indexedIds = async (shop: Shop, merchant: Wallet = SHOP): Promise<string[]> =>
  (await shop.run<{ id: string }>('select id from receipt_search where merchant = $1 order by id', [merchant])).map(
    ({ id }) => id,
  );

/** The entries of a receipt in the table of terms, in order. */
export const entriesIn = async (shop: Shop, id: string): Promise<string[]> =>
  (
    await shop.run<{ entry: string }>(
      'select entry from receipt_terms where merchant = $1 and receipt_id = $2 order by entry',
      [SHOP, id],
    )
  ).map(({ entry }) => entry);
