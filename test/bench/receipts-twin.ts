/**
 * The bare twin of reading receipts: plain `node:http` and a `pg` pool with the very statements of the server's pages,
 * prepared, and a loop over the table for exports. `STATEMENTS` has the statements of each page.
 */
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}
const statements = JSON.parse(process.env.STATEMENTS as string) as Record<string, readonly Statement[]>;

interface Row {
  readonly id: string;
  readonly totalCents: number;
  readonly currency: string;
  readonly lineItems: { label: string; priceCents: number; qty?: number; itemId?: string; sku?: string }[];
  readonly createdAt: number;
  readonly brandName: string;
  readonly status: string;
}

async function page(name: string) {
  let rows: Row[] = [];
  for (const statement of statements[name] as readonly Statement[]) rows = (await pool.query<Row>(statement)).rows;
  return {
    receipts: rows.map((row) => ({
      receiptId: row.id,
      totalUsd: row.totalCents / 100,
      currency: row.currency,
      lineItems: row.lineItems.map(({ priceCents, ...line }) => ({ ...line, priceUsd: priceCents / 100 })),
      createdAt: row.createdAt,
      brandName: row.brandName,
      status: row.status,
    })),
  };
}

const EXPORT = {
  name: 'export',
  text: `select id, transaction_id, created_at, closed_at, updated_at, expires_at, status, origin, currency, total_cents,
      refunded_cents, accepted_usd, jurisdiction_code, tax_rate, paid_amount, paid_token, transaction_hash,
      transaction_timestamp, buyer_wallet, billing_address->>'email' as email
    from receipts where merchant = $1 and (created_at, id) > ($2, $3) order by created_at, id limit 1000`,
};

async function send(merchant: string, response: ServerResponse): Promise<void> {
  let after: unknown[] = [0, ''];
  response.write('columns\n');
  for (;;) {
    const { rows } = await pool.query({ ...EXPORT, values: [merchant, ...after] });
    const text = rows.map((row) => `${Object.values(row).join(',')}\n`).join('');
    if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve));
    if (rows.length < 1_000) break;
    const last = rows.at(-1);
    after = [last.created_at, last.id];
  }
  response.end();
}

createServer(async (request, response) => {
  try {
    const { pathname, searchParams } = new URL(request.url as string, 'http://twin');
    if (pathname === '/export') return await send(searchParams.get('merchant') as string, response);
    const json = JSON.stringify(pathname === '/page' ? await page(searchParams.get('name') as string) : {});
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
    response.end(json);
  } catch (error) {
    response.writeHead(500, { 'content-length': 0 }).end();
    process.stderr.write(`${(error as Error).stack}\n`);
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
