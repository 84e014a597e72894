import { describe, expect, test } from 'vitest';
import { schema } from '../../doors/http/server/schema.ts';
import type { Context } from './context.ts';
import { createExecutor } from './execute.ts';
import { liftLiterals, skeletonOf } from './lift-literals.ts';
import type { Prepared } from './prepared.ts';

const prepared = (executor: ReturnType<typeof createExecutor>, text: string): Prepared => {
  const made = executor.prepare(text);
  if ('errors' in made) throw made.errors[0];
  return made;
};

const context = { caller: { kind: 'anonymous' } } as Context;

const receipt = (id: string) => `{ receipt(receiptId: ${id}) { receiptId } }`;

describe('skeletons', () => {
  test('texts that differ in strings and numbers only have one skeleton, with their literals in order', () => {
    const [one, other] = ['{ a(x: 1, y: "b", z: 1.5) }', '{ a(x: -20, y: "", z: 2e3) }'].map(skeletonOf);
    expect(one?.text).toBe(other?.text);
    expect(one?.literals.map(({ value }) => value)).toEqual(['1', 'b', '1.5']);
    expect(other?.literals.map(({ value }) => value)).toEqual(['-20', '', '2e3']);
  });

  test.each([
    ['of another kind', '{ a(x: "1") }'],
    ['of another name', '{ a2(x: 1) }'],
    ['next to other text', '{ a(x:1) }'],
  ])('a literal %s is another skeleton', (_, text) => {
    expect(skeletonOf(text)?.text).not.toBe(skeletonOf('{ a(x: 1) }')?.text);
  });

  test.each([
    '{ a }',
    '{ a1(x: $v2) }',
    '{ a(x: 007) }',
    '{ a(x: 1b) }',
    '{ a(x: 1.) }',
    '{ a(x: "a\\n") }',
    '{ a(x: """b""") }',
    '{ a(x: "b) }',
    '{ a(x: "b\nc") }',
    '{ a(x: 1) } # "c"',
    '{ a(x: 1, y: "\u0001") }',
  ])('%j is left as it is', (text) => {
    expect(skeletonOf(text)).toBeNull();
  });
});

describe('lifting', () => {
  test.each([
    ['a mutation', 'mutation { updateShopConfig(input: { bio: "x" }) { bio } }'],
    ['a default value', 'query Q($n: Int = 5) { receipts(first: $n) { nodes { receiptId } } }'],
    ['a directive', '{ receipts { nodes { receiptId @include(if: "x") } } }'],
    ['a single value for a list', '{ presence: users(wallets: "0x") { wallet } }'],
    ['two operations', '{ receipts(first: 1) { nodes { receiptId } } } query B { receiptsCursor }'],
  ])('%s is not lifted', (_, text) => {
    expect(liftLiterals(schema, text)).toBeNull();
  });

  test('an ID keeps all digits, and a value that is not valid in its place is parsed as it was sent', () => {
    const lifted = liftLiterals(schema, receipt('12'));
    const variablesOf = (text: string) => lifted?.variablesOf(skeletonOf(receipt(text))?.literals ?? []);
    expect(variablesOf('12345678901234567890')).toEqual({ lifted_0: '12345678901234567890' });
    expect(variablesOf('1.5')).toBeNull();
    const list = (n: string) => `{ receipts(first: ${n}) { nodes { receiptId } } }`;
    const first = liftLiterals(schema, list('1'));
    expect(first?.variablesOf(skeletonOf(list('200'))?.literals ?? [])).toEqual({ lifted_0: 200 });
    expect(first?.variablesOf(skeletonOf(list('3000000000'))?.literals ?? [])).toBeNull();
  });
});

const QUERIES: readonly ((value: number) => string)[] = [
  (n) => receipt(`"R-${n}"`),
  (n) => receipt(`${n}`),
  (n) => `query Q { a: receipt(receiptId: "R-${n}") { ...F } } fragment F on Receipt { receiptId totalUsd }`,
  (n) => `{ receipts(first: ${n}, filter: { minUsd: ${n}.5 }) { nodes { receiptId history { seq } } } }`,
  (n) => `{ receipts(first: ${n + 300}) { nodes { receiptId } } }`,
  (n) => `{ receipt(receiptId: "R-${n}") { receiptId } receipt(receiptId: "R-1") { receiptId } }`,
  (n) => `{ receipts(first: "${n}") { nodes { receiptId } } }`,
];

test('a query costs and answers the same, whether its literals are lifted or not', async () => {
  for (const query of QUERIES) {
    const shared = createExecutor(schema);
    for (let n = 1; n <= 5; n++) {
      const text = query(n);
      const [own, lifted] = [createExecutor(schema).prepare(text), shared.prepare(text)];
      if ('errors' in own || 'errors' in lifted) {
        expect(JSON.stringify(lifted), text).toBe(JSON.stringify(own));
        continue;
      }
      expect(lifted.survey.rootFields).toEqual(own.survey.rootFields);
      const costs = [own, lifted].map(({ survey }) => survey.bill({}, context));
      expect(costs[1]!.points, text).toBe(costs[0]!.points);
      expect(costs[1]!.countsAt(100), text).toEqual(costs[0]!.countsAt(100));
      const results = await Promise.all([own.run(context, {}), lifted.run(context, {})]);
      expect(JSON.stringify(results[1]), text).toBe(JSON.stringify(results[0]));
    }
  }
});

test('the arguments of a resolver are the literals of each text', async () => {
  const executor = createExecutor(schema);
  const seen: unknown[] = [];
  const receiptField = schema.getQueryType()?.getFields().receipt;
  const resolve = receiptField?.resolve;
  if (!receiptField || !resolve) throw new Error('The schema has no field receipt');
  receiptField.resolve = (_root, args) => {
    seen.push(args.receiptId);
    return null;
  };
  try {
    for (let n = 1; n <= 6; n++) await prepared(executor, receipt(`"R-${n}"`)).run(context, {});
  } finally {
    receiptField.resolve = resolve;
  }
  expect(seen).toEqual(['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6']);
});
