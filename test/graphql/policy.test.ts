import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/server/schema.ts';

interface Options {
  readonly authScopes?: unknown;
  readonly extensions?: { readonly policy?: string };
}
const optionsOf = (thing: { extensions: Record<string, unknown> }) => (thing.extensions.pothosOptions ?? {}) as Options;
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

const objectTypes = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith('__') && !roots.includes(type as never),
);

test('every object type has scopes of its own, or is read through a guarded parent', () => {
  const open = objectTypes.filter((type) => {
    const { authScopes } = optionsOf(type);
    return authScopes === undefined && type.extensions.policy !== 'through-parent';
  });
  expect(open.map((type) => type.name)).toEqual([]);
  expect(objectTypes.map((type) => type.name)).toContain('PageInfo');
});

test('every root field has scopes', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => optionsOf(field).authScopes === undefined)
      .map((field) => `${root?.name}.${field.name}`),
  );
  expect(open).toEqual([]);
});

test('a type that is read through its parent is never the way to a root field’s result without a guard', () => {
  // Interfaces and unions would need a policy for each member; there are none.
  expect(Object.values(schema.getTypeMap()).filter((type) => isInterfaceType(type) || isUnionType(type))).toEqual([]);
});

test('only login, its challenge and the site’s configuration are open to anyone', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => (optionsOf(field).authScopes as { public?: boolean } | undefined)?.public === true)
      .map((field) => field.name),
  );
  expect(open.sort()).toEqual(['login', 'loginChallenge', 'siteConfig']);
});

test('the page of who is live reaches those who are live and nothing else', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => (optionsOf(field).authScopes as { visitor?: boolean } | undefined)?.visitor === true)
      .map((field) => `${root?.name}.${field.name}`),
  );
  expect(open.sort()).toEqual(['Query.liveUsers', 'Subscription.livePresence']);
});

test('what is told the same to all leads to nothing that has a guard of its own', () => {
  const seen = new Set<GraphQLObjectType>();
  const walk = (type: GraphQLOutputType): void => {
    const named = getNamedType(type);
    if (!isObjectType(named) || seen.has(named)) return;
    seen.add(named);
    for (const field of Object.values(named.getFields())) walk(field.type);
  };
  const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {}).filter(
    (field) => field.extensions.sameForAll === true,
  );
  for (const field of fields) walk(field.type);
  expect(fields.map((field) => field.name)).toEqual(['livePresence', 'presenceOf']);
  expect([...seen].map(({ name }) => name).sort()).toEqual(['PresenceEvent', 'User']);
  const guarded = [...seen].flatMap((type) =>
    [type, ...Object.values(type.getFields())].filter((thing) => optionsOf(thing as never).authScopes !== undefined),
  );
  expect(guarded).toEqual([]);
});
