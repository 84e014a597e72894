import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { accessRefusal, type Caller } from '../core/caller.ts';
import { type Refusal, refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import type { Prepared } from '../graphql/execute.ts';
import { INTROSPECTION } from '../graphql/introspection.ts';
import { LIMITS } from '../graphql/limits.ts';
import type { Bill } from '../graphql/survey.ts';

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
  return forbid('scope_missing', 'This key needs the scope graphql:read', { scope: 'graphql:read' });
}

/**
 * What belongs to the GraphQL door alone, asked before execution: a developer key needs `graphql:read` and never runs a mutation; nobody without a proof
 * gets past the public fields. Null where the caller may enter.
 */
export function policyRefusal(
  caller: Caller,
  prepared: Pick<Prepared, 'operation' | 'survey'>,
  openFields: ReadonlySet<string>,
  openIntrospection: boolean,
): Refusal | null {
  const shut = keyRefusal(caller);
  if (shut) return shut;
  if (caller.kind === 'developer' && isMutation(prepared.operation))
    return forbid('session_required', 'Developer keys cannot run mutations');
  if (caller.kind === 'anonymous') {
    const open = (field: string) => openFields.has(field) || (openIntrospection && INTROSPECTION.has(field));
    // `__typename` says nothing, and opens nothing.
    const asked = prepared.survey.rootFields.filter((field) => field !== '__typename');
    if (asked.length === 0 || !asked.every(open)) return accessRefusal(caller, {});
  }
  return null;
}

const isMutation = (operation: OperationDefinitionNode) => operation.operation === 'mutation';

/** What an operation costs and counts as. Refuses one above the limit. */
export function billOf(prepared: Prepared, variables: Record<string, unknown>, context: object): Bill {
  const bill = prepared.survey.bill(variables, context);
  if (bill.points > LIMITS.cost)
    throw refuse('query_too_complex', `The query costs ${Math.ceil(bill.points)}, at most ${LIMITS.cost} is allowed`);
  return bill;
}
