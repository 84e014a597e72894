import { ANONYMOUS, type Caller } from '../core/caller.ts';

/** What callers may see, whoever they are: those with the same key get the same answers. */
export interface Rights {
  readonly key: string;
  /** A caller with these rights and nobody's name, for executions that many share. */
  readonly caller: Caller;
}

/** Nobody in particular. */
const SHARED = 'shared';

/**
 * What all have in common who may follow a stream that tells everybody the same: whether they may was asked when they came, and its events are executed
 * for nobody, so that what is for somebody in particular cannot be among them.
 */
export const ANONYMOUS_RIGHTS: Rights = { key: 'nobody', caller: ANONYMOUS };

/** The rights of a caller. A key's own limits and a session's id are no part of them. */
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
      const { wallet, merchant, platformAdmin, csrfProven } = caller;
      return {
        key: `session ${wallet} ${merchant} ${platformAdmin} ${csrfProven}`,
        caller: { ...caller, sessionId: SHARED },
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
    case 'internal':
    case 'anonymous':
      return { key: caller.kind, caller };
  }
}
