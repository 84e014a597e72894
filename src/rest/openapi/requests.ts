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
import type { Route } from '../route.ts';
import { described, type JsonSchema } from './json-schema.ts';
import { operationOf } from './selection.ts';

/** What callers may send, as the zod schema that checks it says. */
export function shownSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...shown } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override }) as JsonSchema;
  return shown;
}

type Shown = Record<string, unknown>;

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Shown }): void {
  const { further } = jsonSchema as { further?: z.ZodObject };
  // `optional` takes null for what is left out; there is no need to tell everybody everywhere.
  if (isOptional(zodSchema)) replace(jsonSchema, withoutNull(jsonSchema));
  // What is only a bound of the machine bounds nobody.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (further) {
    delete jsonSchema.further;
    const { properties } = shownSchema(further) as { properties: Shown };
    jsonSchema.properties = { ...(jsonSchema.properties as Shown), ...properties };
  }
}

function replace(schema: Shown, by: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, by);
}

const isOptional = ({ _zod: { def } }: z.core.$ZodTypes): boolean =>
  def.type === 'pipe' && def.in._zod.def.type === 'optional';

function withoutNull(schema: Shown): JsonSchema {
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] };
  const [only, none] = anyOf ?? [];
  return only && anyOf?.length === 2 && none?.type === 'null' ? { ...only, ...rest } : schema;
}

/** A body with the descriptions that the schema's input types give the same fields. */
export function bodyOf(route: Route, schema: GraphQLSchema): JsonSchema | null {
  return route.body ? explained(shownSchema(route.body.schema), explanations(route, schema)) : null;
}

/** The parameters of a query. */
export function queryOf(route: Route, schema: GraphQLSchema): JsonSchema[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = shownSchema(route.query.schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const told = explanations(route, schema);
  return Object.entries(properties).map(([name, { description = told.get(name)?.description, ...shown }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    schema: shown,
  }));
}

type Explained = GraphQLArgument | GraphQLInputField;

/** The arguments of the operation's fields, and the fields of their input objects, by name: what REST takes goes by the same names. */
function explanations({ operation }: Route, schema: GraphQLSchema): ReadonlyMap<string, Explained> {
  const { operation: kind, selectionSet } = operationOf(operation);
  const told = new Map<string, Explained>();
  for (const node of selectionSet.selections) {
    if (node.kind !== Kind.FIELD) continue;
    const field = (schema.getRootType(kind) as GraphQLObjectType).getFields()[node.name.value];
    for (const argument of field?.args ?? []) {
      told.set(argument.name, argument);
      const type = getNamedType(argument.type);
      if (isInputObjectType(type)) for (const one of Object.values(type.getFields())) told.set(one.name, one);
    }
  }
  return told;
}

function explained(shown: JsonSchema, told: ReadonlyMap<string, Explained>): JsonSchema {
  const { properties, items } = shown as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  if (items) return { ...shown, items: explained(items, told) };
  if (!properties) return shown;
  const entries = Object.entries(properties).map(([name, property]) => {
    const one = told.get(name);
    const type = one && getNamedType(one.type);
    const inner = new Map(isInputObjectType(type) ? Object.entries(type.getFields()) : []);
    return [name, described(explained(property, inner), (property.description as string) ?? one?.description)];
  });
  return { ...shown, properties: Object.fromEntries(entries) };
}
