import { buildSchema, type GraphQLObjectType, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Listing } from '../platform/keyset.ts';
import { connect, costOfPage, type PageArguments } from './connection.ts';
import { surveyOf } from './survey.ts';

/** A list of numbers that are their own places. */
function numbers(rows: () => readonly number[], owner = 'a') {
  const limits: number[] = [];
  let counts = 0;
  const listing: Listing<number> = {
    scope: { name: `numbers asc ${owner}`, types: ['int8'] },
    async read({ limit, after, before, backward }) {
      limits.push(limit);
      const found = rows().filter((n) => (!after || n > Number(after[0])) && (!before || n < Number(before[0])));
      return (backward ? found.toReversed() : found).slice(0, limit).map((row) => ({ row, place: [row] }));
    },
    async count() {
      counts++;
      return rows().length;
    },
  };
  return { listing, limits, counted: () => counts };
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const read = async (args: PageArguments, listing: Listing<number>) => {
  const { edges, pageInfo } = await connect(args, listing);
  return { nodes: edges.map(({ node }) => node), ...pageInfo };
};

describe('a connection', () => {
  const { listing } = numbers(() => upTo(7));

  test('walks forward and backward, in the order of the list', async () => {
    const one = await read({ first: 3 }, listing);
    expect(one).toMatchObject({ nodes: [1, 2, 3], hasNextPage: true, hasPreviousPage: false });
    const two = await read({ first: 3, after: one.endCursor }, listing);
    expect(two).toMatchObject({ nodes: [4, 5, 6], hasNextPage: true, hasPreviousPage: true });
    const three = await read({ first: 3, after: two.endCursor }, listing);
    expect(three).toMatchObject({ nodes: [7], hasNextPage: false, hasPreviousPage: true });
    expect(three.startCursor).toBe(three.endCursor);
    const end = await read({ last: 3 }, listing);
    expect(end).toMatchObject({ nodes: [5, 6, 7], hasNextPage: false, hasPreviousPage: true });
    const back = await read({ last: 4, before: end.startCursor }, listing);
    expect(back).toMatchObject({ nodes: [1, 2, 3, 4], hasNextPage: true, hasPreviousPage: false });
  });

  test('takes both cursors, and a single cursor without a size', async () => {
    const { startCursor: second } = await read(
      { first: 1, after: (await read({ first: 1 }, listing)).endCursor },
      listing,
    );
    const { startCursor: last } = await read({ last: 1 }, listing);
    expect(await read({ first: 2, after: second, before: last }, listing)).toMatchObject({ nodes: [3, 4] });
    expect(await read({ last: 2, after: second, before: last }, listing)).toMatchObject({ nodes: [5, 6] });
    expect((await read({ after: second }, listing)).nodes).toEqual([3, 4, 5, 6, 7]);
    const long = numbers(() => upTo(120)).listing;
    const { edges } = await connect({ first: 101 }, long);
    expect((await read({ before: edges[100]!.cursor }, long)).nodes).toEqual(upTo(100).slice(50));
    expect((await read({ after: edges[9]!.cursor, before: edges[100]!.cursor }, long)).nodes).toEqual(
      upTo(60).slice(10),
    );
  });

  test('has 50 entries by default, at most 200, and may have none', async () => {
    const long = numbers(() => upTo(300));
    expect((await read({}, long.listing)).nodes).toEqual(upTo(50));
    expect((await read({ first: 200 }, long.listing)).nodes).toEqual(upTo(200));
    expect(await read({ first: 0 }, long.listing)).toEqual({
      nodes: [],
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
    expect(long.limits).toEqual([51, 201, 1]);
    expect(await read({ last: 0 }, numbers(() => []).listing)).toMatchObject({ nodes: [], hasPreviousPage: false });
  });

  test.each([
    [{ first: -1 }, 'first'],
    [{ first: 201 }, 'first'],
    [{ last: -1 }, 'last'],
    [{ last: 201 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ first: 0, last: 0 }, 'last'],
  ])('refuses %j before it reads', async (args, field) => {
    const list = numbers(() => upTo(3));
    await expect(connect(args, list.listing)).rejects.toMatchObject({ code: 'invalid_input', extra: { field } });
    expect(list.limits).toEqual([]);
  });

  test('refuses the cursor of another owner, and names the argument', async () => {
    const { endCursor } = await read({ first: 1 }, numbers(() => upTo(3), 'b').listing);
    for (const field of ['after', 'before'])
      for (const cursor of [endCursor, '', 'x'])
        await expect(connect({ [field]: cursor }, listing)).rejects.toMatchObject({
          code: 'bad_cursor',
          extra: { field },
        });
  });

  test('counts its rows only when it is asked for their number', async () => {
    const list = numbers(() => upTo(3));
    const connection = await connect({ first: 1 }, list.listing);
    expect(list.counted()).toBe(0);
    expect([await connection.totalCount(), list.counted()]).toEqual([3, 1]);
  });
});

test('a page costs an entry times its size, and its page info once', () => {
  const schema = buildSchema(`
    type Query { cups(first: Int, last: Int): CupConnection! }
    type CupConnection { edges: [CupEdge!]! nodes: [Cup!]! pageInfo: PageInfo! totalCount: Int! }
    type CupEdge { cursor: String! node: Cup! }
    type Cup { id: ID! }
    type PageInfo { hasNextPage: Boolean! }
  `);
  schema.getQueryType()!.getFields().cups!.extensions = { complexity: costOfPage };
  const { edges, nodes, totalCount } = (schema.getType('CupConnection') as GraphQLObjectType).getFields();
  edges!.extensions = nodes!.extensions = { complexity: { field: 1, multiplier: 1 } };
  totalCount!.extensions = { complexity: 100 };
  const points = (text: string) => {
    const document = parse(text);
    return surveyOf(schema, document, document.definitions[0] as OperationDefinitionNode).bill({}, {}).points;
  };
  expect(points('{ cups(first: 10) { nodes { id } } }')).toBe(1 + 10 * 2);
  expect(points('{ cups(last: 10) { edges { node { id } } } }')).toBe(1 + 10 * 3);
  expect(points('{ cups { nodes { id } pageInfo { hasNextPage } totalCount } }')).toBe(1 + 50 * 2 + 2 + 100);
  expect(points('{ cups(first: 0) { ...All } } fragment All on CupConnection { nodes { id } totalCount }')).toBe(101);
  expect(points('{ cups(first: 5000) { nodes { id } } }')).toBe(1 + 200 * 2);
});
