import { describe, expect, it } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { connect, type PageArguments } from '../../../base/graphql/connection.ts';
import { findMerchant } from '../merchants/find.ts';
import { merchantDeps, type TestDeps } from '../merchants/test/deps.ts';
import { findItem, findItems, listCategories } from './list-items.ts';
import { takeStock } from './stock.ts';
import { deleteItem, listItems, readItemPage, saveItem } from './test/requests.ts';

const deps = merchantDeps();

async function shop() {
  const [a, b] = [await deps.merchant(), await deps.merchant()];
  return { deps, a, b };
}

const skus = async (deps: TestDeps, merchant: Wallet, query: object) =>
  (await readItemPage(deps.db, merchant, query)).items.map(({ sku }) => sku);

const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) });

describe('saving an item', () => {
  it('creates an item for a new sku, with defaults for omitted fields', async () => {
    const { deps, a } = await shop();
    const saved = await saveItem(deps, a, { sku: 'TEE', name: 'Tee', priceUsd: 19.99 });
    expect(saved.id).toMatch(/^item_/);
    expect(await findItem(deps.db, a, { sku: 'TEE' })).toEqual({
      merchant: a,
      id: saved.id,
      sku: 'TEE',
      name: 'Tee',
      priceUsdCents: 1999,
      priceCents: null,
      currency: null,
      stockQty: -1,
      held: 0,
      taxable: false,
      category: null,
      description: null,
      tags: [],
      images: [],
      thumb: null,
      thumbDigest: null,
      attributes: null,
      costUsdCents: null,
      jurisdictionCode: null,
      createdAt: deps.now.ms,
      updatedAt: deps.now.ms,
    });
  });

  it('is idempotent by sku: sending the same body twice creates one item', async () => {
    const { deps, a } = await shop();
    const body = { sku: 'TEE', name: 'Tee', priceUsd: 1, stockQty: 3, taxable: true, tags: ['x'] };
    const first = await saveItem(deps, a, body);
    const second = await saveItem(deps, a, body);
    expect(second).toEqual(first);
    expect((await readItemPage(deps.db, a, {})).total).toBe(1);
  });

  it('keeps fields that a partial update omits, and clears fields sent as null', async () => {
    const { deps, a } = await shop();
    const first = await saveItem(deps, a, {
      sku: 'TEE',
      name: 'Tee',
      priceUsd: 5,
      stockQty: 7,
      taxable: true,
      category: 'wear',
      tags: ['x'],
      attributes: { size: 'L', deep: { a: [1] } },
      costUsd: 2.5,
    });
    deps.now.ms += 1000;
    await saveItem(deps, a, { sku: 'TEE', stockQty: 6, category: null });
    expect(await findItem(deps.db, a, { id: first.id })).toEqual({
      ...(await findItem(deps.db, a, { sku: 'TEE' })),
      name: 'Tee',
      priceUsdCents: 500,
      stockQty: 6,
      taxable: true,
      category: null,
      tags: ['x'],
      attributes: { size: 'L', deep: { a: [1] } },
      costUsdCents: 250,
      createdAt: first.createdAt,
      updatedAt: deps.now.ms,
    });
  });

  it('stores a native price from price and currency, and a later priceUsd replaces it', async () => {
    const { deps, a } = await shop();
    const native = await saveItem(deps, a, { sku: 'MUG', name: 'Mug', price: 12.5, currency: 'eur' });
    expect(native).toMatchObject({ priceUsdCents: null, priceCents: 1250, currency: 'EUR' });
    expect(await saveItem(deps, a, { sku: 'MUG', price: 14 })).toMatchObject({ priceCents: 1400, currency: 'EUR' });
    const inUsd = await saveItem(deps, a, { sku: 'MUG', priceUsd: 13 });
    expect(inUsd).toMatchObject({ id: native.id, priceUsdCents: 1300, priceCents: null, currency: null });
  });

  it('increments the version, and fifty concurrent saves of a sku create one item', async () => {
    const { deps, a } = await shop();
    await Promise.all(Array.from({ length: 50 }, () => saveItem(deps, a, { sku: 'S', name: 'S', priceUsd: 1 })));
    expect((await readItemPage(deps.db, a, {})).total).toBe(1);
    expect((await findMerchant(deps.db, a))!.version).toBe(51);
  });

  it('does not restore stock that was sold meanwhile', async () => {
    const { deps, a } = await shop();
    const { id } = await saveItem(deps, a, { sku: 'S', name: 'S', priceUsd: 1, stockQty: 5 });
    await deps.db.transaction((uow) => takeStock(uow, a, [{ itemId: id, qty: 2 }]));
    await saveItem(deps, a, { sku: 'S', name: 'Renamed' });
    expect(await findItem(deps.db, a, { id })).toMatchObject({ name: 'Renamed', stockQty: 3 });
  });

  it.each([
    [{ name: 'x', priceUsd: 1 }, /^sku /],
    [{ sku: 'x', priceUsd: 1 }, /^name /],
    [{ sku: 'x', name: 'x' }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: '1' }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: -1 }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: 1.005 }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: 1e-7 }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: JSON.parse('1e400') }, /^priceUsd /],
    [{ sku: 'x', name: 'x', priceUsd: 10_000_000.01 }, /10000000\.00/],
    [{ sku: 'x', name: 'x', priceUsd: 1, stockQty: -2 }, /^stockQty /],
    [{ sku: 'x', name: 'x', priceUsd: 1, stockQty: 1.5 }, /^stockQty /],
    [{ sku: 'x', name: 'x', priceUsd: 1, taxable: 'yes' }, /^taxable /],
    [{ sku: 'x', name: 'x', price: 1 }, /^currency /],
    [{ sku: 'x', name: 'x', price: 1, currency: 'GBP' }, /^currency /],
    [{ sku: 'x\0', name: 'x', priceUsd: 1 }, /^sku .*NUL/],
    [{ sku: 'x', name: '\ud800', priceUsd: 1 }, /^name .*surrogates/],
    [{ sku: 'x', name: 'x', priceUsd: 1, attributes: { a: '\0' } }, /^attributes /],
    [{ sku: 'x', name: 'x', priceUsd: 1, attributes: JSON.parse('{"__proto__": {}}') }, /^attributes /],
    [{ sku: 'x', name: 'x', priceUsd: 1, tags: ['\0'] }, /^tags\[0\] /],
    [{ sku: 'x', name: 'x', priceUsd: 1, images: ['javascript:alert(1)'] }, /^images\[0\] /],
    [{ sku: 'x'.repeat(129), name: 'x', priceUsd: 1 }, /^sku /],
    [null, /body/],
    [[], /body/],
  ])('refuses %j', async (body, message) => {
    const { deps, a } = await shop();
    await expect(saveItem(deps, a, body)).rejects.toEqual(invalid(message));
    expect((await readItemPage(deps.db, a, {})).total).toBe(0);
    expect((await findMerchant(deps.db, a))!.version).toBe(1);
  });

  it('accepts -0 as 0, and the largest price', async () => {
    const { deps, a } = await shop();
    expect(Object.is((await saveItem(deps, a, { sku: '0', name: 'free', priceUsd: -0 })).priceUsdCents, 0)).toBe(true);
    expect((await saveItem(deps, a, { sku: '1', name: 'dear', priceUsd: 10_000_000 })).priceUsdCents).toBe(
      1_000_000_000,
    );
  });

  it('refuses a wallet that is not the merchant itself', async () => {
    const { deps, a, b } = await shop();
    const body = { sku: 'S', name: 'S', priceUsd: 1 };
    await expect(saveItem(deps, a, { ...body, wallet: b })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(saveItem(deps, a, { ...body, wallet: 'b' })).rejects.toMatchObject({ code: 'invalid_wallet' });
    await expect(saveItem(deps, a, { ...body, wallet: a.toUpperCase().replace('0X', '0x') })).resolves.toBeTruthy();
  });
});

