import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
} from 'graphql';
import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { described, type JsonSchema, nameAs, operationOf } from './json-schema.ts';

/** The JSON Schema of a request part, from the zod schema that checks it. */
function shownSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: mark });
  return settled(made as Marked);
}

/** A JSON Schema made by zod, with marks for what the document shows differently. */
interface Marked extends JsonSchema {
  /** The schema to show instead (`shownAs`). */
  readonly shown?: JsonSchema;
  /** Set by `optional`, which treats null as absent. The document does not repeat that at each field. */
  readonly nullIsNothing?: boolean;
  /** Fields that are read from the whole body: zod schemas until they are marked. */
  readonly further?: JsonSchema;
}

function mark({ zodSchema: { _zod }, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const { def } = _zod;
  if (def.type === 'pipe' && def.in._zod.def.type === 'optional') Object.assign(jsonSchema, { nullIsNothing: true });
  if (def.type === 'object') Object.assign(jsonSchema, { required: requiredIn(def.shape) });
  // zod drops everything but JSON at the end.
  const { further } = jsonSchema as { further?: unknown };
  if (further instanceof z.ZodObject) Object.assign(jsonSchema, { further: shownSchema(further).properties });
}

/**
 * The fields of an object that must be given: those whose schema refuses undefined. zod's own list is wrong for schemas
 * that begin with a transform or a check.
 */
const requiredIn = (shape: Readonly<Record<string, z.core.$ZodType>>): string[] =>
  Object.entries(shape)
    .filter(([, schema]) => !z.safeParse(schema, undefined).success)
    .map(([name]) => name);

function settled({ shown, nullIsNothing, further, ...made }: Marked): JsonSchema {
  if (shown) return { ...shown, ...(made.description ? { description: made.description } : {}) };
  const { anyOf } = made as { anyOf?: Marked[] };
  const [only, none] = anyOf ?? [];
  if (nullIsNothing && only && anyOf?.length === 2 && none?.type === 'null') {
    const { anyOf: _, ...others } = made;
    return { ...settled(only), ...others };
  }
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(made)
      // Omit zod's ±MAX_SAFE_INTEGER bounds.
      .filter(([, value]) => value !== Number.MAX_SAFE_INTEGER && value !== Number.MIN_SAFE_INTEGER)
      .filter(([keyword, value]) => keyword !== 'required' || (value as string[]).length > 0)
      .map(([keyword, value]) => [keyword, settledAt(keyword, value)]),
  );
  if (further) inner.properties = { ...(inner.properties as object), ...further };
  return inner;
}

/** The schemas under a keyword. */
function settledAt(keyword: string, value: unknown): unknown {
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, settled(one)]));
  if (keyword === 'anyOf' || keyword === 'allOf') return (value as Marked[]).map(settled);
  return keyword === 'items' ? settled(value as Marked) : value;
}

/** The schema of a body, with the descriptions of the same fields in the GraphQL input types. */
export function bodyOf(route: Route, schema: GraphQLSchema): JsonSchema | null {
  if (!route.body) return null;
  const shown = explained(shownSchema(route.body.schema), explanations(route, schema));
  return nameAs(`${operationOf(route.operation).name?.value}Body`, shown);
}

/** The parameters of a query. */
export function queryOf(route: Pick<Route, 'query' | 'operation'>, schema: GraphQLSchema): JsonSchema[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = shownSchema(route.query.schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const known = explanations(route, schema);
  return Object.entries(properties).map(([name, { description = known.get(name)?.description, ...shown }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    // A list is one comma-separated value.
    ...(shown.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: shown,
  }));
}

type Explained = GraphQLArgument | GraphQLInputField;

/**
 * The arguments of the operation's fields and the fields of their input objects, by name. REST parameters have the same
 * names.
 */
function explanations({ operation }: Pick<Route, 'operation'>, schema: GraphQLSchema): ReadonlyMap<string, Explained> {
  const { operation: kind, selectionSet } = operationOf(operation);
  const found = new Map<string, Explained>();
  for (const node of selectionSet.selections) {
    if (node.kind !== Kind.FIELD) continue;
    const field = (schema.getRootType(kind) as GraphQLObjectType).getFields()[node.name.value];
    for (const argument of field?.args ?? []) {
      found.set(argument.name, argument);
      for (const one of fieldsOf(argument)) found.set(one.name, one);
    }
  }
  return found;
}

/** The fields of an input object. REST has the fields of a `@oneOf` input, and of its objects, beside the others. */
function fieldsOf({ type }: Explained): Explained[] {
  const object = getNamedType(type);
  if (!isInputObjectType(object)) return [];
  return Object.values(object.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (!isInputObjectType(inner) || !inner.isOneOf) return [field];
    return fieldsOf(field).flatMap((one) => [one, ...fieldsOf(one)]);
  });
}

/** The schema with descriptions. Its object is named, if the GraphQL input of the field is. */
function explained(shown: JsonSchema, known: ReadonlyMap<string, Explained>, name?: string): JsonSchema {
  const { properties, items, anyOf } = shown as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  if (items) return { ...shown, items: explained(items, known, name) };
  if (anyOf) return { ...shown, anyOf: anyOf.map((one) => explained(one, known, name)) };
  if (!properties) return shown;
  const entries = Object.entries(properties).map(([name, property]) => {
    const one = known.get(name);
    const inner = new Map((one ? fieldsOf(one) : []).map((field) => [field.name, field]));
    const type = one && getNamedType(one.type);
    const { description = one?.description, ...bare } = property as JsonSchema & { description?: string };
    return [name, described(explained(bare, inner, isInputObjectType(type) ? type.name : undefined), description)];
  });
  const object = { ...shown, properties: Object.fromEntries(entries) };
  return name ? nameAs(name, object) : object;
}
