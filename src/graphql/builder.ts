import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { accessRefusal } from '../core/caller.ts';
import type { Scope } from '../core/scopes.ts';
import type { Context } from './context.ts';
import './page-option.ts';

/**
 * The vocabulary of guards. A field or type lists what opens it, any one of them will do:
 * `authScopes: { scope: 'receipts:read', admin: true, buyer: true }`.
 */
export interface AuthScopes {
  /** Anyone at all. */
  public: boolean;
  /** A developer key with this scope. */
  scope: Scope;
  /** Any valid developer key. */
  key: boolean;
  /** A session that acts for a merchant; for reads. */
  admin: boolean;
  /** The same with its CSRF token proven; for writes. */
  adminWrite: boolean;
  /** Any signed-in wallet; for reads. */
  session: boolean;
  /** The same with its CSRF token proven; for writes. */
  sessionWrite: boolean;
  /** A platform admin's session with its CSRF token proven. */
  platformWrite: boolean;
  /** The page token of the receipt, also a read-only one; the domain function compares which receipt. */
  buyer: boolean;
  /** The page token of the receipt, and the page was opened by an address that cannot be guessed. */
  buyerWrite: boolean;
  /** The page token of a plan; the domain function compares which. */
  subscriber: boolean;
  /** The page token of the page that shows who is live. */
  visitor: boolean;
  /** The operator's timer. */
  internal: boolean;
}

export interface SchemaTypes {
  Context: Context;
  AuthScopes: AuthScopes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** A wallet address, lower-case. */
    Wallet: { Input: string; Output: string };
    /** US dollars, at most two decimals. */
    Usd: { Input: number; Output: number };
    /** Epoch milliseconds. */
    Millis: { Input: number; Output: number };
    /** Token base units, as decimal text. */
    BaseUnits: { Input: string; Output: string };
    /** `0x` and hex digits. */
    Hex: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}

/**
 * Marks an object type whose values are read only through a guarded parent: lines, addresses, prices. Every other object type has scopes of its own, and
 * a test walks the schema for types that have neither.
 */
export const throughParent = { extensions: { policy: 'through-parent' } } as const;

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    pageInfoTypeOptions: { description: 'Where a stretch of a list ends.', ...throughParent },
    pageInfoFieldOptions: { description: 'Whether there is more before or after.' },
    cursorFieldOptions: { description: 'Where this stands in the list.' },
  },
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10 },
  scopeAuth: {
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, context) => accessRefusal(context.caller),
    authScopes: ({ caller }) => {
      const session = caller.kind === 'session' ? caller : null;
      return {
        public: true,
        scope: (scope) => caller.kind === 'developer' && caller.scopes.has(scope),
        key: caller.kind === 'developer',
        admin: session?.merchant != null,
        adminWrite: session?.merchant != null && session.csrfProven,
        session: session !== null,
        sessionWrite: session?.csrfProven === true,
        platformWrite: session?.platformAdmin === true && session.csrfProven,
        buyer: caller.kind === 'buyer',
        buyerWrite: caller.kind === 'buyer' && !caller.readOnly,
        subscriber: caller.kind === 'subscriber',
        visitor: caller.kind === 'visitor',
        internal: caller.kind === 'internal',
      };
    },
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});
