import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { accessRefusal, type Caller } from '../../../base/core/caller.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import { INTROSPECTION } from '../../../base/graphql/introspection.ts';
import { LIMITS } from '../../../base/graphql/limits.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';
import type { RateCategory } from '../../../base/platform/config/rate-limits.ts';

/** The root fields that every caller may use, according to their own guards. */
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

/** Why a caller may not use GraphQL at all, for any operation. */
export function keyRefusal(caller: Caller): Refusal | null {
  if (caller.kind !== 'developer' || caller.scopes.has('graphql:read')) return null;
  return forbid('scope_missing', 'This key needs the scope graphql:read', { scope: 'graphql:read' });
}

/**
 * The rules of the GraphQL endpoint, checked before execution: a developer key needs `graphql:read` and cannot run
 * mutations; an anonymous caller may use public fields only. Null if the caller may proceed.
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
    // `__typename` returns no data, so it does not count as a public field.
    const selected = prepared.survey.rootFields.filter((field) => field !== '__typename');
    if (selected.length === 0 || !selected.every(open)) return accessRefusal(caller, {});
  }
  return null;
}

/** Why a caller may not read the schema as text: the same callers may introspect it. */
export function schemaRefusal(caller: Caller, openIntrospection: boolean): Refusal | null {
  const shut = keyRefusal(caller) ?? trustedRefusal(caller);
  if (shut) return shut;
  return caller.kind === 'anonymous' && !openIntrospection ? accessRefusal(caller, {}) : null;
}

/** Why a caller may not run an operation of its own, but only trusted documents. */
export function trustedRefusal(caller: Caller): Refusal | null {
  if (caller.kind !== 'developer' || !caller.trustedOnly) return null;
  return forbid('trusted_document_required', 'This key runs trusted documents only: send the documentId of one');
}

const isMutation = (operation: OperationDefinitionNode) => operation.operation === 'mutation';

/** How many points of cost count as one request against the rate limit. */
const POINTS_PER_REQUEST = 100;

/** The same for a signed-in wallet: a person reads long lists, a page at a time. */
const POINTS_PER_SESSION_REQUEST = 1_000;

/** How many requests an operation counts as, per rate category. Refuses an operation above the limit of cost. */
export function requestsOf(
  caller: Caller,
  prepared: Prepared,
  variables: Record<string, unknown>,
  context: object,
): ReadonlyMap<RateCategory, number> {
  const { points, countsAt } = prepared.survey.bill(variables, context);
  if (points > LIMITS.cost)
    throw refuse('query_too_complex', `The query costs ${Math.ceil(points)}, at most ${LIMITS.cost} is allowed`);
  return countsAt(caller.kind === 'session' ? POINTS_PER_SESSION_REQUEST : POINTS_PER_REQUEST);
}
