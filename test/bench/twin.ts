/**
 * The bare twin: the minimum that answers each path of the bench with the same bytes. Plain `node:http`, a `pg` pool
 * and prepared statements on the same tables; no keys, checks, schema or prices from rules. Listens on `PORT` and uses
 * `DATABASE_URL`.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

interface Item {
  id: string;
  sku: string;
  name: string;
  cents: number;
}
interface Row {
  id: string;
  total: number;
  currency: string;
  lines: { label: string; priceCents: number }[];
  created: number;
  brand: string;
  status: string;
}

const ITEMS = {
  name: 'items',
  text: 'select id, sku, name, price_usd_cents as cents from inventory_items where merchant = $1 and sku = any($2)',
};
const MERCHANT = {
  name: 'merchant',
  text: 'select m.name, s.address from merchants m join splits s on s.merchant = m.wallet where m.wallet = $1',
};
const INSERT_RECEIPT = {
  name: 'insert-receipt',
  text: `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, brand_name, created_at, updated_at)
         values ($1, $2, 'order', 'generated', 'generated', $3, 'USD', $4, $5, $6, $6)`,
};
const INSERT_HISTORY = {
  name: 'insert-history',
  text: `insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at) values ($1, $2, 1, 'status', 'generated', 'twin', $3)`,
};
const COLUMNS =
  'id, total_cents as total, currency, line_items as lines, created_at as created, brand_name as brand, status';
const STATUS = {
  name: 'status',
  text: 'select id, status, transaction_hash as hash, total_cents as total from receipts where merchant = $1 and id = $2',
};
const RECEIPT = { name: 'receipt', text: `select ${COLUMNS} from receipts where merchant = $1 and id = $2` };
const NEWEST = {
  name: 'newest',
  text: `select ${COLUMNS} from receipts where merchant = $1 order by created_at desc, id desc limit $2`,
};

const shown = (row: Row) => ({
  receiptId: row.id,
  totalUsd: row.total / 100,
  currency: row.currency,
  lineItems: row.lines.map(({ label, priceCents }) => ({ label, priceUsd: priceCents / 100 })),
  createdAt: row.created,
  brandName: row.brand,
  status: row.status,
});

/** What the server's answer to an order contains beside the rows. */
const TAX_RATE = 0.0725;
const FEE_RATE = 0.005;
const WEEK_MS = 604_800_000;
const THUMB =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5IDkiPjxwYXRoIGZpbGw9IiNlN2U5ZWUiIGQ9Ik0wIDBoOXY5SDB6Ii8+PHRleHQgeD0iNC41IiB5PSI2LjEiIGZvbnQtc2l6ZT0iNC41IiB0ZXh0LWFuY2hvcj0ibWlkZGxlIiBmaWxsPSIjNGI1MjYzIj5JPC90ZXh0Pjwvc3ZnPg==';

const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const TOKEN_HEADER = json64({ alg: 'HS256', typ: 'JWT' });

function checkoutToken(merchant: string, id: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const claims = { sub: id, merchant, about: 'receipt', aud: 'page', iat, exp: iat + 172_800 };
  const signed = `${TOKEN_HEADER}.${json64(claims)}`;
  return `${signed}.${createHmac('sha256', 'a secret of the twin').update(signed).digest('base64url')}`;
}

async function order(merchant: string, body: { items: { sku: string; qty: number }[] }) {
  const items = await pool.query<Item>({ ...ITEMS, values: [merchant, body.items.map(({ sku }) => sku)] });
  const shop = await pool.query<{ name: string }>({ ...MERCHANT, values: [merchant] });
  const bySku = new Map(items.rows.map((item) => [item.sku, item]));
  const lines = body.items.map(({ sku, qty }) => {
    const item = bySku.get(sku) as Item;
    return { label: item.name, priceCents: item.cents * qty, qty, itemId: item.id, sku };
  });
  const goods = lines.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const fee = Math.round((goods + Math.round(goods * TAX_RATE)) * FEE_RATE);
  const extra = [
    { label: 'Tax', priceCents: Math.round(goods * TAX_RATE) },
    { label: 'Processing Fee', priceCents: fee },
  ];
  const allLines = [...lines, ...extra];
  const total = allLines.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const id = `R-${randomUUID()}`;
  const now = Date.now();
  const name = shop.rows[0]?.name as string;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...INSERT_RECEIPT, values: [merchant, id, total, JSON.stringify(allLines), name, now] });
    await client.query({ ...INSERT_HISTORY, values: [merchant, id, now] });
    await client.query('commit');
  } finally {
    client.release();
  }
  return {
    ok: true,
    receipt: {
      receiptId: id,
      totalUsd: total / 100,
      currency: 'USD',
      createdAt: now,
      brandName: name,
      status: 'generated',
      jurisdictionCode: 'US-CA',
      taxRate: TAX_RATE,
      taxComponents: ['state'],
      lineItems: [
        ...lines.map(({ label, priceCents, qty, itemId, sku }) => {
          return { label, priceUsd: priceCents / 100, qty, thumb: THUMB, itemId, sku };
        }),
        ...extra.map(({ label, priceCents }) => ({ label, priceUsd: priceCents / 100 })),
      ],
    },
    paymentUrl: `http://127.0.0.1/portal/${id}?recipient=${merchant}`,
    checkoutToken: checkoutToken(merchant, id, now),
    expiresAt: now + WEEK_MS,
  };
}

async function status(merchant: string, id: string) {
  const { rows } = await pool.query({ ...STATUS, values: [merchant, id] });
  const [row] = rows;
  return { id: row.id, status: row.status, transactionHash: row.hash, currency: 'USDC', amount: row.total / 100 };
}

async function newest(merchant: string, limit: number) {
  const { rows } = await pool.query<Row>({ ...NEWEST, values: [merchant, limit] });
  const last = rows.at(-1)!;
  const nextCursor = Buffer.from(JSON.stringify([last.created, last.id])).toString('base64url');
  return { receipts: rows.map(shown), nextCursor };
}

async function receipt(merchant: string, body: { variables: { id: string } }) {
  const { rows } = await pool.query<Row>({ ...RECEIPT, values: [merchant, body.variables.id] });
  return { data: { receipt: shown(rows[0] as Row) } };
}

function answer(response: ServerResponse, body: unknown): void {
  const json = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
}

function readBody(request: IncomingMessage): Promise<never> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => resolve(JSON.parse(text) as never));
    request.on('error', reject);
  });
}

createServer(async (request, response) => {
  try {
    const url = new URL(request.url as string, 'http://twin');
    const merchant = url.searchParams.get('merchant') as string;
    if (url.pathname === '/orders') answer(response, await order(merchant, await readBody(request)));
    else if (url.pathname === '/status') answer(response, await status(merchant, url.searchParams.get('id') as string));
    else if (url.pathname === '/receipts') answer(response, await newest(merchant, 100));
    else if (url.pathname === '/receipt') answer(response, await receipt(merchant, await readBody(request)));
    else answer(response, {});
  } catch (error) {
    response.writeHead(500, { 'content-length': 0 }).end();
    process.stderr.write(`${(error as Error).stack}\n`);
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
