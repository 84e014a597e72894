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
