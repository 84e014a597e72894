import type { Environment, Shop } from './environment.ts';
import { receiptId, SKUS } from './environment.ts';
import { get, post } from './requests.ts';

/** One path: its requests to the server and to the bare twin. */
export interface Path {
  readonly name: string;
  /** The least ratio to the twin that is good enough. */
  readonly goal: number;
  readonly connections: number;
  /** Generates requests to the server. */
  readonly server: (shop: Shop) => () => Buffer;
  readonly twin: (shop: Shop) => () => Buffer;
  /** A change of the data, made once for every ten requests. */
  readonly change?: (environment: Environment, shop: Shop) => () => Promise<unknown>;
}

const auth = ({ key }: Shop) => ({ 'ocp-apim-subscription-key': key });

/** The same request each time. */
const same = (request: Buffer) => () => request;

/** Requests for random receipts of the shop. */
function anyReceipt(shop: Shop, request: (id: string) => Buffer): () => Buffer {
  return () => request(receiptId(1 + Math.floor(Math.random() * shop.receipts)));
}

const order = { items: SKUS.map((sku, i) => ({ sku, qty: i + 1 })), jurisdictionCode: 'US-CA' };

const FIELDS = 'receiptId totalUsd currency lineItems { label priceUsd } createdAt brandName status';
const QUERY = `query Receipt($id: ID!) { receipt(receiptId: $id) { ${FIELDS} } }`;
const literalQuery = (id: string) => `{ receipt(receiptId: "${id}") { ${FIELDS} } }`;

const CHANGE = {
  name: 'bench-change',
  text: `with changed as (
    update receipts set seq = seq + 1, updated_at = updated_at + 1 where merchant = $1 and id = $2 returning merchant, id, seq, updated_at)
  insert into receipt_history (merchant, receipt_id, seq, kind, status, name, actor, at)
  select merchant, id, seq, 'tracking', 'generated', 'link_opened', 'bench', updated_at from changed`,
};

/** Changes one of the newest hundred receipts. */
function changeListed({ db }: Environment, shop: Shop): () => Promise<unknown> {
  return () => {
    const id = receiptId(shop.receipts - Math.floor(Math.random() * 100));
    return db.query({ ...CHANGE, values: [shop.wallet, id] });
  };
}

export const STATUS: Path = {
  name: 'GET /api/receipts/status',
  goal: 1.5,
  connections: 32,
  server: (shop) => anyReceipt(shop, (id) => get(`/api/receipts/status?receiptId=${id}`, auth(shop))),
  twin: (shop) => anyReceipt(shop, (id) => get(`/status?merchant=${shop.wallet}&id=${id}`)),
};

export const LIST: Path = {
  name: 'GET /api/receipts?limit=100',
  goal: 3,
  connections: 16,
  server: (shop) => same(get('/api/receipts?limit=100', auth(shop))),
  twin: (shop) => same(get(`/receipts?merchant=${shop.wallet}`)),
  change: changeListed,
};

/** GraphQL requests for random receipts, which servers of other libraries answer as well. */
export const graphqlRequests = (shop: Shop, path: string, headers = {}): (() => Buffer) =>
  anyReceipt(shop, (id) => post(path, { query: QUERY, variables: { id } }, headers));

const graphqlTwin = (shop: Shop) =>
  anyReceipt(shop, (id) => post(`/receipt?merchant=${shop.wallet}`, { variables: { id } }));

export const GRAPHQL: Path = {
  name: 'GraphQL receipt by id',
  goal: 1.2,
  connections: 32,
  server: (shop) => graphqlRequests(shop, '/api/graphql', auth(shop)),
  twin: graphqlTwin,
};

/** Each text differs, so caches by text never hit. */
const GRAPHQL_LITERALS: Path = {
  name: 'GraphQL receipt by id, literals in the text',
  goal: 0.5,
  connections: 32,
  server: (shop) => anyReceipt(shop, (id) => post('/api/graphql', { query: literalQuery(id) }, auth(shop))),
  twin: graphqlTwin,
};

export const ORDER: Path = {
  name: 'POST /api/orders, 3 items',
  goal: 2,
  connections: 32,
  server: (shop) => same(post('/api/orders', order, auth(shop))),
  twin: (shop) => same(post(`/orders?merchant=${shop.wallet}`, order)),
};

/** Orders come last, because they make the shop's list longer. */
export const PATHS: readonly Path[] = [STATUS, LIST, GRAPHQL, GRAPHQL_LITERALS, ORDER];
