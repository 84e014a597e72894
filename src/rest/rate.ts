import { type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import { rateOf } from '../graphql/rate.ts';
import type { RateCategory } from '../platform/config/rate-limits.ts';
import { isRetired, type Row } from './route.ts';

/**
 * The rate category of a route: that of the root field of its stored operation, so that GraphQL and REST count the same
 * action in the same window.
 */
export function rateOfRow(schema: GraphQLSchema, row: Row): RateCategory {
  if (isRetired(row)) return row.rate;
  const operation = getOperationAST(row.operation);
  const [selection] = operation?.selectionSet.selections ?? [];
  if (!operation || selection?.kind !== Kind.FIELD)
    throw new Error(`${row.path}: the first selection of its operation is not a field`);
  const field = schema.getRootType(operation.operation)?.getFields()[selection.name.value];
  if (!field) throw new Error(`${row.path}: the schema has no field ${selection.name.value}`);
  return rateOf(field, operation.operation);
}
