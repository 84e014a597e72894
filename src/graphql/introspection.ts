import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import { weakMemo } from '../core/weak-memo.ts';

/** What one entry of an introspection answer costs. The usual introspection query has some 30,000 entries. */
export const POINTS_PER_ENTRY = 1 / 6;

/** How many times larger than the average a type is that a caller names: the root types are the largest. */
const LARGEST_TYPE = 10;

/** Fields that ask about the API itself. */
export const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/**
 * How many entries a list of the introspection types has on average, by type and field, so that an introspection costs as much as its answer is large.
 * Null for what is no list.
 */
export function introspectionMultiplier(schema: GraphQLSchema, type: string, field: string): number | null {
  if (field === '__type') return LARGEST_TYPE;
  return averagesOf(schema)[`${type}.${field}`] ?? null;
}

const averagesOf = weakMemo((schema: GraphQLSchema): Readonly<Record<string, number>> => {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const perType = (counts: readonly number[]) => sum(counts) / types.length;
  const args = sum(fields.map((field) => field.args.length)) / fields.length;
  return {
    '__Schema.types': types.length,
    '__Schema.directives': directives.length,
    '__Type.fields': fields.length / types.length,
    '__Type.inputFields': perType(
      types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    ),
    '__Type.enumValues': perType(types.map((type) => (isEnumType(type) ? type.getValues().length : 0))),
    '__Type.interfaces': perType(
      types.map((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0)),
    ),
    '__Type.possibleTypes': perType(types.map((type) => (isUnionType(type) ? type.getTypes().length : 0))),
    '__Field.args': args,
    '__Directive.args': sum(directives.map((directive) => directive.args.length)) / Math.max(1, directives.length),
    '__Directive.locations': sum(directives.map((directive) => directive.locations.length)) / directives.length,
  };
});
