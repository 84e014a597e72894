import type { Scope } from '../core/scopes.ts';
import { vocabulary } from './vocabulary.ts';

export const ScopeEnum = vocabulary('Scope', 'A permission of a developer key. REST writes it with a colon.', {
  'inventory:read': 'Reads the catalog (`inventory:read`).',
  'inventory:write': 'Changes the catalog (`inventory:write`).',
  'orders:create': 'Places orders (`orders:create`).',
  'receipts:read': 'Reads receipts and their status (`receipts:read`).',
  'receipts:write': 'Creates receipts and reports the buyer’s progress (`receipts:write`).',
  'shop:read': 'Reads shop, prices, taxes, balances and reserve (`shop:read`).',
  'split:read': 'Reads the split and its transactions (`split:read`).',
  'users:read': 'Searches users and follows their presence (`users:read`).',
  'graphql:read': 'Sends GraphQL queries and subscriptions (`graphql:read`).',
  'receipts:void': 'Ends receipts that are not paid, or replaces them (`receipts:void`).',
  'refunds:request': 'Asks for refunds, which a person sends or declines (`refunds:request`).',
  'webhooks:write': 'Registers and deletes webhook endpoints of its own (`webhooks:write`).',
} satisfies Record<Scope, string>);
