import { type GraphQLSchema, getOperationAST, Kind, type OperationTypeNode } from 'graphql';
import { rateOf } from '../../base/graphql/rate.ts';
import type { RateCategory } from '../../base/platform/config/rate-limits.ts';
import { isRetired, type RetiredRoute, type Row } from './routes/route.ts';

/**
 * The rate category of a route: that of the root field of its stored operation, so that GraphQL and REST count the same
 * action in the same window.
 */
export function rateOfRow(schema: GraphQLSchema, row: Row): RateCategory {
  if (isRetired(row)) return row.rate;
  const { type, name } = rootOf(row);
  const field = schema.getRootType(type)?.getFields()[name];
  if (!field) throw new Error(`${row.path}: the schema has no field ${name}`);
  return rateOf(field, type);
}

/** The mutation that a route runs; empty for one that reads. */
export function mutationsOf(row: Row): readonly string[] {
  if (isRetired(row)) return [];
  const { type, name } = rootOf(row);
  return type === 'mutation' ? [name] : [];
}

function rootOf({ path, operation: document }: Exclude<Row, RetiredRoute>): {
  readonly type: OperationTypeNode;
  readonly name: string;
} {
  const operation = getOperationAST(document);
  const [selection] = operation?.selectionSet.selections ?? [];
  if (!operation || selection?.kind !== Kind.FIELD)
    throw new Error(`${path}: the first selection of its operation is not a field`);
  return { type: operation.operation, name: selection.name.value };
}
