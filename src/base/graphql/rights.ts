import { ANONYMOUS, type Caller } from '../core/caller.ts';

/** What a caller may see. Callers with the same key receive the same results. */
export interface Rights {
  readonly key: string;
  /** A caller with these rights and no identity, for shared executions. */
  readonly caller: Caller;
}

/** The placeholder identity of shared executions. */
const SHARED = 'shared';

/**
 * Rights for streams whose events are the same for every subscriber. Access is checked when the subscription opens; the
 * events are executed anonymously, so they cannot contain personal data.
 */
export const ANONYMOUS_RIGHTS: Rights = { key: 'anonymous', caller: ANONYMOUS };

/** The rights of a caller. A key's rate limits and a session's id are not part of them. */
export function rightsOf(caller: Caller): Rights {
  switch (caller.kind) {
    case 'developer': {
      const scopes = [...caller.scopes].sort();
      return {
        key: `developer ${caller.merchant} ${scopes.join(',')}`,
        caller: { ...caller, keyId: SHARED, unlimited: false, limits: null },
      };
    }
    case 'session': {
      const { wallet, merchant, role, platformAdmin, csrfProven } = caller;
      return {
        key: `session ${wallet} ${merchant} ${role} ${platformAdmin} ${csrfProven}`,
        caller: { ...caller, sessionId: SHARED, confirmedAt: 0 },
      };
    }
    case 'buyer':
      return {
        key: `buyer ${caller.merchant} ${caller.readOnly === true} ${JSON.stringify(caller.receiptId)}`,
        caller: { ...caller },
      };
    case 'subscriber':
      return { key: `subscriber ${caller.merchant} ${JSON.stringify(caller.planId)}`, caller: { ...caller } };
    case 'visitor':
    case 'scheduler':
    case 'anonymous':
      return { key: caller.kind, caller };
  }
}
