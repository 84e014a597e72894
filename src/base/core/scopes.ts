/** The permissions of a developer key, chosen when the key is issued. */
export const SCOPES = [
  'inventory:read',
  'inventory:write',
  'orders:create',
  'receipts:read',
  'receipts:write',
  'shop:read',
  'split:read',
  'users:read',
  'graphql:read',
  'receipts:void',
  'refunds:request',
  'webhooks:write',
] as const;

export type Scope = (typeof SCOPES)[number];

const WRITING: ReadonlySet<Scope> = new Set([
  ...(['inventory:write', 'orders:create', 'receipts:write', 'receipts:void'] as const),
  ...(['refunds:request', 'webhooks:write'] as const),
]);

/** Whether a scope writes. Keys with such a scope are issued by an owner. */
export const writes = (scope: Scope): boolean => WRITING.has(scope);

/** What a shop system needs: it makes and follows receipts, and decides about no money. */
export const SHOP_SYSTEM_SCOPES = [
  'orders:create',
  'receipts:read',
  'receipts:write',
  'receipts:void',
  'refunds:request',
  'webhooks:write',
] as const satisfies readonly Scope[];
