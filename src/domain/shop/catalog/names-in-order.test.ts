import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../../../test/graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../../../../test/support/server.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  const headers = await server.signIn(merchant.account);
  for (const [n, name] of WRITTEN.entries()) {
    const body = { sku: `S${n}`, name, priceUsd: 1, stockQty: 1, category: name };
    expect((await server.call('POST', '/api/inventory', { headers, body })).status).toBe(200);
  }
});
afterAll(() => server.stop());

/** In the order in which people look for them; equal letters in two forms and two cases are neighbours. */
const NAMES = [
  ...['10 cups', 'Apfel', 'Äpfel', 'Cafe\u0301', 'Café', 'Émile', 'Éclair', 'Ökotee', 'oregano', 'Straße', 'Strasse'],
  ...['Zebra', 'zoo', 'Żurek', 'ябеда', '茶'],
];
const WRITTEN = NAMES.toReversed();

/** The order of the same root collation in another implementation; equal keys of the database are ordered by bytes. */
const { compare } = new Intl.Collator('und');
const isOrdered = (names: readonly string[]) =>
  names.every((name, n) => n === 0 || compare(names[n - 1]!.toLowerCase(), name.toLowerCase()) <= 0);

const pageOf = async (size: number, order: string, after: string | null) => {
  const query = `query ($size: Int!, $after: String) {
    inventory(first: $size, after: $after, sort: name, order: ${order}) {
      nodes { name } pageInfo { hasNextPage endCursor }
    }
  }`;
  const { body } = await ask(server, merchant.auth, query, { size, after });
  expect(body.errors).toBeUndefined();
  return body.data.inventory;
};

async function walk(size: number, order: string): Promise<string[]> {
  const names: string[] = [];
  let after: string | null = null;
  while (true) {
    const { nodes, pageInfo } = await pageOf(size, order, after);
    names.push(...nodes.map(({ name }: { name: string }) => name));
    if (!pageInfo.hasNextPage) return names;
    after = pageInfo.endCursor;
  }
}

test('a name with an accent is not sorted after Z, in the list of REST and its reverse', async () => {
  const read = async (order: string) => {
    const { body } = await server.call('GET', `/api/inventory?sort=name&order=${order}`, { headers: merchant.auth });
    return body.items.map(({ name }: { name: string }) => name) as string[];
  };
  const names = await read('asc');
  expect(names.toSorted()).toEqual(NAMES.toSorted());
  expect(isOrdered(names)).toBe(true);
  expect(names.indexOf('Äpfel')).toBe(names.indexOf('Apfel') + 1);
  expect(await read('desc')).toEqual(names.toReversed());
});

test.each([1, 2, 3, 7])('pages of %i neither skip nor repeat a name, in either direction', async (size) => {
  const names = await walk(100, 'asc');
  expect(await walk(size, 'asc')).toEqual(names);
  expect(await walk(size, 'desc')).toEqual(names.toReversed());
});

test('categories are in the same order', async () => {
  const { body } = await ask(server, await server.signIn(merchant.account), '{ inventoryCategories }');
  expect(body.errors).toBeUndefined();
  expect(isOrdered(body.data.inventoryCategories)).toBe(true);
  expect(body.data.inventoryCategories).toHaveLength(NAMES.length);
});
