import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin, { type AuthFailure, AuthScopeFailureType } from '@pothos/plugin-scope-auth';
import './page-fields.ts';
import { accessRefusal, type GuardParameters, type Guards, hasSigned } from '../core/caller.ts';
import type { Permission } from '../core/roles.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Context } from './context.ts';
import { directGuards, guardedNullable, guardsHeldBy, unguarded } from './direct-guards.ts';

/** The guards of fields and types. Any one of those that are listed is enough. */
interface AuthScopes extends GuardParameters {
  /** Every caller. */
  readonly public: boolean;
}

interface SchemaTypes {
  Context: Context;
  AuthScopes: AuthScopes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  /** What the resolver of a connection returns beside edges and page info. */
  Connection: { totalCount(): Promise<number> };
  Scalars: {
    ID: { Input: string; Output: string };
    /** A wallet address, lower-case. */
    Wallet: { Input: Wallet; Output: string };
    /** US dollars, at most two decimals. */
    Usd: { Input: number; Output: number };
    /** Epoch milliseconds. */
    Millis: { Input: number; Output: number };
    /** A whole number that a JSON number holds exactly. */
    SafeInt: { Input: number; Output: number };
    /** Token base units, as decimal text. */
    BaseUnits: { Input: string; Output: string };
    /** `0x` and hex digits. */
    Hex: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}

/** The builder of the fields of an object type, for a function that defines some of them. */
export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  Shape
>;

/** The builder of the fields of the query type. */
export type QueryFields = PothosSchemaTypes.QueryFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>['Root']
>;

/** The builder of the fields of the mutation type. */
export type MutationFields = PothosSchemaTypes.MutationFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>['Root']
>;

/**
 * Marks an object type whose values are read only through a guarded parent, such as lines, addresses and prices. Every
 * other object type has scopes of its own. A test walks the schema for types that have neither.
 */
export const throughParent = { extensions: { policy: 'through-parent' } } as const;

/** The complexity of a connection's entries, which the connection multiplies by the size of the page. */
const PER_ENTRY = { field: 1, multiplier: 1 } as const;

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [guardedNullable, directGuards, ScopeAuthPlugin, unguarded, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    pageInfoTypeOptions: { description: 'The boundaries of a page of a list.', ...throughParent },
    hasNextPageFieldOptions: {
      description: 'Whether entries follow this page. Read backward, it is true if `before` was given.',
    },
    hasPreviousPageFieldOptions: {
      description: 'Whether entries precede this page. Read forward, it is true if `after` was given.',
    },
    startCursorFieldOptions: { description: 'The cursor of the first entry, for `before`; null on an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last entry, for `after`; null on an empty page.' },
    firstArgOptions: {
      description: 'At most this number of entries, from the beginning or from `after`. 0 to 200, default 50.',
    },
    afterArgOptions: { description: 'Only entries after this cursor.' },
    lastArgOptions: {
      description: 'At most this number of entries, up to the end or to `before`. 0 to 200. Not together with `first`.',
    },
    beforeArgOptions: { description: 'Only entries before this cursor.' },
    pageInfoFieldOptions: { description: 'Boundaries of the page, and whether there are more pages.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The entries of the page, each with its cursor.',
      complexity: PER_ENTRY,
    },
    nodesOnConnection: { description: 'The entries of the page, without their cursors.', complexity: PER_ENTRY },
    nodeFieldOptions: { nullable: false, description: 'The entry.' },
    cursorFieldOptions: { description: 'The cursor of this entry in the list.' },
  },
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10 },
  scopeAuth: {
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, context, _info, { failure }) => accessRefusal(context.caller, guardsIn(failure)),
    authScopes: ({ caller, clock }) => {
      const held = guardsHeldBy(caller);
      const maySign = (permission: Permission) => held.mayWrite(permission) && hasSigned(caller, clock());
      const platformSign = () => held.platform && held.sessionWrite && hasSigned(caller, clock());
      return { ...held, maySign, platformSign };
    },
  },
});

/** The guards that a caller failed. */
export function guardsIn(failure: AuthFailure): Guards {
  switch (failure.kind) {
    case AuthScopeFailureType.AnyAuthScopes:
    case AuthScopeFailureType.AllAuthScopes:
      return Object.assign({}, ...failure.failures.map(guardsIn));
    case AuthScopeFailureType.AuthScope:
      return { [failure.scope]: failure.parameter };
    default:
      return {};
  }
}

builder.queryType({ description: 'Reads. Keys, sessions and page tokens see what their scopes and roles allow.' });
builder.mutationType({
  description: 'Writes, for sessions with their CSRF token and for page tokens. Developer keys write through REST.',
});
builder.subscriptionType({ description: 'Live updates over websocket or event stream, which resume after a cursor.' });
