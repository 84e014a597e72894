import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { refuse } from '../../../base/core/errors.ts';
import type { RestAnswer } from '../routes/route.ts';
import { drawAnswer } from './envelope.ts';
import { type JsonSchema, namedSchemas, readSelection, targetOf } from './json-schema.ts';

const schema = buildSchema(`
  type Query { shop: Shop!, maybe: Shop }
  type Shop { "What buyers see." name: String!, note: String, open: Boolean!, lines: [Line!]!, owner: Owner }
  type Line { label: String!, qty: Int }
  type Owner { city: String!, zip: String }
`);

/** A schema with the named schemas in their places. */
function inlined(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(inlined);
  const { $ref: _, ...rest } = { ...targetOf(node as JsonSchema), ...node } as JsonSchema;
  return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, inlined(one)]));
}

/** The schema of the body that an envelope over this selection returns. */
function draw(selection: string, answer: (data: never) => RestAnswer) {
  const fields = readSelection(schema, parse(`query Q { ${selection} }`));
  return drawAnswer({ method: 'GET', path: '/x', answer }, fields).body;
}

interface Shop {
  name: string;
  note: string | null;
  open: boolean;
  lines: { label: string; qty: number | null }[];
  owner: { city: string; zip: string | null } | null;
}

test('a field that is passed through keeps its type, description and nullability', () => {
  expect(inlined(draw('shop { name note }', ({ shop }: { shop: Shop }) => ({ body: { ok: true, shop } })))).toEqual({
    type: 'object',
    properties: {
      ok: { type: 'boolean', const: true },
      shop: {
        type: 'object',
        properties: { name: { type: 'string', description: 'What buyers see.' }, note: { type: ['string', 'null'] } },
        required: ['name', 'note'],
      },
    },
    required: ['ok', 'shop'],
  });
});

test('a field that is omitted when null or false is optional and not nullable', () => {
  const body = draw('shop { name note open }', ({ shop: { name, note, open } }: { shop: Shop }) => ({
    body: { name, ...(note === null ? {} : { note }), ...(open ? { open } : {}) },
  }));
  expect(inlined(body)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'What buyers see.' },
      note: { type: 'string' },
      open: { type: 'boolean', const: true },
    },
    required: ['name'],
  });
});

test('spread objects and rearranged list items are described field by field', () => {
  const body = draw('shop { lines { label qty } owner { city zip } }', ({ shop }: { shop: Shop }) => ({
    body: {
      ...shop.owner,
      lines: shop.lines.map(({ label, qty }) => ({ text: label, ...(qty === null ? {} : { qty }) })),
    },
  }));
  expect(inlined(body)).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string' },
      zip: { type: ['string', 'null'] },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { text: { type: 'string' }, qty: { type: 'integer' } },
          required: ['text'],
        },
      },
    },
    required: ['lines'],
  });
});

test('a field whose null is refused is required', () => {
  const body = draw('maybe { name }', ({ maybe }: { maybe: Shop | null }) => {
    if (!maybe) throw refuse('not_found');
    return { body: { name: maybe.name } };
  });
  expect(inlined(body)).toMatchObject({ required: ['name'] });
});

test('an envelope that computes with values is an error that names its route', () => {
  expect(() =>
    draw('shop { name }', ({ shop }: { shop: Shop }) => ({ body: { name: shop.name.toUpperCase() } })),
  ).toThrow('GET /x: the envelope must only arrange values');
});

test('a record has its name where its fields are renamed or omitted, and no other object has it', () => {
  const namesIn = (answer: (data: { shop: Shop }) => RestAnswer) =>
    Object.keys(namedSchemas(draw('shop { name note lines { label qty } owner { city zip } }', answer)));
  expect(namesIn(({ shop: { name, ...rest } }) => ({ body: { title: name, ...rest } }))).toEqual([
    'Line',
    'Owner',
    'Shop',
  ]);
  expect(namesIn(({ shop: { name, note } }) => ({ body: { ok: true, name, note } }))).toEqual([]);
  expect(namesIn(({ shop }) => ({ body: { ...shop.owner, name: shop.name } }))).toEqual([]);
  expect(namesIn(({ shop }) => ({ body: { name: shop.name } }))).toEqual([]);
});
