import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Permission, ROLES_WITH } from '../../src/base/core/roles.ts';
import { schema as served } from '../../src/doors/http/server/schema.ts';

/** The guards of a type or field, as names: `member`, `scope:receipts:read`. Null if it has none of its own. */
type Guards = ReadonlySet<string> | null;

interface Options {
  readonly authScopes?: Readonly<Record<string, unknown>>;
  readonly grantScopes?: readonly string[];
}

const optionsOf = ({ extensions }: { readonly extensions: object }) =>
  ((extensions as { pothosOptions?: Options }).pothosOptions ?? {}) as Options;

function guardsOf(thing: { readonly extensions: object }): Guards {
  const { authScopes } = optionsOf(thing);
  if (!authScopes) return null;
  const named = Object.entries(authScopes).filter(([, value]) => value !== false);
  return new Set(named.map(([name, value]) => (value === true ? name : `${name}:${value}`)));
}

/**
 * Fields that a guard may refuse although they are not nullable, so that the refusal would remove the object around
 * them: root fields with a guard, fields with a guard of their own, and fields of a type whose guards do not include
 * all of those that open the object around them.
 */
export function guardedFieldFaults(schema: GraphQLSchema = served): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type),
  ) as GraphQLObjectType[];

  /** The guards that open an object of a type: its own, else those of the fields that return it. */
  function opening(type: GraphQLObjectType, seen: ReadonlySet<GraphQLObjectType> = new Set()): ReadonlySet<string> {
    const own = guardsOf(type);
    if (own) return own;
    if (seen.has(type)) return new Set();
    const found = types.flatMap((parent) =>
      Object.values(parent.getFields())
        .filter((field) => getNamedType(field.type) === type)
        .flatMap((field) => [...(guardsOf(field) ?? opening(parent, new Set([...seen, type])))]),
    );
    return new Set(found);
  }

  function mayBeRefused(parent: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
    const own = guardsOf(field);
    if (own && !own.has('public')) return true;
    const type = getNamedType(field.type);
    const inner = isObjectType(type) ? guardsOf(type) : null;
    if (!inner || inner.has('public')) return false;
    const granted = optionsOf(field).grantScopes ?? [];
    if (granted.some((name) => inner.has(`$granted:${name}`))) return false;
    return [...opening(parent)].some((guard) => !includes(inner, guard) || guard.startsWith('$granted'));
  }

  return types.flatMap((parent) =>
    Object.values(parent.getFields())
      .filter((field) => isNonNullType(field.type))
      .filter((field) => (roots.includes(parent) ? isGuarded(field) : mayBeRefused(parent, field)))
      .map((field) => `schema.graphql: ${parent.name}.${field.name} may be refused by a guard: make it nullable`),
  );
}

/** Whether every caller that passes a guard passes these too: the same guard, or a permission of all its roles. */
function includes(guards: ReadonlySet<string>, guard: string): boolean {
  if (guards.has(guard)) return true;
  const permission = permissionIn(guard);
  const wider = [...guards].map(permissionIn).filter((other) => other !== null);
  return (
    permission !== null &&
    wider.some((other) => ROLES_WITH[permission].every((role) => ROLES_WITH[other].includes(role)))
  );
}

const permissionIn = (guard: string): Permission | null =>
  guard.startsWith('may:') ? (guard.slice('may:'.length) as Permission) : null;

function isGuarded(field: GraphQLField<unknown, unknown>): boolean {
  const guards = guardsOf(field);
  return guards !== null && !guards.has('public');
}
