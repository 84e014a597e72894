import { buildSchema, graphql } from 'graphql';
import { expect, test } from 'vitest';
import { mergeQueries } from './merge-queries.ts';

const schema = buildSchema(`
  type Query { word(of: String): Word, other: Word, broken: Word }
  type Word { text(mark: String): String }
`);
const rootValue = {
  word: ({ of }: { of?: string }) => ({ text: ({ mark = '' }: { mark?: string }) => `${of ?? 'none'}${mark}` }),
  other: () => ({ text: () => 'other' }),
  broken: () => {
    throw new Error('broken');
  },
};

const ask = async (query: string, variables = {}) =>
  JSON.parse(JSON.stringify(await graphql({ schema, rootValue, source: query, variableValues: variables })));

const QUERIES = [
  { query: 'query A($of: String!) { word(of: $of) { ...T } } fragment T on Word { text }', variables: { of: 'a' } },
  {
    query:
      'query B($of: String, $m: String) { word(of: $of) { ...T } x: word { text } } fragment T on Word { text(mark: $m) }',
    variables: { of: 'b', m: '!' },
  },
  { query: 'query C { x: other { text } broken { text } }', variables: {} },
  { query: '{ other { text } }', variables: {} },
];

test('queries with the same names of variables, fragments and fields do not mix in one document', async () => {
  const merged = mergeQueries(QUERIES);
  const parts = merged.split(await ask(merged.query, merged.variables));
  for (const [n, { query, variables }] of QUERIES.entries()) {
    const alone = await ask(query, variables);
    expect(parts[n]!.data).toEqual(alone.data);
    expect(parts[n]!.errors?.map(({ message, path }) => [message, path])).toEqual(
      alone.errors?.map(({ message, path }: { message: string; path: string[] }) => [message, path]),
    );
  }
});

test('a refusal of the whole document is one of each query', () => {
  const refusal = { message: 'no', extensions: { code: 'forbidden' } };
  expect(mergeQueries(QUERIES).split({ data: null, errors: [refusal] })).toEqual(
    QUERIES.map(() => ({ data: null, errors: [refusal] })),
  );
});
