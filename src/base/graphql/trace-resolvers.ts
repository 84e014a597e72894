import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { traced } from '../core/traced.ts';

const tracedSchemas = new WeakSet<GraphQLSchema>();

/**
 * Lets traces show each root field of queries and mutations. It changes the schema, so call it before operations are
 * compiled, and only if traces are on.
 */
export function traceResolvers(schema: GraphQLSchema): void {
  if (tracedSchemas.has(schema)) return;
  tracedSchemas.add(schema);
  for (const type of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(type?.getFields() ?? {})) {
      const { resolve } = field;
      if (!resolve) continue;
      const described = {
        kind: 'resolver',
        name: `${type?.name}.${field.name}`,
        attributes: { 'graphql.field': field.name },
      } as const;
      const shown: GraphQLFieldResolver<unknown, unknown> = (...given) => traced(described, () => resolve(...given));
      field.resolve = shown;
    }
}
