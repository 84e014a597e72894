import { describe, expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { queryBuilderOf } from '../../src/base/platform/postgres/database.ts';
import type { KeyedQuery, Query } from '../../src/base/platform/postgres/query.ts';
import { merchantDeps } from '../../src/domain/shop/merchants/test/deps.ts';
import { admin, asker, developer } from '../../src/domain/shop/merchants/test/graphql.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { runStatement, statement } from '../support/statement.ts';
import { LISTS, type TestedList } from './lists.ts';

const deps = merchantDeps();

interface Page {
  readonly nodes: readonly Record<string, string>[];
  readonly edges: readonly { readonly cursor: string; readonly node: Record<string, string> }[];
  readonly pageInfo: Record<'hasNextPage' | 'hasPreviousPage', boolean> & Record<'startCursor' | 'endCursor', string>;
  readonly totalCount: number;
}
interface Refused {
  readonly code: string;
}

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

let count = 0;
const write = (list: TestedList, merchant: Wallet, from: number, to: number) =>
  runStatement(deps.db, statement(`write ${list.table} ${list.field} ${count++}`.slice(0, 60), list.insert), [
    merchant,
    from,
    to,
  ]);

/** Reads pages of a list as its merchant's admin. */
function reader({ field, key, parent }: TestedList, merchant: Wallet, ask = asker(schema, deps)) {
  // Not in the whole text: a cursor may contain the two letters as well.
  const [of, within] = [field, parent].map((text) => text?.replace('ID', merchant));
  const whole = (page: string, fields: string) => {
    const list = `{ list: ${of} ${page}) { ${fields} } }`;
    return within ? `{ parent: ${within} ${list} }` : list;
  };
  const read = async (page: string, fields = `nodes { ${key} } ${PAGE_INFO}`) => {
    const answer = (await ask(admin(merchant), whole(page, fields))) as Record<string, unknown>;
    return (answer.parent ?? answer) as { list: Page } & Refused;
  };
  return { whole, read, keysOf: (page: Page) => page.nodes.map((node) => node[key]!) };
}

const names = (list: TestedList) => [`${list.parent ? `${list.parent} ` : ''}${list.field}`, list] as const;

/** The same dependencies, with a list of the statements that run on them. */
function recorded() {
  const run: { query: Query<never, unknown>; parameters: unknown }[] = [];
  const { db } = deps;
  const recording = {
    ...deps,
    db: {
      ...db,
      run: (query: Query<never, unknown>, parameters: never) => {
        run.push({ query, parameters });
        return db.run(query, parameters);
      },
      one: (query: KeyedQuery<never, unknown>, key: never) => {
        run.push({ query, parameters: key });
        return db.one(query, key);
      },
    },
  } as typeof deps;
  return { run, ask: asker(schema, recording) };
}

/** One order of each table is walked; the plans of all are tested. */
const WALKED = LISTS.filter(({ field }) => !/^inventory.*(sku|priceUsd|desc)/.test(field));

describe.each(WALKED.map(names))('%s …)', (_field, list) => {
  test('is walked forward and backward to its end, each row once, while rows are written', async () => {
    const merchant = await deps.merchant();
    await write(list, merchant, 10, 29);
    const { read, keysOf } = reader(list, merchant);
    const { list: all } = await read('first: 200');
    const expected = keysOf(all);
    expect([new Set(expected).size, all.pageInfo.hasNextPage, all.pageInfo.hasPreviousPage]).toEqual([
      20,
      false,
      false,
    ]);
    let written = 0;
    const writeBoth = async () => {
      await write(list, merchant, 9 - written, 9 - written);
      await write(list, merchant, 30 + written, 30 + written);
      written++;
    };

    const forward: string[] = [];
    for (let cursor = '', isMore = true; isMore; ) {
      const { list: page } = await read(`first: 3${cursor && `, after: "${cursor}"`}`);
      forward.push(...keysOf(page));
      [cursor, isMore] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
      if (written < 4) await writeBoth();
    }
    const backward: string[] = [];
    for (let cursor = '', isMore = true; isMore; ) {
      const { list: page } = await read(`last: 3${cursor && `, before: "${cursor}"`}`);
      backward.unshift(...keysOf(page));
      [cursor, isMore] = [page.pageInfo.startCursor, page.pageInfo.hasPreviousPage];
      if (written < 8) await writeBoth();
    }
    for (const walked of [forward, backward]) {
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((key) => expected.includes(key))).toEqual(expected);
    }
    const { list: counted } = await read('first: 0', 'totalCount nodes { __typename }');
    expect(counted).toEqual({ totalCount: 20 + 2 * written, nodes: [] });
  });

  test('counts its rows only if their number is selected', async () => {
    const merchant = await deps.merchant();
    await write(list, merchant, 1, 3);
    const { run, ask } = recorded();
    const { read } = reader(list, merchant, ask);
    await read('first: 2');
    const without = run.length;
    expect(await read('first: 2', `totalCount nodes { __typename }`)).toMatchObject({ list: { totalCount: 3 } });
    expect(run.length).toBe(2 * without + 1);
  });

  test('refuses damaged cursors, and those of another merchant, and shows a merchant only its own rows', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    await write(list, a, 1, 0);
    await write(list, b, 1, 3);
    const { list: theirs } = await reader(list, b).read('first: 1', 'edges { cursor } nodes { __typename }');
    const cursor = theirs.edges[0]!.cursor;
    const own = reader(list, a);
    expect((await own.read('first: 9', 'totalCount nodes { __typename }')).list).toEqual({ totalCount: 0, nodes: [] });
    for (const wrong of [cursor, cursor.slice(1), '', 'x', '0.0'])
      for (const argument of ['after', 'before'])
        expect(await own.read(`first: 1, ${argument}: "${wrong}"`)).toMatchObject({ code: 'bad_cursor' });
    expect(await reader(list, b).read(`first: 1, after: "${cursor}"`)).toMatchObject({ list: { nodes: [{}] } });
    for (const size of ['first: -1', 'first: 201', 'last: 201', 'first: 1, last: 1'])
      expect(await own.read(size)).toMatchObject({ code: 'invalid_input' });
  });

  test('is refused to a key without its scope', async () => {
    const merchant = await deps.merchant();
    await write(list, merchant, 1, 0);
    const source = reader(list, merchant).whole('first: 1', 'totalCount');
    const ask = asker(schema, deps);
    const readable = list.scope ? [developer(merchant, list.scope as never)] : [];
    for (const caller of readable) expect(await ask(caller, source)).not.toHaveProperty('code');
    const isAnyKey = list.parent || /^(plans|subscriptions)/.test(list.field);
    const other = developer(merchant, 'users:read');
    if (!isAnyKey) expect(await ask(other, source)).toMatchObject({ code: 'forbidden' });
    const stranger = developer(await deps.merchant(), 'receipts:read');
    const refusal = { code: list.parent ? 'not_found' : 'forbidden' };
    if (isAnyKey) expect(await ask(stranger, source)).toMatchObject(refusal);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of a plan, without those of subqueries in its columns. */
const nodesOf = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).filter((below) => below['Parent Relationship'] !== 'SubPlan').flatMap(nodesOf),
];

describe('an index serves', () => {
  const MANY = 3_000;
  const merchants = new Map<string, Wallet>();

  /** A merchant with many rows, beside another one; made once for all orders of a table. */
  async function filled(list: TestedList): Promise<Wallet> {
    const known = merchants.get(list.insert);
    if (known) return known;
    const [merchant, other] = [await deps.merchant(), await deps.merchant()];
    for (const owner of [merchant, other]) await write(list, owner, 1, MANY);
    await runStatement(deps.db, statement(`analyze ${count++}`, `analyze ${list.table}, receipts`));
    merchants.set(list.insert, merchant);
    return merchant;
  }

  test.each(LISTS.map(names))('each page of %s …): no scan of the table, no sort beyond the page', async (_, list) => {
    const merchant = await filled(list);
    const { run, ask } = recorded();
    const { read } = reader(list, merchant, ask);
    const { list: page } = await read('first: 50');
    await read(`first: 50, after: "${page.pageInfo.endCursor}"`);
    const { list: end } = await read('last: 50');
    await read(`last: 50, before: "${end.pageInfo.startCursor}"`);
    const pages = run.filter(({ query }) => / [fb][ab]*$/.test(query.name));
    expect(pages).toHaveLength(4);
    for (const { query, parameters } of pages) {
      const compiled = query.compile(() => queryBuilderOf(deps.db.orm.em));
      const explained = await runStatement<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
        deps.db,
        statement(`explain ${count++}`, `explain (format json) ${compiled.text}`),
        compiled.values(parameters as never),
      );
      const nodes = nodesOf(explained[0]!['QUERY PLAN'][0].Plan);
      const types = nodes.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim());
      expect(
        types.filter((type) => type === 'Sort' || type === `Seq Scan ${list.table}`),
        types.join(', '),
      ).toEqual([]);
    }
  });
});
