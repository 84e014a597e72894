import type { GraphQLField, GraphQLSchema, OperationTypeNode } from 'graphql';
import type { RateCategory } from '../platform/config/rate-limits.ts';

/** The minimum cost of a field that calls the chain or a provider. */
export const OUTSIDE_POINTS = 100;

interface RateExtension {
  readonly rate?: RateCategory;
}

/**
 * The rate category of a root field, for every transport: `...countsAs('orders')` among a field's options. Every
 * mutation field declares one. Queries and subscriptions count as `reads`.
 */
export const countsAs = (rate: RateCategory) => ({ extensions: { rate } }) as const;

/** The rate category of a root field. Throws for a mutation field without one. */
export function rateOf(field: GraphQLField<unknown, unknown>, operation: `${OperationTypeNode}`): RateCategory {
  const { rate } = field.extensions as RateExtension;
  if (rate) return rate;
  if (operation === 'mutation') throw new Error(`The mutation field ${field.name} has no rate category`);
  return 'reads';
}

/** Throws if a mutation field of the schema has no rate category. */
export function assertRates(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) rateOf(field, 'mutation');
}
