import { readFileSync } from 'node:fs';
import { buildASTSchema, type FieldDefinitionNode, type GraphQLSchema, Kind, parse, visit } from 'graphql';

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Root fields that are null without a refusal. */
const NULL_WITHOUT_REFUSAL = ['user'];

/**
 * The schema for the types of our own operations. A root field is null where a guard refuses it. Our REST routes and
 * pages throw on the first error, so they never receive that null.
 */
export default function load(path: string): GraphQLSchema {
  const document = visit(parse(readFileSync(path, 'utf8')), {
    ObjectTypeDefinition: (type) =>
      ROOTS.includes(type.name.value) ? { ...type, fields: type.fields?.map(required) } : undefined,
  });
  return buildASTSchema(document);
}

function required(field: FieldDefinitionNode): FieldDefinitionNode {
  if (field.type.kind === Kind.NON_NULL_TYPE || NULL_WITHOUT_REFUSAL.includes(field.name.value)) return field;
  return { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } };
}
