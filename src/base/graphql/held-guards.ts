import { type Caller, may } from '../core/caller.ts';
import type { Permission } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';

/** The guards that depend on the caller alone: whether each lets it pass, or how it decides by its parameter. */
export function guardsHeldBy(caller: Caller) {
  const session = caller.kind === 'session' ? caller : null;
  return {
    public: true,
    scope: (scope: Scope) => caller.kind === 'developer' && caller.scopes.has(scope),
    key: caller.kind === 'developer',
    may: (permission: Permission) => may(caller, permission),
    mayWrite: (permission: Permission) => session?.csrfProven === true && may(caller, permission),
    member: session?.merchant != null,
    memberWrite: session?.merchant != null && session.csrfProven,
    session: session !== null,
    sessionWrite: session?.csrfProven === true,
    platform: session?.platformAdmin === true,
    buyer: caller.kind === 'buyer',
    buyerWrite: caller.kind === 'buyer' && !caller.readOnly,
    subscriber: caller.kind === 'subscriber',
    visitor: caller.kind === 'visitor',
    scheduler: caller.kind === 'scheduler',
  };
}
