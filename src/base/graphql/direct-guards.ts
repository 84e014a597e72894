import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { weakMemo } from '../core/caches.ts';
import { ANONYMOUS, type Caller, may } from '../core/caller.ts';
import type { Permission } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';

declare global {
  // Interfaces merge only if names and type parameters equal those of Pothos.
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      directGuards: DirectGuardsPlugin<Types>;
      unguarded: UnguardedPlugin<Types>;
    }
  }
}

/** The guards of a field or a type, of which one is enough. A value is the parameter of the guard. */
type ScopeMap = Readonly<Record<string, unknown>>;

/** A field that is guarded by scope maps alone. */
interface DirectField {
  /** As in `Receipt.status`. */
  readonly name: string;
  /** All of them must let the caller pass. */
  readonly maps: readonly ScopeMap[];
  readonly passes: (caller: Caller) => boolean;
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** The resolvers below the guards of scope-auth. */
const unguardedResolvers = new WeakMap<object, unknown>();
const fields: DirectField[] = [];

/** The fields of the built schemas whose guards this plugin checks first. */
export const directFields: readonly DirectField[] = fields;

/** Options under which scope-auth checks in another way. */
const UNUSUAL = ['skipTypeScopes', 'skipInterfaceScopes', 'runScopesOnType', 'unauthorizedResolver'];

/**
 * Checks the guards of fields before scope-auth does. A caller that passes reaches the resolver directly; every other
 * one goes through scope-auth, which looks at granted scopes and refuses. The result is the same, without the work of
 * scope-auth for each field of each request. Left to scope-auth are fields that grant scopes, and guards that depend on
 * more than the caller.
 */
class DirectGuardsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(guarded: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const direct = unguardedResolvers.get(field) as Resolver<Types> | undefined;
    if (!direct || direct === guarded) return guarded;
    const maps = this.mapsOf(field);
    if (maps === null) return guarded;
    const checks = maps.map(checkOf);
    const [first, second] = checks;
    const passes =
      first && checks.length === 1
        ? first
        : first && second && checks.length === 2
          ? (caller: Caller) => first(caller) && second(caller)
          : (caller: Caller) => checks.every((check) => check(caller));
    fields.push({ name: `${field.parentType}.${field.name}`, maps, passes });
    return (parent, args, context, info) =>
      passes((context as { readonly caller: Caller }).caller)
        ? direct(parent, args, context, info)
        : guarded(parent, args, context, info);
  }

  /** The scope maps of a field, of its type and of the type's interfaces; null if scope-auth has more to do. */
  private mapsOf(field: PothosOutputFieldConfig<Types>): readonly ScopeMap[] | null {
    const type = this.buildCache.getTypeConfig(field.parentType);
    if (type.kind !== 'Object' && type.kind !== 'Query' && type.kind !== 'Mutation') return null;
    const interfaces = type.kind === 'Object' ? type.interfaces : [];
    const owners = interfaces.map((one) => this.buildCache.getTypeConfig(one, 'Interface'));
    const options = [field, type, ...owners].map(({ pothosOptions }) => pothosOptions as Record<string, unknown>);
    if (options.some((own) => own.grantScopes || UNUSUAL.some((name) => own[name] !== undefined))) return null;
    const maps = options.flatMap(({ authScopes }) => (authScopes === undefined ? [] : [authScopes]));
    return maps.every(isDirect) ? maps : null;
  }
}

/** Keeps the resolver of each field as it is below scope-auth. */
class UnguardedPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    unguardedResolvers.set(field, resolver);
    return resolver;
  }
}

/** The guards that depend on the caller alone. */
const DIRECT: ReadonlySet<string> = new Set(Object.keys(guardsHeldBy(ANONYMOUS)));
const GRANTED = '$granted';

const isDirect = (map: unknown): map is ScopeMap =>
  typeof map === 'object' && map !== null && Object.keys(map).every((name) => name === GRANTED || DIRECT.has(name));

const heldBy = weakMemo((caller: Caller) => guardsHeldBy(caller) as Readonly<Record<string, unknown>>);

/**
 * The check of a scope map, one for each. It keeps its last decision: a caller never changes, and the requests of a key
 * share one object.
 */
const checkOf = weakMemo((map: ScopeMap) => {
  const guards = Object.entries(map).filter(([name]) => name !== GRANTED);
  let last: Caller | null = null;
  let passed = false;
  return (caller: Caller): boolean => {
    if (caller === last) return passed;
    const held = heldBy(caller);
    passed = guards.some(([name, parameter]) => {
      const guard = held[name];
      return typeof guard === 'function' ? Boolean(guard(parameter)) : guard === true;
    });
    last = caller;
    return passed;
  };
});

/** The names of the plugins. In the list of the builder, scope-auth is between them. */
export const directGuards = 'directGuards' as const;
export const unguarded = 'unguarded' as const;

SchemaBuilder.registerPlugin(directGuards, DirectGuardsPlugin);
SchemaBuilder.registerPlugin(unguarded, UnguardedPlugin);

declare global {
  // Interfaces merge only if names and type parameters equal those of Pothos.
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      guardedNullable: GuardedNullablePlugin<Types>;
    }
  }
}

const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription'];

/**
 * Makes the root fields that a guard may refuse nullable, so that a refusal leaves the other root fields of the answer.
 * Resolvers need not know: a field without null in its options never resolves to null.
 */
class GuardedNullablePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { authScopes } = field.pothosOptions as { readonly authScopes?: { readonly public?: boolean } };
    if (!ROOTS.includes(field.kind) || !authScopes || authScopes.public === true) return field;
    return { ...field, type: { ...field.type, nullable: true } };
  }
}

/** The name of the plugin, for the list of the builder. */
export const guardedNullable = 'guardedNullable' as const;

SchemaBuilder.registerPlugin(guardedNullable, GuardedNullablePlugin);

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
