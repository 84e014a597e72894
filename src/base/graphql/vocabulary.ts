import type { Currency } from '../core/amount.ts';
import { type ErrorCode, errorCatalogue, INPUT_REASONS } from '../core/errors.ts';
import { MEMBER_ROLES, PERMISSIONS } from '../core/roles.ts';
import type { Scope } from '../core/scopes.ts';
import { builder } from './builder.ts';

/** A word as the name of an enum value: `inventory:read` → `inventory_read`. */
export const nameOfWord = <Word extends string>(word: Word): string => word.replace(/\W/g, '_');

type Values<Words extends Readonly<Record<string, string>>> = {
  readonly [Word in keyof Words & string]: { readonly value: Word; readonly description: string };
};

/**
 * An enum of a closed vocabulary: its words with their descriptions. Resolvers and inputs have the words; clients of
 * GraphQL see `nameOfWord`. The OpenAPI document lists the words of the same enum.
 *
 * @example
 * vocabulary('RefundState', 'The state of a refund.', { … } satisfies Record<RefundState, string>)
 */
export function vocabulary<const Words extends Readonly<Record<string, string>>>(
  name: string,
  description: string,
  words: Words,
) {
  const values = Object.fromEntries(
    Object.entries(words).map(([word, about]) => [nameOfWord(word), { value: word, description: about }]),
  );
  return builder.enumType(name, { description, values: values as unknown as Values<Words> });
}

export const CurrencyEnum = vocabulary('Currency', 'A currency that prices can have.', {
  USD: 'US dollar.',
  EUR: 'Euro.',
} satisfies Record<Currency, string>);

/** The error codes with their sentences. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, [, sentence]]) => [code, `${sentence}.`]),
) as Record<ErrorCode, string>;

export const ErrorCodeEnum = vocabulary('ErrorCode', 'An error code, as in `extensions.code`.', ERROR_CODES);

export const InputReasonEnum = vocabulary('InputReason', 'A `reason` beside `invalid_input`.', INPUT_REASONS);

export const MemberRoleEnum = vocabulary('MemberRole', 'The role of a member of a merchant.', MEMBER_ROLES);

export const PermissionEnum = vocabulary('Permission', 'What a role includes.', PERMISSIONS);

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

export const SortOrder = builder.enumType('SortOrder', {
  description: 'The sort direction.',
  values: { asc: { description: 'Ascending.' }, desc: { description: 'Descending.' } } as const,
});
