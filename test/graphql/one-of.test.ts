import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

/** More often than an operation is interpreted before it is compiled. */
const REPEATS = 5;

let database: Awaited<ReturnType<typeof createDatabase>>;
/** With and without the fast path. */
let servers: readonly TestServer[];
let shop: TestMerchant;
let session: Record<string, string>;
const known: Record<string, string> = {};

beforeAll(async () => {
  database = await createDatabase();
  const start = (path: string) =>
    startTestServer({
      databaseUrl: database.databaseUrl,
      env: {
        GRAPHQL_FAST_PATH: path,
        BASE_URL: 'https://pay.test',
        JWT_SECRET: 'a secret for tests, thirty-two bytes',
        RATE_LIMITS: '{"reads":100000,"orders":100000,"others":100000}',
      },
    });
  const fast = await start('on');
  servers = [fast, await start('off')];
  shop = await fast.merchant();
  session = { ...(await fast.signIn(shop.account)), 'x-correlation-id': 'one-of' };
  const item = { sku: 'CUP', name: 'Cup', priceUsd: 4, stockQty: -1, taxable: false };
  const saved = await fast.call('POST', '/api/inventory', { headers: shop.auth, body: item });
  Object.assign(known, { item: saved.body.item.id, wallet: shop.wallet });
});
afterAll(async () => {
  for (const server of servers ?? []) await server.stop();
  await database?.drop();
});

/** A place where exactly one of several inputs is given. */
interface Place {
  /** The `@oneOf` input. */
  readonly type: string;
  /** The operation, around a choice: a literal, or the name of a variable. */
  readonly operation: (choice: string) => string;
  /** The input of the field as one variable, if the choice is inside one. */
  readonly whole?: { readonly type: string; readonly operation: string; readonly value: (choice: unknown) => unknown };
  /** Each choice, with the code of its answer if it is not null. */
  readonly one: () => readonly (readonly [choice: object, code?: string])[];
  /** Two choices at once. */
  readonly two: () => object;
}

const legacy = { lineItems: [{ label: 'Cup', priceUsd: 4 }], totalUsd: 4 };
const native = { lineItems: [{ label: 'Cup', amount: 4 }], currency: 'USD', total: 4 };

/** The lines of the receipt with this id: a repeated request returns the same receipt. */
const linesOf = (id: string, lines: object): Place => ({
  type: 'ReceiptLinesInput',
  operation: (choice) => `mutation { createReceipt(input: { id: "${id}", lines: ${choice} }) { totalUsd } }`,
  whole: {
    type: 'CreateReceiptInput',
    operation: 'createReceipt(input: $whole) { totalUsd }',
    value: (choice) => ({ id, lines: choice }),
  },
  one: () => [[lines], [{ native: { ...native, total: 5 } }, 'invalid_input']],
  two: () => ({ legacy, native }),
});

const PLACES: Readonly<Record<string, Place>> = {
  'an item of the catalog': {
    type: 'InventoryItemBy',
    operation: (choice) => `{ inventoryItem(by: ${choice}) { sku } }`,
    one: () => [[{ id: known.item }], [{ sku: 'CUP' }], [{ id: 'unknown' }, 'not_found']],
    two: () => ({ id: known.item, sku: 'CUP' }),
  },
  'the item of an order’s line': {
    type: 'InventoryItemBy',
    operation: (choice) =>
      `mutation { createOrder(input: { items: [{ item: { sku: "CUP" }, qty: 1 }, { item: ${choice}, qty: 2 }] }) { totalUsd } }`,
    whole: {
      type: 'CreateOrderInput',
      operation: 'createOrder(input: $whole) { totalUsd }',
      value: (item) => ({
        items: [
          { item: { sku: 'CUP' }, qty: 1 },
          { item, qty: 2 },
        ],
      }),
    },
    one: () => [[{ id: known.item }], [{ sku: 'CUP' }], [{ sku: 'NOTHING' }, 'inventory_item_not_found']],
    two: () => ({ id: known.item, sku: 'CUP' }),
  },
  'the lines of a receipt in dollars': linesOf('one-of-legacy', { legacy }),
  'the lines of a receipt in a native currency': linesOf('one-of-native', { native }),
  'the subscriptions of a status report': {
    type: 'SubscriptionStatusOf',
    operation: (choice) => `{ subscriptionStatusReport(of: ${choice}) { subscriptions { subscriptionId } } }`,
    one: () => [[{ subscriptionId: 'sub_x' }, 'not_found'], [{ customer: known.wallet }], [{ merchant: known.wallet }]],
    two: () => ({ customer: known.wallet, merchant: known.wallet }),
  },
};

