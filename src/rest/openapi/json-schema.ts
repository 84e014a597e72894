/** A JSON Schema of 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The same schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...bare } = schema;
  const told = description === undefined ? {} : { description };
  if (Object.keys(bare).length === 0) return schema;
  if (Array.isArray(bare.anyOf)) return { ...bare, anyOf: [...bare.anyOf, { type: 'null' }], ...told };
  if (typeof bare.type === 'string' && !('enum' in bare) && !('const' in bare))
    return { ...bare, type: [bare.type, 'null'], ...told };
  return { anyOf: [bare, { type: 'null' }], ...told };
}

/** The same schema with a description, where there is one to give. */
export const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema;

/** An object of exactly these fields; `required` names those that are always there. */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

export const ref = (kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});
