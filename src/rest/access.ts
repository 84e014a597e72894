import { accessRefusal, type Caller, type Guards } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { sessionFailed } from '../core/forbidden.ts';
import type { Access, Route } from './route.ts';

type Rule = (caller: Caller, access: never, unsafe: boolean) => boolean;

const isAdmin = (caller: Caller, unsafe: boolean) =>
  caller.kind === 'session' && caller.merchant !== null && (!unsafe || caller.csrfProven);

const RULES: Readonly<Record<Access['kind'], Rule>> = {
  public: () => true,
  key: (caller, _access, unsafe) => caller.kind === 'developer' || isAdmin(caller, unsafe),
  scope: (caller, access: Extract<Access, { kind: 'scope' }>, unsafe) =>
    caller.kind === 'developer' ? caller.scopes.has(access.scope) : isAdmin(caller, unsafe),
  admin: (caller, _access, unsafe) => isAdmin(caller, unsafe),
  till: (caller) =>
    caller.kind === 'session' && (caller.merchant !== null || caller.platformAdmin) && caller.csrfProven,
  subscribing: (caller, _access, unsafe) =>
    caller.kind === 'developer' ||
    caller.kind === 'subscriber' ||
    (caller.kind === 'session' && (!unsafe || caller.csrfProven)),
  timer: (caller) => caller.kind === 'internal',
  session: (caller, _access, unsafe) => caller.kind === 'session' && (!unsafe || caller.csrfProven),
};

/** Access kinds that no key satisfies. */
const SESSIONS_ONLY: ReadonlySet<Access['kind']> = new Set(['admin', 'till', 'session']);

/** The same rules as guards of the schema, for the reason of a refusal. */
function guardsOf(access: Access, unsafe: boolean): Guards {
  const admin: Guards = unsafe ? { adminWrite: true } : { admin: true };
  const session: Guards = unsafe ? { sessionWrite: true } : { session: true };
  switch (access.kind) {
    case 'key':
      return { key: true, ...admin };
    case 'scope':
      return { scope: access.scope, ...admin };
    case 'admin':
      return admin;
    case 'till':
      return { adminWrite: true, platformWrite: true };
    case 'session':
      return session;
    case 'subscribing':
      return { key: true, subscriber: true, ...session };
    default:
      return {};
  }
}

/**
 * Refuses a caller without access to the route: 401 without a proof, or without the cron secret on routes that need it;
 * else 403 with the reason.
 */
export function checkAccess({ access, method }: Pick<Route, 'access' | 'method'>, caller: Caller): void {
  const unsafe = method !== 'GET';
  if (RULES[access.kind](caller, access as never, unsafe)) return;
  if (access.kind === 'timer') throw refuse('unauthorized', 'Missing or invalid cron secret');
  if (caller.kind === 'anonymous' && SESSIONS_ONLY.has(access.kind)) throw sessionFailed('session_missing');
  throw accessRefusal(caller, guardsOf(access, unsafe));
}
