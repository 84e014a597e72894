import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import { keptBy } from '../core/kept.ts';

/** The cost of one entry of an introspection result. The usual introspection query returns some 30,000 entries. */
export const POINTS_PER_ENTRY = 1 / 6;

/** The size of a type queried by name, relative to the average type. The root types are the largest. */
const LARGEST_TYPE = 10;

/** The introspection root fields. */
export const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/**
 * The average length of a list field of the introspection types, so that the cost of an introspection follows the size
 * of its result. Null for fields that are not lists.
 */
export function introspectionMultiplier(schema: GraphQLSchema, type: string, field: string): number | null {
  if (field === '__type') return LARGEST_TYPE;
  return averagesOf(schema)[`${type}.${field}`] ?? null;
}

const averagesOf = keptBy('sizes of introspection', (schema: GraphQLSchema): Readonly<Record<string, number>> => {
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
