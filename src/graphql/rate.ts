import type { GraphQLField, GraphQLSchema, OperationTypeNode } from 'graphql';
import type { RateCategory } from '../platform/config-variables.ts';

/** The least cost of a field that calls the chain or a provider. */
export const OUTSIDE_POINTS = 100;

interface RateExtension {
  readonly rate?: RateCategory;
}

/**
 * The rate category of a root field, declared once for every door: `...countsAs('orders')` among a field's options. Every mutation field declares one;
 * queries and subscriptions count as `reads`.
 */
export const countsAs = (rate: RateCategory) => ({ extensions: { rate } }) as const;

/** The rate category of a root field. A mutation field without one is a mistake in the schema and throws. */
export function rateOf(field: GraphQLField<unknown, unknown>, operation: `${OperationTypeNode}`): RateCategory {
  const { rate } = field.extensions as RateExtension;
  if (rate) return rate;
  if (operation === 'mutation') throw new Error(`The mutation field ${field.name} has no rate category`);
  return 'reads';
}

/** Checks that every mutation field of a schema has a rate category; throws otherwise. */
export function assertRates(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) rateOf(field, 'mutation');
}
