import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
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

/** What no key opens. */
const SESSIONS_ONLY: ReadonlySet<Access['kind']> = new Set(['admin', 'till', 'session']);

/** Refuses a caller that the route is not for: 401 without any proof, or without the timer's own where only that counts; else 403. */
export function checkAccess({ access, method }: Pick<Route, 'access' | 'method'>, caller: Caller): void {
  if (RULES[access.kind](caller, access as never, method !== 'GET')) return;
  if (access.kind === 'timer') throw refuse('unauthorized', 'Missing or invalid cron secret');
  if (caller.kind !== 'anonymous') throw refuse('forbidden');
  throw SESSIONS_ONLY.has(access.kind) ? refuse('unauthorized', 'JWT authentication failed') : refuse('unauthorized');
}
