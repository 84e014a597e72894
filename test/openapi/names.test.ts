import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/doors/http/server/schema.ts';
import { nameAs, namedSchemas } from '../../src/doors/rest/openapi/json-schema.ts';
import { root } from '../gates/sources.ts';

type Json = { readonly [name: string]: unknown };
type Place = readonly string[];

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));

/** All objects of a document with their places; examples are values, not descriptions. */
function nodesOf(node: unknown, at: Place = []): { node: Json; at: Place }[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, one]) => (name === 'example' ? [] : nodesOf(one, [...at, name])));
  return Array.isArray(node) ? inner : [{ node: node as Json, at }, ...inner];
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** Whether the node is the schema of an object with fields, not a map of fields. */
const isShape = ({ node, at }: { node: Json; at: Place }) => at.at(-1) !== 'properties' && isObject(node.properties);
const isComponent = (at: Place) => at.length === 3 && at[0] === 'components';

/** A schema without what is said about it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name, one]) => name !== 'description' || isObject(one));
  return Object.fromEntries(entries.sort().map(([name, one]) => [name, shapeOf(one)]));
}

/** Objects that are described inline although the same object is described elsewhere. */
function copies(made: unknown): string[] {
  const places = new Map<string, Place[]>();
  for (const shape of nodesOf(made).filter(isShape)) {
    const text = JSON.stringify(shapeOf(shape.node));
    places.set(text, [...(places.get(text) ?? []), shape.at]);
  }
  return [...places.values()]
    .filter((all) => all.length > 1)
    .flatMap((all) => all.filter((at) => !isComponent(at)).map((at) => at.join('.')));
}

/** Bodies in JSON, of requests and responses, that have no name. */
const unnamed = (made: unknown): string[] =>
  nodesOf(made)
    .filter(({ at }) => at.at(-1) === 'schema' && at.at(-2) === 'application/json')
    .filter(({ node }) => !([node.anyOf ?? node].flat() as Json[]).every((one) => '$ref' in one))
    .map(({ at }) => at.join('.'));

const admitsNull = (node: Json): boolean =>
  [node.type].flat().includes('null') || ((node.anyOf ?? []) as Json[]).some(admitsNull);

/** What GraphQL is asked for: its operations, and fields with their types. */
const IN_GRAPHQL = new Set(
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).flatMap((name) => [name, `${type.name}.${name}`])),
);

/** What the document says of fields and parameters of the REST API that is true of GraphQL alone. */
function foreign(made: Json): string[] {
  const nodes = nodesOf(made).filter(({ at }) => !at.some((step) => /graphql/i.test(step)));
  const words = new Set(nodes.flatMap(({ node }) => [...Object.keys(node), ...Object.values(node).flat()]));
  return nodes.flatMap(({ node, at }) => {
    const { description } = node;
    if (typeof description !== 'string') return [];
    const isField = at.at(-2) === 'properties' || (at.length === 3 && at[1] === 'schemas');
    // Other spellings of a field are not fields.
    const named = [...description.replace(/Also as [^.]*\./, '').matchAll(/(?<!GraphQL query )`([\w.]+)`/g)].map(
      ([, word]) => word as string,
    );
    return [
      ...(isField && /\bnull\b/i.test(description) && !admitsNull(node) ? ['null'] : []),
      ...named.filter((word) => IN_GRAPHQL.has(word) && !words.has(word)),
    ].map((word) => `${at.join('.')}: ${word}`);
  });
}

describe('the document', () => {
  test('describes no object twice', () => expect(copies(document)).toEqual([]));
  test('has a name for every body', () => expect(unnamed(document)).toEqual([]));
  test('says nothing that is true of GraphQL alone', () => expect(foreign(document)).toEqual([]));

  test('has the errors of a body where a body is read, and nowhere else', () => {
    for (const [path, methods] of Object.entries<Json>(document.paths))
      for (const [method, { responses }] of Object.entries(methods as Record<string, { responses: Json }>))
        expect(
          [408, 413, 415].filter((status) => status in responses),
          `${method} ${path}`,
        ).toEqual(method === 'get' ? [] : [408, 413, 415]);
  });

  test('has the records of the API by their names', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Event', 'Item', 'Key', 'Payout', 'Plan', 'Receipt', 'Shop', 'Split', 'Subscription']),
    );
  });
});

describe('caught is', () => {
  const planted = () => structuredClone(document);

  test('a record that is described where it is used', () => {
    const made = planted();
    made.components.schemas.SaveInventoryItemAnswer.properties.item = made.components.schemas.Item;
    expect(copies(made)).toEqual(['components.schemas.SaveInventoryItemAnswer.properties.item']);
  });

  test('a body without a name', () => {
    const made = planted();
    const content = made.paths['/api/orders'].post.requestBody.content['application/json'];
    content.schema = { type: 'object', properties: { items: {} } };
    expect(unnamed(made)).toEqual(['paths./api/orders.post.requestBody.content.application/json.schema']);
  });

  test.each([
    ['a null that is never sent', 'The quantity; null on other lines.', 'null'],
    ['a field of a GraphQL type', 'As in `Receipt.paidAt`.', 'Receipt.paidAt'],
    ['an operation of GraphQL', 'Use `activePlans`.', 'activePlans'],
  ])('%s', (_what, description, word) => {
    const made = planted();
    Object.assign(made.components.schemas.Item.properties.sku, { description });
    expect(foreign(made)).toEqual([`components.schemas.Item.properties.sku: ${word}`]);
  });

  test('one name for two schemas', () => {
    const both = [nameAs('Item', { type: 'object' }), nameAs('Item', { type: 'string' })];
    expect(() => namedSchemas(both)).toThrow('by its own fragment: Item');
    expect(namedSchemas([both[0], { inner: both[0] }])).toEqual({ Item: { type: 'object' } });
  });
});
