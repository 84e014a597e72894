import type { Ground, Shop } from './ground.ts';
import { receiptId, SKUS } from './ground.ts';
import { get, post } from './load.ts';

/** One path that is measured: how it is asked for at the server and at its bare twin. */
export interface Path {
  readonly name: string;
  /** The least ratio to the twin that is good enough. */
  readonly goal: number;
  readonly connections: number;
  /** Requests to the server, one after the other. */
  readonly server: (shop: Shop) => () => Buffer;
  readonly twin: (shop: Shop) => () => Buffer;
  /** What happens meanwhile, before each request. */
  readonly between?: (ground: Ground, shop: Shop) => () => void;
}

const auth = ({ key }: Shop) => ({ 'ocp-apim-subscription-key': key });

/** Always the same request. */
const same = (request: Buffer) => () => request;

/** A request for any receipt of the shop. */
function anyReceipt(shop: Shop, request: (id: string) => Buffer): () => Buffer {
  return () => request(receiptId(1 + Math.floor(Math.random() * shop.receipts)));
}

const order = { items: SKUS.map((sku, i) => ({ sku, qty: i + 1 })), jurisdictionCode: 'US-CA' };

const QUERY = `query Receipt($id: ID!) {
  receipt(receiptId: $id) { receiptId totalUsd currency lineItems { label priceUsd } createdAt brandName status }
}`;

const CHANGE = {
  name: 'bench-change',
  text: `with changed as (
    update receipts set seq = seq + 1, updated_at = updated_at + 1 where merchant = $1 and id = $2 returning merchant, id, seq, updated_at)
  insert into receipt_history (merchant, receipt_id, seq, kind, status, name, actor, at)
  select merchant, id, seq, 'tracking', 'generated', 'link_opened', 'bench', updated_at from changed`,
};

/** Changes one of the newest hundred receipts before every tenth read. */
function everyTenth({ db }: Ground, shop: Shop): () => void {
  let reads = 0;
  let changed: Promise<unknown> = Promise.resolve();
  return () => {
    if (++reads % 10 > 0) return;
    const id = receiptId(shop.receipts - Math.floor(Math.random() * 100));
    changed = changed.then(() => db.query({ ...CHANGE, values: [shop.wallet, id] }));
  };
}

export const STATUS: Path = {
  name: 'GET /api/receipts/status',
  goal: 1.0,
  connections: 32,
  server: (shop) => anyReceipt(shop, (id) => get(`/api/receipts/status?receiptId=${id}`, auth(shop))),
  twin: (shop) => anyReceipt(shop, (id) => get(`/status?merchant=${shop.wallet}&id=${id}`)),
};

export const LIST: Path = {
  name: 'GET /api/receipts?limit=100',
  goal: 0.8,
  connections: 16,
  server: (shop) => same(get('/api/receipts?limit=100', auth(shop))),
  twin: (shop) => same(get(`/receipts?merchant=${shop.wallet}`)),
  between: everyTenth,
};

export const GRAPHQL: Path = {
  name: 'GraphQL receipt by id',
  goal: 0.6,
  connections: 32,
  server: (shop) => anyReceipt(shop, (id) => post('/api/graphql', { query: QUERY, variables: { id } }, auth(shop))),
  twin: (shop) => anyReceipt(shop, (id) => post(`/receipt?merchant=${shop.wallet}`, { variables: { id } })),
};

export const ORDER: Path = {
  name: 'POST /api/orders, 3 items',
  goal: 0.8,
  connections: 32,
  server: (shop) => same(post('/api/orders', order, auth(shop))),
  twin: (shop) => same(post(`/orders?merchant=${shop.wallet}`, order)),
};

/** Orders come last: they make the shop's list longer. */
export const PATHS: readonly Path[] = [STATUS, LIST, GRAPHQL, ORDER];
