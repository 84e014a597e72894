import { type DocumentNode, type FieldNode, type GraphQLSchema, Kind } from 'graphql';
import { accessRefusal, type Caller, type Guards, may } from '../../base/core/caller.ts';
import { refuse } from '../../base/core/errors.ts';
import { sessionFailed } from '../../base/core/forbidden.ts';
import type { Permission } from '../../base/core/roles.ts';
import type { Scope } from '../../base/core/scopes.ts';
import { type Access, isStreamed, type Route, type Row } from './routes/route.ts';

type Checked = Pick<Route, 'access' | 'method'> & {
  /** What a session's role must include; null: any role. */
  readonly permission: Permission | null;
};
type Rule = (caller: Caller, route: Checked, unsafe: boolean) => boolean;

const isAdmin = (caller: Caller, { permission }: Checked, unsafe: boolean) =>
  caller.kind === 'session' &&
  caller.merchant !== null &&
  (permission === null || may(caller, permission)) &&
  (!unsafe || caller.csrfProven);

const RULES: Readonly<Record<Access['kind'], Rule>> = {
  public: () => true,
  key: (caller, route, unsafe) => caller.kind === 'developer' || isAdmin(caller, route, unsafe),
  scope: (caller, route, unsafe) =>
    caller.kind === 'developer' ? missingScope(route.access, caller) === undefined : isAdmin(caller, route, unsafe),
  admin: isAdmin,
  till: (caller, route) =>
    isAdmin(caller, route, true) || (caller.kind === 'session' && caller.platformAdmin && caller.csrfProven),
  subscribing: (caller, _route, unsafe) =>
    caller.kind === 'developer' ||
    caller.kind === 'subscriber' ||
    (caller.kind === 'session' && (!unsafe || caller.csrfProven)),
  scheduler: (caller) => caller.kind === 'scheduler',
  session: (caller, _route, unsafe) => caller.kind === 'session' && (!unsafe || caller.csrfProven),
};

/** The first scope of a route that the caller, if it is a key, does not have. */
const missingScope = (access: Access, caller: Caller): Scope | undefined =>
  access.kind === 'scope' && caller.kind === 'developer'
    ? [access.scope, access.also].find((scope) => scope !== undefined && !caller.scopes.has(scope))
    : undefined;

/** Access kinds that no key satisfies. */
const SESSIONS_ONLY: ReadonlySet<Access['kind']> = new Set(['admin', 'till', 'session']);

/** The same rules as guards of the schema, for the reason of a refusal. */
function guardsOf({ access, permission }: Checked, caller: Caller, unsafe: boolean): Guards {
  const member: Guards =
    permission === null ? { [unsafe ? 'memberWrite' : 'member']: true } : { [unsafe ? 'mayWrite' : 'may']: permission };
  const session: Guards = unsafe ? { sessionWrite: true } : { session: true };
  switch (access.kind) {
    case 'key':
      return { key: true, ...member };
    case 'scope':
      return { scope: missingScope(access, caller) ?? access.scope, ...member };
    case 'admin':
      return member;
    case 'till':
      return { ...member, platformSign: true };
    case 'session':
      return session;
    case 'subscribing':
      return { key: true, subscriber: true, ...session };
    default:
      return {};
  }
}

/** What a route asks of a session's role: what the field of its operation asks. Null: any role. */
export function permissionOf(schema: GraphQLSchema, route: Row): Permission | null {
  if (isStreamed(route)) return route.permission;
  const guards = 'operation' in route ? fieldGuards(schema, route.operation) : {};
  return guards.may ?? guards.mayWrite ?? guards.maySign ?? null;
}

/** The guards of the root field of a stored operation. */
function fieldGuards(schema: GraphQLSchema, { definitions }: DocumentNode): Guards {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [selection] = operation?.selectionSet.selections ?? [];
  const field = operation && schema.getRootType(operation.operation)?.getFields()[(selection as FieldNode).name.value];
  return (field?.extensions.pothosOptions as { authScopes?: Guards } | undefined)?.authScopes ?? {};
}

/**
 * Refuses a caller without access to the route: 401 without a proof, or without the cron secret on routes that need it;
 * else 403 with the reason.
 */
export function checkAccess(route: Checked, caller: Caller): void {
  const { access, method } = route;
  const unsafe = method !== 'GET';
  if (RULES[access.kind](caller, route, unsafe)) return;
  if (access.kind === 'scheduler') throw refuse('unauthorized', 'Missing or invalid cron secret');
  if (caller.kind === 'anonymous' && SESSIONS_ONLY.has(access.kind)) throw sessionFailed('session_missing');
  throw accessRefusal(caller, guardsOf(route, caller, unsafe));
}
