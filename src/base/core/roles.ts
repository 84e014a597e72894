import type { Scope } from './scopes.ts';

/** What a member of a merchant may do. Each guard of the schema names one of them (`may`, `mayWrite`). */
export const PERMISSIONS = {
  till: 'Takes payments at the till.',
  'receipts:own': 'Reads the receipts that the own wallet created.',
  'receipts:read': 'Reads all receipts, with their payments, refunds, subscriptions and events.',
  'receipts:write': 'Creates orders, receipts and quotes, and reports the progress of buyers.',
  money: 'Refunds, accepts and voids payments, and assigns or returns unmatched money.',
  'catalog:read': 'Reads the catalog.',
  'catalog:write': 'Changes the catalog.',
  'shop:read': 'Reads shop, prices and taxes.',
  'shop:write': 'Changes shop, prices and taxes.',
  'plans:write': 'Changes recurring plans.',
  'split:read': 'Reads the split and its transactions.',
  split: 'Changes the split.',
  reports: 'Reads statistics, billing and balances, and exports data.',
  keys: 'Reads and revokes developer keys, issues those that open no more than its role, and reads which requests failed.',
  'keys:write': 'Issues developer keys that write.',
  webhooks: 'Reads and changes webhook endpoints, for events that its role may read, and reads and repeats deliveries.',
  'members:read': 'Reads who belongs to the merchant.',
  members: 'Invites, changes and removes members.',
  'audit:read': 'Reads the audit log.',
  privacy: 'Erases the personal data of buyers.',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof PERMISSIONS;

/** The roles of members, each with its purpose. */
export const MEMBER_ROLES = {
  owner: 'Does everything. A merchant always has an owner.',
  manager: 'Runs the shop, without its split, its members and keys that write.',
  cashier: 'Takes payments at the till and reads the receipts that it created.',
  bookkeeper: 'Reads and exports, and changes nothing.',
  developer: 'Manages keys and webhooks, and moves no money. Its own keys open what it may read itself.',
} as const satisfies Record<string, string>;

export type MemberRole = keyof typeof MEMBER_ROLES;

export const ROLE_NAMES = Object.keys(MEMBER_ROLES) as MemberRole[];

/** The roles that have each permission, the most limited last. This is the only table of roles and permissions. */
export const ROLES_WITH: Readonly<Record<Permission, readonly MemberRole[]>> = {
  till: ['owner', 'manager', 'cashier'],
  'receipts:own': ['owner', 'manager', 'bookkeeper', 'cashier'],
  'receipts:read': ['owner', 'manager', 'bookkeeper'],
  'receipts:write': ['owner', 'manager'],
  money: ['owner', 'manager'],
  'catalog:read': ['owner', 'manager', 'bookkeeper'],
  'catalog:write': ['owner', 'manager'],
  'shop:read': ['owner', 'manager', 'bookkeeper', 'developer', 'cashier'],
  'shop:write': ['owner', 'manager'],
  'plans:write': ['owner', 'manager'],
  'split:read': ['owner', 'manager', 'bookkeeper'],
  split: ['owner'],
  reports: ['owner', 'manager', 'bookkeeper'],
  keys: ['owner', 'manager', 'developer'],
  'keys:write': ['owner'],
  webhooks: ['owner', 'manager', 'developer'],
  'members:read': ['owner', 'manager'],
  members: ['owner'],
  'audit:read': ['owner', 'manager', 'bookkeeper'],
  privacy: ['owner'],
};

/**
 * What the issuer of a key must hold for each of its scopes: keys outlive sessions and members, so a key opens nothing
 * that its issuer does not. The role that may issue keys that write holds everything.
 */
export const NEEDED_FOR_SCOPE: Readonly<Record<Scope, Permission>> = {
  'inventory:read': 'catalog:read',
  'inventory:write': 'keys:write',
  'orders:create': 'keys:write',
  'receipts:read': 'receipts:read',
  'receipts:write': 'keys:write',
  // It opens the balances as well.
  'shop:read': 'reports',
  'split:read': 'split:read',
  // Every session reads profiles, and may use GraphQL.
  'users:read': 'keys',
  'graphql:read': 'keys',
  'receipts:void': 'keys:write',
  'refunds:request': 'keys:write',
  'webhooks:write': 'keys:write',
};

/** The resources that events tell of, with what the issuer of an endpoint must hold to have their bodies sent there. */
const NEEDED_FOR_EVENTS = {
  receipt: 'receipts:read',
  refund: 'receipts:read',
  subscription: 'receipts:read',
  transfer: 'receipts:read',
  payout: 'split:read',
  stock: 'catalog:read',
} as const satisfies Record<string, Permission>;

/** What an event tells of: the part of its kind before the point. */
export type EventResource = keyof typeof NEEDED_FOR_EVENTS;

/** What the issuer of a key with these scopes must hold. */
export const neededForScopes = (scopes: readonly Scope[]): Permission[] =>
  scopes.map((scope) => NEEDED_FOR_SCOPE[scope]);

/** What the issuer of an endpoint that receives these kinds must hold: kinds of events, `receipt.*` or `*`. */
export const neededForKinds = (kinds: readonly string[]): Permission[] =>
  kinds.flatMap((kind) => {
    const [resource] = kind.split('.');
    return kind === '*' ? Object.values(NEEDED_FOR_EVENTS) : [NEEDED_FOR_EVENTS[resource as EventResource]];
  });

/** Whether a role holds all of these permissions. */
export const covers = (role: MemberRole, needed: readonly Permission[]): boolean =>
  needed.every((permission) => permissionsOf(role).has(permission));

const permissionsIn = (role: MemberRole): ReadonlySet<Permission> =>
  new Set((Object.keys(PERMISSIONS) as Permission[]).filter((permission) => ROLES_WITH[permission].includes(role)));

const PERMISSIONS_OF: Readonly<Record<MemberRole, ReadonlySet<Permission>>> = {
  owner: permissionsIn('owner'),
  manager: permissionsIn('manager'),
  cashier: permissionsIn('cashier'),
  bookkeeper: permissionsIn('bookkeeper'),
  developer: permissionsIn('developer'),
};

/** The permissions of a role. */
export const permissionsOf = (role: MemberRole): ReadonlySet<Permission> => PERMISSIONS_OF[role];
