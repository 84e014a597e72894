import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../src/base/core/caller.ts';
import { createExecutor } from '../../src/base/graphql/execute.ts';
import { assertRates, OUTSIDE_POINTS, rateOf } from '../../src/base/graphql/rate.ts';
import { policyRefusal, publicFields } from '../../src/doors/http/server/graphql-policy.ts';
import { schema } from '../../src/doors/http/server/schema.ts';

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

test('only login, its challenge, a code that is exchanged and the site’s configuration are open to anyone', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => (optionsOf(field).authScopes as { public?: boolean } | undefined)?.public === true)
      .map((field) => field.name),
  );
  expect(open.sort()).toEqual(['exchangeConnectCode', 'login', 'loginChallenge', 'siteConfig']);
});

test('the page of who is live reaches those who are live and nothing else', () => {
  const open = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .filter((field) => (optionsOf(field).authScopes as { visitor?: boolean } | undefined)?.visitor === true)
      .map((field) => `${root?.name}.${field.name}`),
  );
  expect(open.sort()).toEqual(['Query.liveUsers', 'Subscription.livePresence']);
});

test('a stream that is shared by all subscribers reaches no field with its own guard', () => {
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

test('every mutation field has a rate category, that of its REST route where it has one', () => {
  expect(() => assertRates(schema)).not.toThrow();
  const categories = Object.fromEntries(
    Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => [field.name, rateOf(field, 'mutation')]),
  );
  expect(categories).toMatchObject({
    createOrder: 'orders',
    createReceipt: 'orders',
    createTerminalReceipt: 'orders',
    createSubscription: 'orders',
    saveInventoryItem: 'inventoryWrites',
    saveInventoryItems: 'inventoryBatches',
    deleteInventoryItem: 'inventoryDeletes',
    deploySplit: 'split',
    replaceSplit: 'split',
    setPresence: 'presence',
    upsertUser: 'presence',
    heartbeat: 'presence',
    login: 'others',
    loginChallenge: 'others',
  });
});

test('a root field that calls the chain or a provider costs at least 100 points', () => {
  const outside = [
    'Query.billing',
    'Query.reserve',
    'Query.statusPing',
    'Query.subscriptionPreflight',
    'Mutation.login',
    'Mutation.createSubscription',
    'Mutation.cancelSubscription',
    'Mutation.chargeSubscription',
    'Mutation.chargeDueSubscriptions',
    'Mutation.deploySplit',
    'Mutation.replaceSplit',
    'Mutation.submitTransaction',
    'Mutation.payWithTestWallet',
    'Mutation.refundReceipt',
    'Mutation.startCardCheckout',
    'Mutation.pingWebhook',
  ];
  const cheap = outside.filter((name) => {
    const [type, field] = name.split('.') as [string, string];
    const complexity = (schema.getType(type) as GraphQLObjectType).getFields()[field]?.extensions.complexity;
    return !(typeof complexity === 'number' && complexity >= OUTSIDE_POINTS);
  });
  expect(cheap).toEqual([]);
});

test('a caller without a proof never reaches introspection in production, however deep it is nested', () => {
  const executor = createExecutor(schema);
  const fields = publicFields(schema);
  for (const levels of [1, 19, 22, 60]) {
    const chain = Array.from(
      { length: levels },
      (_, i) => `fragment F${i} on Query { ${i === levels - 1 ? '__schema { types { name } }' : `...F${i + 1}`} }`,
    );
    const prepared = executor.prepare(`{ siteConfig { brandKey } ...F0 } ${chain.join(' ')}`);
    if ('errors' in prepared) throw new Error(prepared.errors[0]?.message);
    expect(policyRefusal(ANONYMOUS, prepared, fields, false), `${levels} levels`).toMatchObject({
      code: 'unauthorized',
    });
    expect(policyRefusal(ANONYMOUS, prepared, fields, true)).toBeNull();
  }
});