/** A value as a literal of GraphQL. Currencies are the only enum here. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${name === 'currency' ? one : literal(one)}`);
  return `{ ${fields.join(', ')} }`;
}

const declared = (operation: string, variable: string): string => {
  const [, kind = 'query', selected = ''] = /^(mutation )?(\{.*)$/.exec(operation) ?? [];
  return `${kind.trim()} (${variable}) ${selected}`;
};

/** How a client sends a choice: the operation and its variables. */
type Way = (choice: unknown) => readonly [query: string, variables?: Record<string, unknown>];

const waysOf = ({ type, operation, whole }: Place): Readonly<Record<string, Way>> => ({
  'as a literal': (choice) => [operation(literal(choice))],
  'as a variable': (choice) => [declared(operation('$choice'), `$choice: ${type}!`), { choice }],
  ...(whole && {
    'inside a variable': (choice) => [
      `mutation ($whole: ${whole.type}!) { ${whole.operation} }`,
      { whole: whole.value(choice) },
    ],
  }),
});

const CASES = Object.entries(PLACES).flatMap(([name, place]) =>
  Object.entries(waysOf(place)).map(([how, way]) => [name, how, place, way] as const),
);

/** The answers of both servers to the same request, by default repeated until its operation is compiled. */
async function answersTo(way: Way, choice: unknown, repeats = REPEATS) {
  const answers = [];
  for (const server of servers)
    for (let i = 0; i < repeats; i++) answers.push(await ask(server, session, ...way(choice)));
  return answers;
}

const receipts = async () =>
  (await ask(servers[0] as TestServer, session, '{ receipts { totalCount } }')).body.data.receipts.totalCount;

describe.each(CASES)('%s, %s', (_name, _how, place, way) => {
  const others = () => {
    const two = place.two();
    const [first = '', second = ''] = Object.keys(two);
    const [[one] = [{}]] = place.one();
    return [
      {},
      two,
      { [first]: null },
      { [first]: null, [second]: null },
      { ...two, [second]: null },
      { ...one, x: 1 },
    ];
  };

  test('none, two and null are refused with one code, interpreted and compiled, and change nothing', async () => {
    const before = await receipts();
    for (const [i, choice] of others().entries()) {
      const [first, ...more] = await answersTo(way, choice, i === 0 ? REPEATS : 1);
      expect(first?.body.data, JSON.stringify(choice)).toBeUndefined();
      expect(first?.body.errors[0].extensions).toMatchObject({ code: 'invalid_input', http: { status: 400 } });
      for (const { status, body } of more)
        expect({ status, body }).toEqual({ status: first?.status, body: first?.body });
    }
    expect(await receipts()).toBe(before);
  });

  test('exactly one passes, interpreted and compiled', async () => {
    for (const [choice, code] of place.one())
      for (const { body } of await answersTo(way, choice)) {
        expect(body.errors?.[0].extensions.code, JSON.stringify(body)).toBe(code);
        if (!code) expect(Object.values(body.data)).toEqual([expect.anything()]);
      }
    // The compiled operation refuses the others as before.
    for (const choice of others())
      for (const { body } of await answersTo(way, choice, 1))
        expect(body.errors[0].extensions.code).toBe('invalid_input');
  });
});

test('an error names the place of the choice inside its variable', async () => {
  const input = {
    items: [
      { item: { sku: 'CUP' }, qty: 1 },
      { item: {}, qty: 1 },
    ],
  };
  const query = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { receiptId } }';
  for (let i = 0; i < REPEATS; i++) {
    const { body } = await ask(servers[0] as TestServer, session, query, { input });
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'items[1].item' });
  }
});

test('the served schema declares every choice', async () => {
  const { body } = await (servers[0] as TestServer).call('GET', '/api/schema.graphql', { headers: session });
  for (const { type } of Object.values(PLACES)) expect(body).toContain(`input ${type} @oneOf {`);
});