describe('separation of merchants', () => {
  it('never sees, changes or deletes an item of another merchant', async () => {
    const { deps, a, b } = await shop();
    const ofB = await saveItem(deps, b, { sku: 'SAME', name: 'of b', priceUsd: 1 });
    const ofA = await saveItem(deps, a, { sku: 'SAME', name: 'of a', priceUsd: 2 });
    expect(ofA.id).not.toBe(ofB.id);
    expect((await readItemPage(deps.db, a, { q: 'of' })).items.map(({ name }) => name)).toEqual(['of a']);
    await expect(findItem(deps.db, a, { id: ofB.id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await findItems(deps.db, a, [ofA.id, ofB.id])).size).toBe(1);
    await expect(deleteItem(deps, a, ofB.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await findItem(deps.db, b, { sku: 'SAME' })).name).toBe('of b');
    expect(await listItems(deps.db, a, {}).read({ limit: 10 })).toHaveLength(1);
  });
});

describe('deleting an item', () => {
  it('deletes it once; a second call and an unknown or unstorable id are not found or invalid', async () => {
    const { deps, a } = await shop();
    const { id } = await saveItem(deps, a, { sku: 'S', name: 'S', priceUsd: 1 });
    await deleteItem(deps, a, id);
    await expect(deleteItem(deps, a, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteItem(deps, a, undefined)).rejects.toEqual(invalid(/^id /));
    await expect(deleteItem(deps, a, 'x\0')).rejects.toEqual(invalid(/^id /));
    await expect(findItem(deps.db, a, { id: 'x\0' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await findMerchant(deps.db, a))!.version).toBe(3);
  });
});

describe('listing items', () => {
  async function stocked() {
    const { deps, a } = await shop();
    const items = [
      {
        sku: 'A',
        name: 'banana',
        priceUsd: 3,
        stockQty: 0,
        taxable: true,
        category: 'fruit',
        tags: ['yellow', 'sweet'],
      },
      {
        sku: 'B',
        name: 'Apple',
        priceUsd: 1.5,
        stockQty: 10,
        taxable: false,
        category: 'fruit',
        tags: ['red', 'sweet'],
      },
      {
        sku: 'C',
        name: '100% cotton',
        price: 20,
        currency: 'EUR',
        taxable: true,
        category: 'wear',
        description: 'Über_soft',
      },
      { sku: 'D_1', name: 'candle', priceUsd: 9, stockQty: 2, taxable: true },
    ];
    for (const item of items) {
      deps.now.ms += 1;
      await saveItem(deps, a, item);
    }
    return { deps, a };
  }

  it('lists the latest change first, 100 per page, with the total', async () => {
    const { deps, a } = await stocked();
    expect(await skus(deps, a, {})).toEqual(['D_1', 'C', 'B', 'A']);
    expect(await readItemPage(deps.db, a, {})).toMatchObject({ total: 4, page: 0, pageSize: 100 });
  });

  it.each([
    [{ q: 'APPLE' }, ['B']],
    [{ q: 'd_1' }, ['D_1']],
    [{ q: 'über' }, ['C']],
    [{ q: 'sweet' }, ['B', 'A']],
    [{ q: 'FRUIT' }, ['B', 'A']],
    [{ q: '%' }, ['C']],
    [{ q: '_' }, ['D_1', 'C']],
    [{ q: '\\' }, []],
    [{ q: "'" }, []],
    [{ category: 'fruit' }, ['B', 'A']],
    [{ category: 'frui_' }, []],
    [{ taxable: 'true' }, ['D_1', 'C', 'A']],
    [{ taxable: false }, ['B']],
    [{ taxable: 'any' }, ['D_1', 'C', 'B', 'A']],
    [{ stock: 'in' }, ['D_1', 'C', 'B']],
    [{ stock: 'out' }, ['A']],
    [{ stock: 'low' }, ['D_1', 'A']],
    [{ priceMin: '3' }, ['D_1', 'C', 'A']],
    [{ priceMin: 3, priceMax: '9.00' }, ['D_1', 'A']],
    [{ tags: 'red,yellow' }, ['B', 'A']],
    [{ tags: ['red', 'sweet'], tagsMode: 'all' }, ['B']],
    [{ tags: 'red,yellow', tagsMode: 'all' }, []],
    [{ q: 'sweet', taxable: 'true', stock: 'out', priceMax: 5, tags: 'yellow' }, ['A']],
    [{ sort: 'name', order: 'asc' }, ['C', 'B', 'A', 'D_1']],
    [{ sort: 'sku', order: 'asc' }, ['A', 'B', 'C', 'D_1']],
    [{ sort: 'priceUsd', order: 'desc' }, ['C', 'D_1', 'A', 'B']],
    [{ sort: 'stockQty', order: 'asc' }, ['C', 'A', 'D_1', 'B']],
    [{ sort: 'updatedAt', order: 'asc' }, ['A', 'B', 'C', 'D_1']],
    [{ limit: '2', page: '1' }, ['B', 'A']],
    [{ limit: 2, page: 9 }, []],
  ])('answers %j', async (query, expected) => {
    const { deps, a } = await stocked();
    expect(await skus(deps, a, query)).toEqual(expected);
  });

  it('counts all matches, also on a page after the last, in two statements', async () => {
    const { deps, a } = await stocked();
    deps.statements.length = 0;
    expect(await readItemPage(deps.db, a, { tags: 'sweet', limit: 1, page: 5 })).toEqual({
      items: [],
      total: 2,
      page: 5,
      pageSize: 1,
    });
    expect(deps.statements).toHaveLength(2);
  });

  it.each([
    [{ limit: 0 }, /^limit /],
    [{ limit: '201' }, /^limit /],
    [{ limit: '1.5' }, /^limit /],
    [{ page: -1 }, /^page /],
    [{ sort: 'id; drop table' }, /^sort /],
    [{ order: 'up' }, /^order /],
    [{ stock: 'some' }, /^stock /],
    [{ taxable: 'yes' }, /^taxable /],
    [{ priceMin: '1.005' }, /^priceMin /],
    [{ priceMax: '1e400' }, /^priceMax /],
    [{ q: '\0' }, /^q /],
    [{ category: '\ud800' }, /^category /],
    [{ tags: 'a,\0' }, /^tags/],
  ])('refuses %j', async (query, message) => {
    const { deps, a } = await shop();
    await expect(readItemPage(deps.db, a, query)).rejects.toEqual(invalid(message));
  });

  it.each(['name', 'sku', 'priceUsd', 'stockQty', 'updatedAt'])(
    'pages by cursors in the order of %s, forwards and backwards',
    async (sort) => {
      const { deps, a } = await shop();
      for (const i of [3, 1, 2, 5, 4]) {
        if (i % 2) deps.now.ms += 1;
        await saveItem(deps, a, { sku: `S${i}`, name: `n${i % 3}`, priceUsd: i % 2, stockQty: i % 2 });
      }
      for (const order of ['asc', 'desc']) {
        const whole = await skus(deps, a, { sort, order });
        const list = listItems(deps.db, a, { sort, order });
        const read = async (args: PageArguments) => {
          const { edges, pageInfo } = await connect(args, list);
          return { found: edges.map(({ node }) => node.sku), ...pageInfo };
        };
        const walked: string[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const page = await read({ first: 2, after });
          walked.push(...page.found);
          after = page.endCursor;
          more = page.hasNextPage;
        }
        expect(walked).toEqual(whole);
        const last = await read({ last: 1 });
        const before = await read({ last: 9, before: last.startCursor });
        expect([...before.found, ...last.found]).toEqual(whole);
      }
    },
  );
});

describe('categories', () => {
  it('are listed once each, in the order of their names, and are those of the own items only', async () => {
    const { deps, a, b } = await shop();
    for (const [n, category] of ['Tea', 'Coffee', null, 'Tea'].entries())
      await saveItem(deps, a, { sku: `S${n}`, name: 'x', priceUsd: 1, category });
    await saveItem(deps, b, { sku: 'B', name: 'x', priceUsd: 1, category: 'Hats' });
    expect(await listCategories(deps.db, a)).toEqual(['Coffee', 'Tea']);
  });
});

describe('filters', () => {
  it('each combination of filters, sort and order uses a prepared statement of its own on the same connections', async () => {
    const { deps, a } = await shop();
    await saveItem(deps, a, {
      sku: 'TEE',
      name: 'Tee',
      priceUsd: 5,
      category: 'tops',
      tags: ['x', 'y'],
      taxable: true,
    });
    const parts: readonly Record<string, string>[] = [
      { q: 'tee' },
      { category: 'tops' },
      { taxable: 'true' },
      { stock: 'in' },
      { priceMin: '1' },
      { priceMax: '9' },
      { tags: 'x,y', tagsMode: 'all' },
      { order: 'asc' },
    ];
    const subsets = Array.from({ length: 2 ** parts.length }, (_, bits) =>
      Object.assign({}, ...parts.filter((_part, i) => bits & (1 << i))),
    );
    const queries = ['name', 'sku', 'priceUsd', 'updatedAt', 'stockQty'].flatMap((sort) =>
      subsets.map((subset) => ({ ...subset, sort })),
    );
    expect(queries.length).toBeGreaterThanOrEqual(1_024);
    for (let from = 0; from < queries.length; from += 32)
      await Promise.all(
        queries.slice(from, from + 32).map(async (query) => {
          expect((await readItemPage(deps.db, a, query)).total, JSON.stringify(query)).toBe(1);
          const list = listItems(deps.db, a, query);
          expect([(await list.read({ limit: 5 })).length, await list.count()]).toEqual([1, 1]);
        }),
      );
  });
});
