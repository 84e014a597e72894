import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { KIND_PATTERNS } from '../../../domain/webhooks/events/kinds.ts';

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

/** The fields that an operation selects, each with its schema. */
export type Selected =
  | { readonly kind: 'value'; readonly schema: JsonSchema; readonly boolean: boolean }
  | { readonly kind: 'list'; readonly schema: JsonSchema; readonly item: Nullable }
  | { readonly kind: 'object'; readonly schema: JsonSchema; readonly fields: ReadonlyMap<string, Nullable> };

export interface Nullable {
  readonly selected: Selected;
  readonly nullable: boolean;
  /** The object that has the field; none for the fields of the operation itself. */
  readonly owner?: Owner;
}

/** The name and the description of an object in the document. */
export interface Owner {
  readonly name: string;
  readonly about: string | null | undefined;
}

const PLAIN: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  JSON: {},
};

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Wallet: { type: 'string', pattern: '^0x[0-9a-f]{40}$' },
  Usd: { type: 'number' },
  Millis: { type: 'integer' },
  SafeInt: { type: 'integer' },
  BaseUnits: { type: 'string', pattern: '^[0-9]{1,78}$' },
  Hex: { type: 'string', pattern: '^0x[0-9a-f]*$' },
};

/** The fields of a stored operation, by response name. */
export function readSelection(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, Nullable> {
  const operation = operationOf(document);
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );

  function readType(type: GraphQLOutputType, node: SelectionSetNode | undefined, field: string): Nullable {
    if (isNonNullType(type)) return { ...readType(type.ofType, node, field), nullable: false };
    if (isListType(type)) {
      const item = readType(type.ofType, node, field);
      return { nullable: true, selected: { kind: 'list', item, schema: { type: 'array', items: whole(item) } } };
    }
    if (isObjectType(type) && node) return { nullable: true, selected: readObject(type, node) };
    return {
      nullable: true,
      selected: { kind: 'value', schema: readValue(type, field), boolean: type.toString() === 'Boolean' },
    };
  }

  function readValue(type: GraphQLOutputType, field: string): JsonSchema {
    const words = VOCABULARIES[field];
    if (words) return { type: 'string', enum: [...words] };
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ value }) => value) };
    const { name, description } = getNamedType(type);
    const plain = PLAIN[name];
    if (plain) return plain;
    const scalar = SCALARS[name];
    if (!scalar) throw new Error(`${field}: the API document does not know the type ${name}`);
    return nameAs(name, described(scalar, description));
  }

  function readObject(type: GraphQLObjectType, node: SelectionSetNode): Selected {
    const fields = readFields(type, node);
    const properties = Object.fromEntries([...fields].map(([name, field]) => [name, whole(field)]));
    const { name } = node.selections.length === 1 ? ownerOf(type, node.selections[0]) : type;
    return { kind: 'object', fields, schema: nameAs(name, described(objectOf(properties), type.description)) };
  }

  function readFields(type: GraphQLObjectType, { selections }: SelectionSetNode): Map<string, Nullable> {
    const read = new Map<string, Nullable>();
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value) as FragmentDefinitionNode;
        for (const [name, field] of readFields(type, fragment.selectionSet))
          read.set(name, { ...field, owner: ownerOf(type, node) });
      } else if (node.kind === Kind.FIELD) {
        const field = type.getFields()[node.name.value];
        if (!field) throw new Error(`${type.name} has no field ${node.name.value}`);
        const { selected, nullable } = readType(field.type, node.selectionSet, `${type.name}.${field.name}`);
        const schema = described(selected.schema, field.description);
        const isOptional = nullable || (node.directives ?? []).length > 0;
        read.set((node.alias ?? node.name).value, {
          selected: { ...selected, schema },
          nullable: isOptional,
          owner: ownerOf(type, node),
        });
      } else throw new Error(`${type.name}: the API document does not support inline fragments`);
    }
    return read;
  }

  const root = schema.getRootType(operation.operation) as GraphQLObjectType;
  // A route throws on the first error, so it never receives the null of a refused field. What the fields of the
  // operation say is about the operation in GraphQL.
  const fields = readFields(root, operation.selectionSet);
  return new Map(
    [...fields].map(([name, { selected }]) => {
      const { description: _, ...schema } = selected.schema;
      return [name, { selected: { ...selected, schema }, nullable: false }];
    }),
  );
}

/** An object is named after the fragment that selects it, `PlanRecord` → `Plan`, else after its type. */
const ownerOf = ({ name, description }: GraphQLObjectType, node: SelectionNode | undefined): Owner => ({
  name: node?.kind === Kind.FRAGMENT_SPREAD ? node.name.value.replace(/Record$/, '') : name,
  about: description,
});

/** The single operation of a stored document. */
export function operationOf(document: DocumentNode): OperationDefinitionNode {
  return document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
}

/** The schema of a field, nullable where the field is. */
const whole = ({ selected, nullable }: Nullable): JsonSchema => (nullable ? orNull(selected.schema) : selected.schema);

/** Fields of type String in the GraphQL schema that have a fixed set of values, which are no names in GraphQL. */
const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  'WebhookEndpoint.kinds': KIND_PATTERNS,
};
