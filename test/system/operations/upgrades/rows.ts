import type pg from 'pg';

/** The merchant of all rows. */
export const SHOP = `0x${'5'.repeat(40)}`;

/** SQL of the number `i` of a row, by column. */
type Values = Readonly<Record<string, string>>;

/** A table that grows with the shop. */
interface GrowingTable {
  /** Its rows for each receipt. */
  readonly share: number;
  /** Whether an order adds a row to it. */
  readonly perOrder?: boolean;
  readonly values?: Values;
  /** Columns that no version writes which runs when they are dropped. */
  readonly without?: readonly string[];
}

const pick = (...words: readonly string[]) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + i % ${words.length}]`;
const picture = (prefix: string) =>
  `case when i % 10 = 0 then 'data:image/png;base64,' || encode(convert_to('${prefix} ' || i, 'UTF8'), 'base64')
        when i % 99 = 0 then 'data:image/png;base64,A' else '' end`;

/** What a column holds in each table that does not say otherwise. */
const COMMON: Values = {
  ...{ merchant: `'${SHOP}'`, id: "'receipt-' || i", receipt_id: "'receipt-' || i", seq: '1', chain_id: '8453' },
  ...{ token: "'USDC'", currency: "'USD'", transaction_hash: "'0x' || to_hex(i)", amount: 'i', state: "'open'" },
  created_chain_id: '8453',
  payment_chain_id: '8453',
};

/** A value of each type for the other columns. Whole numbers are times, one second after the other. */
const BY_TYPE: Values = {
  ...{ text: "'text ' || i", int4: '1', int8: '1700000000000 + i * 1000', numeric: 'i', float8: 'i', bool: 'false' },
  ...{
    json: "'{}'",
    jsonb: "'{}'",
    _text: "array['one', 'two']",
    _int4: 'array[1, 2]',
    _int8: 'array[1, 2]',
    bytea: "'\\x00'",
  },
};

/** The tables that grow, in the order in which an order writes them. Each receipt comes with its rows in the others. */
const TABLES: Readonly<Record<string, GrowingTable>> = {
  receipts: {
    share: 1,
    perOrder: true,
    values: {
      status: pick('generated', 'link_opened', 'pending', 'tx_mined', 'paid', 'completed', 'refunded', 'failed'),
      line_items: `'[{"label": "Coffee", "priceCents": 350, "qty": 1}, {"label": "Cake", "priceCents": 450}]'`,
      ...{ total_cents: '800', closed_at: 'null', expires_at: 'null', onramp_session_id: 'null' },
      transaction_hash: "case when i % 8 > 2 then '0x' || to_hex(i) end",
      created_block: 'case when i % 9 > 0 then i end',
    },
  },
  receipt_history: { share: 1, perOrder: true, values: { kind: "'status'", status: "'generated'" } },
  quotes: {
    share: 1,
    perOrder: true,
    values: { usd: "'8'", reserved_until: 'case when i % 2 = 0 then 1700000000000 + i end' },
    without: ['seen_from'],
  },
  submitted_transactions: {
    share: 1,
    perOrder: true,
    values: { closed_at: 'case when i % 20 > 0 then 1700000000000 + i end' },
  },
  transfers: {
    share: 1,
    perOrder: true,
    values: {
      canonical: 'true',
      confirmed_at: 'case when i % 500 > 0 then 1700000000000 + i end',
      receipt_id: "case when i % 50 > 0 then 'receipt-' || i end",
      unmatched_reason: "case when i % 50 = 0 then 'error' end",
    },
  },
  settlement_shares: {
    share: 1,
    perOrder: true,
    values: {
      ...{ split: "'0xsplit'", payee: "'0xpayee'" },
      owed: 'case when i % 4 > 0 then i end',
      settled_at: 'case when i % 5 > 0 then 1700000000000 + i end',
      due_since: 'null',
    },
  },
  webhook_deliveries: { share: 1, perOrder: true, values: { event_id: "'event-' || i", body: "repeat('{}', 100)" } },
  webhook_attempts: { share: 1, perOrder: true, values: { delivery_id: "'receipt-' || i", number: '1' } },
  counted_receipts: { share: 1, perOrder: true },
  onramp_sessions: {
    share: 0.1,
    perOrder: true,
    values: { status: pick('fulfillment_processing', 'requires_payment', 'fulfillment_complete') },
  },
  refunds: { share: 0.1, perOrder: true, values: { proven_cents: 'i % 3 * 100' } },
  refund_transfers: { share: 0.1, perOrder: true, values: { log_index: '0' } },
  subscription_events: { share: 0.1, perOrder: true },
  spender_transactions: { share: 0.1, perOrder: true, values: { nonce: 'i', purpose: pick('charge', 'deploy_split') } },
  sessions: { share: 0.1, perOrder: true },
  users: { share: 0.1, values: { wallet: "'user-' || i", pfp_url: picture('user') } },
  inventory_items: { share: 0.1, values: { id: "'item-' || i", sku: "'sku-' || i", thumb: picture('item') } },
  merchants: { share: 0.01, values: { wallet: "'0x' || i" } },
  splits: {
    share: 0.01,
    values: { merchant: "'0x' || i", address: "'0x' || i", verified: 'true', replaced_at: 'null' },
  },
  api_keys: { share: 0.01, values: { id: "'key-' || i", digest: "'digest-' || i" } },
  // One row: the migration to several chains finds one.
  chain_cursors: { share: 1e-9 },
  receipt_days: { share: 0.01, values: { day: '(i % 20000)::int', status: "i || ''" } },
};

/** The rows that one statement inserts. */
const BATCH = 20_000;

/**
 * The tables that grow as they are at the moment. A database of an earlier version has fewer of them, with fewer
 * columns. Every column is written, except those that the database fills.
 */
export interface GrowingTables {
  readonly names: readonly string[];
  /** Inserts the rows with the numbers from `$1` to `$2` into one of them. */
  insert(table: string): string;
  /** Those that an order writes. */
  readonly perOrder: readonly string[];
}

const COLUMNS = `select table_name as table, json_agg(json_build_object('name', column_name, 'type', udt_name)
    order by ordinal_position) as columns
  from information_schema.columns
 where table_schema = 'public' and is_identity = 'NO' and coalesce(column_default, '') !~ '[(]' and column_name <> 'txid'
 group by table_name`;

interface Columns {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Reads what the tables are at the moment. */
export async function readGrowingTables(client: pg.Client): Promise<GrowingTables> {
  const { rows } = await client.query<Columns>(COLUMNS);
  const found = new Map(rows.map(({ table, columns }) => [table, columns]));
  const names = Object.keys(TABLES).filter((table) => found.has(table));
  return {
    names,
    perOrder: names.filter((table) => TABLES[table]?.perOrder),
    insert(table) {
      const { values = {}, without = [] } = TABLES[table] as GrowingTable;
      const columns = (found.get(table) ?? []).filter(({ name }) => !without.includes(name));
      const value = ({ name, type }: Columns['columns'][number]) => values[name] ?? COMMON[name] ?? BY_TYPE[type];
      return `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
        select ${columns.map(value).join(', ')} from generate_series($1::bigint, $2::bigint) i`;
    },
  };
}

/** Fills a table with the rows of this many receipts, in batches. */
export async function fillTable(
  client: pg.Client,
  tables: GrowingTables,
  table: string,
  receipts: number,
): Promise<void> {
  const rows = Math.ceil(receipts * (TABLES[table]?.share ?? 0));
  const insert = tables.insert(table);
  for (let from = 1; from <= rows; from += BATCH) await client.query(insert, [from, Math.min(from + BATCH - 1, rows)]);
  // As in a table that has grown for years. Otherwise an autovacuum holds it for the first minutes.
  await client.query(`vacuum analyze ${table}`);
}
