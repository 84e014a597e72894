import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { rateOf } from './rate.ts';
import { surveyOf } from './survey.ts';

const schema = buildSchema(`
  type Query { one: Thing! many(limit: Int): [Thing!]! dear: Thing! }
  type Mutation { book: Thing! split: Thing! free: Thing! }
  type Thing { name: String! things: [Thing!]! }
`);
const query = schema.getQueryType()!.getFields();
query.dear!.extensions = { complexity: 100 };
query.many!.extensions = { complexity: ({ limit }: { limit?: number }) => ({ field: 1, multiplier: limit ?? 50 }) };
const mutation = schema.getMutationType()!.getFields();
mutation.book!.extensions = { rate: 'orders' };
mutation.split!.extensions = { rate: 'split', complexity: 100 };

function survey(text: string, variables: Record<string, unknown> = {}, index = 0) {
  const document = parse(text);
  const surveyed = surveyOf(schema, document, document.definitions[index] as OperationDefinitionNode);
  const { points, countsAt } = surveyed.bill(variables, {});
  return { rootFields: surveyed.rootFields, points, counts: Object.fromEntries(countsAt(100)) };
}

test('root fields are found below any number of nested fragments', () => {
  const levels = 60;
  const chain = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Query { ${i === levels - 1 ? '__schema { queryType { name } }' : `...F${i + 1}`} }`,
  );
  expect(survey(`{ one { name } ...F0 } ${chain.join(' ')}`).rootFields).toEqual(['one', '__schema']);
});

test('a fragment that is spread twice in one object costs once, in two objects twice', () => {
  const fragment = 'fragment F on Thing { name }';
  expect(survey(`{ one { ...F ...F } } ${fragment}`).points).toBe(2);
  expect(survey(`{ one { ...F things { ...F } } } ${fragment}`).points).toBe(1 + 1 + 1 + 10);
});

test('only the chosen operation counts', () => {
  const text = 'query cheap { __typename } query heavy { many { name } }';
  expect(survey(text, {}, 0).points).toBe(1);
  expect(survey(text, {}, 1).points).toBe(51);
});

test('a cost that depends on arguments follows the variables of each execution', () => {
  const document = parse('query q($n: Int) { many(limit: $n) { name } }');
  const surveyed = surveyOf(schema, document, document.definitions[0] as OperationDefinitionNode);
  expect(surveyed.bill({ n: 5 }, {}).points).toBe(6);
  expect(surveyed.bill({ n: 500 }, {}).points).toBe(501);
  expect(Object.fromEntries(surveyed.bill({ n: 500 }, {}).countsAt(100))).toEqual({ reads: 6 });
});

test('each root field of a query counts as at least one read, and as one for each hundred points', () => {
  expect(survey('{ one { name } a: one { name } b: one { name } }').counts).toEqual({ reads: 3 });
  expect(survey('{ dear { name } one { name } }').counts).toEqual({ reads: 3 });
  expect(survey('{ __typename }').counts).toEqual({ reads: 1 });
});

test('each root field of a mutation counts once in its own category, and a large selection counts as additional reads', () => {
  expect(survey('mutation { book { name } a: book { name } split { name } }').counts).toEqual({ orders: 2, split: 1 });
  const large = `things { ${Array.from({ length: 20 }, (_, i) => `a${i}: name`).join(' ')} }`;
  expect(survey(`mutation { book { ${large} } }`).counts).toEqual({ orders: 1, reads: 2 });
});

test('a mutation field without a category is refused', () => {
  expect(() => survey('mutation { free { name } }')).toThrow('no rate category');
  expect(rateOf(query.one!, 'query')).toBe('reads');
});

test('the cost of introspection follows the size of its result', () => {
  const text = 'types { name fields { name args { name } } }';
  const one = survey(`{ __schema { ${text} } }`).points;
  const three = survey(`{ __schema { ${text} b: types { name fields { name args { name } } } c: ${text} } }`).points;
  expect(three).toBeGreaterThan(one * 2);
  expect(survey('{ __schema { queryType { name } } }').points).toBeLessThan(2);
});

test('a variable’s default counts, and a variable that does not fit is refused', () => {
  expect(survey('query q($n: Int = 7) { many(limit: $n) { name } }').points).toBe(8);
  const tooLarge = () => survey('query q($n: Int) { many(limit: $n) { name } }', { n: 99_999_999_999 });
  expect(tooLarge).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
