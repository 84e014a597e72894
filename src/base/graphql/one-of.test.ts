import { buildSchema, type DocumentNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import type { Context } from './context.ts';
import { compiled } from './execute.ts';
import { oneOfCheck } from './one-of.ts';

const schema = buildSchema(`
  input By @oneOf { id: ID, sku: String, inside: Inner }
  input Inner { leaf: Leaf, note: String }
  input Leaf @oneOf { a: Int, b: Int }
  input Box { by: By, all: [[By!]], note: String }
  input Tree { by: Leaf, left: Tree, note: String }
  input Plain { note: String }
  type Query { by(by: By!): Boolean, box(box: Box): Boolean, many(many: [By!]): Boolean, plain(plain: Plain): Boolean, tree(tree: Tree): Boolean }
`);

const checkOf = (document: DocumentNode) => oneOfCheck(schema, document.definitions[0] as never);
const documentOf = (field: string, type: string) => parse(`query ($value: ${type}) { ${field}(${field}: $value) }`);

const GOOD: readonly [string, string, unknown][] = [
  ['by', 'By!', { id: '1' }],
  ['by', 'By!', { sku: 'x', id: undefined }],
  ['by', 'By!', { inside: { leaf: { b: 2 }, note: null } }],
  ['box', 'Box', undefined],
  ['box', 'Box', null],
  ['box', 'Box', {}],
  ['box', 'Box', { by: null, all: null }],
  ['box', 'Box', { all: [[{ id: '1' }, { sku: '2' }], null, []] }],
  ['box', 'Box', { all: { id: '1' } }],
  ['many', '[By!]', [{ id: '1' }, { sku: '2' }]],
];
const BAD: readonly [string, string, unknown][] = [
  ['by', 'By!', {}],
  ['by', 'By!', { id: undefined }],
  ['by', 'By!', { id: null }],
  ['by', 'By!', { id: '1', sku: 'x' }],
  ['by', 'By!', { id: '1', sku: null }],
  ['by', 'By!', { inside: { leaf: {} } }],
  ['box', 'Box', { by: { id: '1', sku: 'x' } }],
  ['box', 'Box', { all: [[{ id: '1' }], [{ id: '1' }, { sku: null }]] }],
  ['box', 'Box', { all: { id: '1', sku: 'x' } }],
  ['many', '[By!]', [{ id: '1' }, {}]],
  ['many', '[By!]', {}],
];

const run = (document: DocumentNode, value: unknown) =>
  compiled(schema, document).run({ caller: { kind: 'system' } } as never as Context, { value });

test.each(GOOD)('a compiled operation takes a choice of exactly one: %s %s %j', async (field, type, value) => {
  expect(checkOf(documentOf(field, type))?.({ value })).toBe(true);
  expect(await run(documentOf(field, type), value)).toEqual({ data: { [field]: null } });
});

test.each(BAD)('a compiled operation refuses any other choice: %s %s %j', async (field, type, value) => {
  expect(checkOf(documentOf(field, type))?.({ value })).toBe(false);
  const { errors, data } = await run(documentOf(field, type), value);
  expect(data).toBeUndefined();
  expect(errors?.[0]?.message).toMatch(/^Variable "\$value" got invalid value .*(Exactly one key|must be non-null)/);
});

test.each([
  ['by', 'By!', 'text'],
  ['by', 'By!', [{ id: '1' }]],
  ['by', 'By!', { nothing: 1 }],
  ['by', 'By!', { id: { inside: 1 } }],
  ['by', 'By!', null],
  ['many', '[By!]', [null]],
])('a compiled operation refuses a value of a wrong type: %s %s %j', async (field, type, value) => {
  const { errors, data } = await run(documentOf(field, type), value);
  expect(data).toBeUndefined();
  expect(errors).toHaveLength(1);
});

test('a choice inside an input that contains itself is checked', () => {
  const check = checkOf(documentOf('tree', 'Tree!'));
  expect(check?.({ value: { left: { left: { by: { a: 1 } } } } })).toBe(true);
  expect(check?.({ value: { left: { left: { by: { a: 1, b: 2 } } } } })).toBe(false);
});

test('an operation whose variables contain no choice has no check', () => {
  expect(checkOf(documentOf('plain', 'Plain'))).toBeNull();
  expect(checkOf(parse('query ($id: ID!) { by(by: { id: $id }) }'))).toBeNull();
  expect(checkOf(parse('{ by(by: { id: 1 }) }'))).toBeNull();
});
