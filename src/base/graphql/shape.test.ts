import { GraphQLError, parse } from 'graphql';
import { expect, test } from 'vitest';
import { type Shape, shapeOf } from './shape.ts';

const shape = (text: string): Shape => shapeOf(parse(text)) as Shape;

/** A chain of fragments, each of which spreads the next one `width` times. */
const nested = (width: number, levels: number) =>
  `{ ...F0 } ${Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Query { ${i === levels - 1 ? '__typename' : `...F${i + 1} `.repeat(width)} }`,
  ).join(' ')}`;

test('selections are counted with each fragment expanded', () => {
  expect(shape('{ a { b } }').selections).toBe(2);
  expect(shape('{ ...F ...F } fragment F on Query { a b }').selections).toBe(6);
  expect(shape(nested(2, 3)).selections).toBe(1 + 2 + 4 + 4);
});

test('measuring takes linear time however often fragments are spread', () => {
  for (const [width, levels] of [
    [2, 60],
    [3, 60],
    [10, 60],
    [30, 60],
  ] as const) {
    const document = parse(nested(width, levels));
    let reads = 0;
    for (const definition of document.definitions) {
      if (definition.kind !== 'FragmentDefinition') continue;
      const { selections } = definition.selectionSet;
      Object.defineProperty(definition.selectionSet, 'selections', {
        get: () => {
          reads++;
          return selections;
        },
      });
    }
    expect((shapeOf(document) as Shape).selections).toBeGreaterThan(width ** (levels - 2));
    expect(reads).toBe(levels);
  }
});

test('depth counts fields only, through fragments, and not the content of __schema', () => {
  expect(shape('{ a { ... on A { b { c } } } }').depth).toBe(3);
  expect(shape('{ ...F } fragment F on Query { a { b } }').depth).toBe(2);
  expect(shape('{ a __schema { types { fields { name } } } }').depth).toBe(1);
});

test('aliases, directives and repeated names are counted in all definitions', () => {
  const { aliases, directives, repeats } = shape(
    'query A @x { a: b c @skip(if: true) } query B { ...F } fragment F on Query { a: c d { d } }',
  );
  expect([aliases, directives, repeats]).toEqual([2, 2, 2]);
});

test.each([
  '{ ...A } fragment A on Query { ...A }',
  '{ ...A } fragment A on Query { a { ...B } } fragment B on Query { ...C } fragment C on Query { ...A ...B }',
])('a fragment that contains itself is an error: %s', (text) => {
  expect(shapeOf(parse(text))).toBeInstanceOf(GraphQLError);
});
