/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema, made nullable. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...bare } = schema;
  const about = description === undefined ? {} : { description };
  if (Object.keys(bare).length === 0) return schema;
  if (Array.isArray(bare.anyOf)) return { ...bare, anyOf: [...bare.anyOf, { type: 'null' }], ...about };
  if (typeof bare.type === 'string' && !('enum' in bare) && !('const' in bare))
    return { ...bare, type: [bare.type, 'null'], ...about };
  return { anyOf: [bare, { type: 'null' }], ...about };
}

/** The schema with a description, if there is one. */
export const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema;

/** An object of exactly these fields. `required` lists those that are always present. */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

/** A reference to a component of the document. */
export const ref = (kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});

const TARGET = Symbol('target');

/** A reference to a named schema. It carries the schema, so that the document has exactly the components it uses. */
export const nameAs = (name: string, schema: JsonSchema): JsonSchema => ({
  ...ref('schemas', name),
  [TARGET]: schema,
});

/** The schema that a reference carries; any other schema itself. */
export const targetOf = (schema: JsonSchema): JsonSchema =>
  (schema as { readonly [TARGET]?: JsonSchema })[TARGET] ?? schema;

/** All schemas that the references in a document carry, by name. Throws if one name has several schemas. */
export function namedSchemas(document: unknown): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const shared = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    Object.values(node).forEach(visit);
    const target = targetOf(node as JsonSchema);
    if (target === node) return;
    const name = String((node as JsonSchema).$ref).slice('#/components/schemas/'.length);
    const known = found.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(target)) shared.add(name);
    if (known) return;
    found.set(name, target);
    visit(target);
  };
  visit(document);
  if (shared.size > 0)
    throw new Error(
      `The API document has several schemas of one name; select each by its own fragment: ${[...shared].sort().join(', ')}`,
    );
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
