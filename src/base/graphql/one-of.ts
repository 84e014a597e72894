import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/** For each input object: its fields that are or contain a `@oneOf` input. */
type Ways = Map<GraphQLInputObjectType, readonly GraphQLInputField[]>;

/**
 * The check of the `@oneOf` inputs in the variables of an operation, which graphql-jit does not make: whether each has
 * exactly one field, which is not null. Null if no variable can contain such an input. Values of a wrong type pass,
 * because a compiled operation refuses them itself.
 */
export function oneOfCheck(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ((variables: Readonly<Record<string, unknown>>) => boolean) | null {
  const ways: Ways = new Map();
  const checked = variableDefinitions.flatMap(({ variable, type }) => {
    const given = typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]);
    return isInputType(given) && leadsToOne(given, ways) ? [[variable.name.value, given] as const] : [];
  });
  if (checked.length === 0) return null;
  return (variables) => checked.every(([name, type]) => holds(type, variables[name], ways));
}

/** Whether a type is or contains a `@oneOf` input. Input types may contain themselves. */
function leadsToOne(type: GraphQLInputType, ways: Ways): boolean {
  const object = getNamedType(type);
  if (!isInputObjectType(object)) return false;
  if (!ways.has(object)) {
    const fields = Object.values(object.getFields());
    // While its fields are looked at, a type that contains itself counts as one with a `@oneOf` input.
    ways.set(object, fields);
    ways.set(
      object,
      fields.filter((field) => leadsToOne(field.type, ways)),
    );
  }
  return object.isOneOf || (ways.get(object) ?? []).length > 0;
}

function holds(type: GraphQLInputType, value: unknown, ways: Ways): boolean {
  if (isNonNullType(type)) return holds(type.ofType, value, ways);
  if (isListType(type))
    return Array.isArray(value) ? value.every((one) => holds(type.ofType, one, ways)) : holds(type.ofType, value, ways);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return true;
  if (type.isOneOf && !namesOne(value)) return false;
  return (ways.get(type) ?? []).every((field) =>
    holds(field.type, (value as Readonly<Record<string, unknown>>)[field.name], ways),
  );
}

/** Whether an object has exactly one field, which is not null. Undefined counts as absent. */
function namesOne(value: object): boolean {
  const given = Object.values(value).filter((one) => one !== undefined);
  return given.length === 1 && given[0] !== null;
}
