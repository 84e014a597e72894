import { isInterfaceType, isObjectType, isUnionType } from 'graphql';
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
