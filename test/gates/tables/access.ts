import type { GraphQLObjectType } from 'graphql';
import type { Guards } from '../../../src/base/core/caller.ts';
import { PERMISSIONS, type Permission, ROLE_NAMES, ROLES_WITH } from '../../../src/base/core/roles.ts';
import { LIMITS } from '../../../src/base/graphql/limits.ts';
import { rateOf } from '../../../src/base/graphql/rate.ts';
import { DEFAULT_RATE_LIMITS } from '../../../src/base/platform/config/rate-limits.ts';
import { BILLING_FIELDS, OPTIONS } from '../../../src/domain/sales/receipts/options.ts';
import { schema } from '../../../src/doors/http/server/schema.ts';
import { rateOfRow } from '../../../src/doors/rest/rate.ts';
import type { Access } from '../../../src/doors/rest/routes/route.ts';
import { routes } from '../../../src/doors/rest/routes.ts';
import { code, codes, table } from './markdown.ts';

const CALLERS: Readonly<Record<Exclude<Access['kind'], 'scope'>, string>> = {
  public: 'anyone',
  key: 'any key, or admin',
  admin: 'admin',
  till: 'admin, or platform admin',
  session: 'any session',
  subscribing: 'any key, any session, or a plan’s page',
  scheduler: '`x-cron-secret`',
};

const callersOf = (access: Access): string =>
  access.kind === 'scope'
    ? `${[access.scope, access.also].flatMap((scope) => (scope ? code(scope) : [])).join(' with ')}, or admin`
    : CALLERS[access.kind];

/** The documents' names for the guards of the schema. */
const GUARDS: Readonly<Record<string, string>> = {
  public: 'anyone',
  key: 'any key',
  member: 'any member',
  memberWrite: 'any member',
  session: 'any session',
  sessionWrite: 'any session',
  platform: 'platform admin',
  platformSign: 'platform admin',
  buyer: 'page token',
  buyerWrite: 'page token that may write',
  subscriber: 'a plan’s page',
  visitor: 'the live page',
  scheduler: 'cron secret',
};

/** Rows with equal cells after the name as one row: its names, then these cells. */
function grouped(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const names = new Map<string, string[]>();
  for (const [name = '', ...cells] of rows) {
    const key = JSON.stringify(cells);
    names.set(key, [...(names.get(key) ?? []), name]);
  }
  return table(
    head,
    [...names].map(([cells, fields]) => [fields.join(', '), ...(JSON.parse(cells) as string[])]),
  );
}

/** The root fields of a type by their callers; `/docs/graphql` describes each field. */
function fieldsOf(type: GraphQLObjectType | null | undefined): string {
  // Keys cannot run mutations over GraphQL. The scopes of mutations are for REST.
  const mutations = type === schema.getMutationType();
  const rows = Object.values(type?.getFields() ?? {})
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((field) => {
      const { authScopes } = field.extensions.pothosOptions as { authScopes: Record<string, unknown> };
      const callers = Object.entries(authScopes).flatMap(([guard, value]) => {
        if (guard.startsWith('may')) return `a role with ${code(String(value))}`;
        if (guard !== 'scope') return GUARDS[guard] as string;
        return mutations ? [] : code(String(value));
      });
      const limit = mutations ? [code(rateOf(field, 'mutation'))] : [];
      return [code(field.name), callers.join(', '), ...limit];
    });
  return grouped(['Fields', 'Permission', ...(mutations ? ['Limit'] : [])], rows);
}

const yes = (holds: boolean): string => (holds ? '✓' : '');

/** What each role includes. */
function rolesTable(): string {
  const rows = Object.entries(PERMISSIONS).map(([permission, what]) => [
    code(permission),
    what,
    ...ROLE_NAMES.map((role) => yes(ROLES_WITH[permission as Permission].includes(role))),
  ]);
  return table(['Permission', 'What it includes', ...ROLE_NAMES], rows);
}

/** The GraphQL fields that each role opens. */
function roleFieldsTable(): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const rows = roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {})
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((field) => {
        const guards = (field.extensions.pothosOptions as { authScopes: Guards }).authScopes;
        const permission = guards.may ?? guards.mayWrite ?? guards.maySign;
        const roles = guards.member || guards.memberWrite ? ROLE_NAMES : permission && ROLES_WITH[permission];
        return roles ? [[code(field.name), ROLE_NAMES.filter((role) => roles.includes(role)).join(', ')]] : [];
      }),
  );
  return grouped(['Fields', 'Roles'], rows);
}

/** The tables of routes, fields and who may use them, by the name of their marker. */
export const accessTables: Readonly<Record<string, () => string>> = {
  'rate-limits': () =>
    table(
      ['Category', 'Requests per minute'],
      Object.entries(DEFAULT_RATE_LIMITS).map(([name, limit]) => [code(name), String(limit)]),
    ),
  roles: rolesTable,
  'role-fields': roleFieldsTable,
  routes: () =>
    table(
      ['Route', 'Permission', 'Limit', 'Description'],
      routes.map((row) => [
        code(`${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`),
        callersOf(row.access),
        code(rateOfRow(schema, row)),
        row.summary,
      ]),
    ),
  options: () =>
    table(
      ['Parameter', 'Names, in order of priority'],
      OPTIONS.map(({ about, aliases }) => [about, codes(aliases)]),
    ),
  'billing-fields': () => codes(BILLING_FIELDS),
  'graphql-limits': () =>
    table(
      ['Limit', 'Maximum'],
      Object.entries(LIMITS).map(([name, most]) => [name, most.toLocaleString('en-US')]),
    ),
  queries: () => fieldsOf(schema.getQueryType()),
  mutations: () => fieldsOf(schema.getMutationType()),
  subscriptions: () => fieldsOf(schema.getSubscriptionType()),
};
