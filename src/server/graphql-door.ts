import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  BREAK,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Caller, turnAway } from '../core/caller.ts';
import { type Refusal, refuse } from '../core/errors.ts';
import type { Prepared } from '../graphql/execute.ts';
import { LIMITS } from '../graphql/limits.ts';

/** How many points of cost count as one request against the rate limit. */
export const COST_PER_REQUEST = 100;

/** Fields that ask about the API itself. */
const INTROSPECTION = new Set(['__schema', '__type']);

/** The root fields that anyone may ask, by their own guards. */
export function publicFields(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const options = field.extensions.pothosOptions as { authScopes?: { public?: boolean } } | undefined;
      if (options?.authScopes?.public === true) names.add(field.name);
    }
  }
  return names;
}

/** Why a caller may not ask anything at all here, whatever it is. */
export function keyRefusal(caller: Caller): Refusal | null {
  if (caller.kind !== 'developer' || caller.scopes.has('graphql:read')) return null;
  return refuse('forbidden', 'This key needs the scope graphql:read');
}

/**
 * What belongs to the GraphQL door alone, asked before execution: a developer key needs `graphql:read` and never runs a mutation; nobody without a proof
 * gets past the public fields. Null where the caller may enter.
 */
export function refusalAtDoor(
  caller: Caller,
  prepared: Pick<Prepared, 'operation' | 'rootFields'>,
  openFields: ReadonlySet<string>,
  openIntrospection: boolean,
): Refusal | null {
  const shut = keyRefusal(caller);
  if (shut) return shut;
  if (caller.kind === 'developer' && isMutation(prepared.operation))
    return refuse('forbidden', 'Developer keys cannot run mutations');
  if (caller.kind === 'anonymous') {
    const open = (field: string) => openFields.has(field) || (openIntrospection && INTROSPECTION.has(field));
    // `__typename` says nothing, and opens nothing.
    const asked = prepared.rootFields.filter((field) => field !== '__typename');
    if (asked.length === 0 || !asked.every(open)) return turnAway(caller);
  }
  return null;
}

const isMutation = (operation: OperationDefinitionNode) => operation.operation === 'mutation';

/** What an operation costs: its fields, times the length of the lists they stand in. Refuses one above the limit. */
export function costOf(
  schema: GraphQLSchema,
  prepared: Prepared,
  variables: Record<string, unknown>,
  context: object,
): number {
  const fixed = fixedCosts.get(prepared);
  const complexity = fixed ?? complexityOf(schema, prepared, variables, context);
  if (fixed === undefined) fixedCosts.set(prepared, isFixed(schema, prepared) ? complexity : null);
  if (complexity > LIMITS.cost)
    throw refuse('query_too_complex', `The query costs ${complexity}, at most ${LIMITS.cost} is allowed`);
  return complexity;
}

function complexityOf(
  schema: GraphQLSchema,
  prepared: Prepared,
  variables: Record<string, unknown>,
  ctx: object,
): number {
  try {
    return complexityFromQuery(prepared.document, { schema, variables, ctx }).complexity;
  } catch (error) {
    throw error instanceof GraphQLError ? refuse('invalid_input', error.message) : error;
  }
}

/** What texts cost; null for those whose variables change it. */
const fixedCosts = new WeakMap<Prepared, number | null>();

/** Whether a text costs the same whatever its variables say: none of its fields makes its cost from arguments. */
function isFixed(schema: GraphQLSchema, { document }: Prepared): boolean {
  const types = new TypeInfo(schema);
  let fixed = true;
  const Field = () => {
    if (typeof types.getFieldDef()?.extensions.complexity !== 'function') return;
    fixed = false;
    return BREAK;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return fixed;
}
