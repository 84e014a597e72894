import { z } from 'zod';
import type { SpendPermission } from '../../../base/chain/spend-permissions.ts';
import { wholeNumber } from '../../../base/core/amount.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { coded, fault, optional, parseInput, shownAs } from '../../../base/core/input.ts';
import { email, identifier, label, languageTag, wallet } from '../../../base/core/text.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';

const UINT48_MAX = 2 ** 48 - 1;
/** The last second of the year 9999. A larger value is almost certainly in milliseconds. */
const START_MAX_S = 253_402_300_799;
const EXTRA_BYTES_MAX = 4_096;

const address = z
  .custom<string>((value) => parseWallet(value) !== null, { error: 'must be 0x followed by 40 hex characters' })
  .transform((value) => parseWallet(value) as Wallet);

/** A whole number too large for JSON: decimal digits, or `0x` and hex digits. The result has decimal digits. */
function bigNumber(bits: number) {
  const error = `must be a string of digits, below 2^${bits}`;
  return z
    .string({ error })
    .regex(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/, { error })
    .transform((text, ctx) => {
      const value = BigInt(text);
      return value < 1n << BigInt(bits) ? value.toString() : fault(ctx, error);
    });
}

const HEX_WANTED = `must be 0x followed by the hex digits of at most ${EXTRA_BYTES_MAX} bytes`;

const permissionData = z.object({
  account: address,
  spender: address,
  token: address,
  allowance: bigNumber(160),
  period: wholeNumber(1, UINT48_MAX),
  start: wholeNumber(0, START_MAX_S),
  end: wholeNumber(0, UINT48_MAX),
  salt: bigNumber(256),
  extraData: z
    .string({ error: HEX_WANTED })
    .max(2 + 2 * EXTRA_BYTES_MAX, { error: HEX_WANTED })
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, { error: HEX_WANTED })
    .transform((hex) => hex.toLowerCase() as `0x${string}`),
});

/** The permission as the customer signed it. Any fault in it is refused with `invalid_permission`, naming the field. */
const permission = shownAs(
  z.transform((value: unknown, ctx): SpendPermission => {
    try {
      return parseInput(z.object({ permissionData }), { permissionData: value }).permissionData;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const path = String(error.extra.field).split('.').slice(1);
      ctx.addIssue({ code: 'custom', message: error.message, path, params: { code: 'invalid_permission' } });
      return z.NEVER;
    }
  }),
  {
    type: 'object',
    required: ['account', 'spender', 'token', 'allowance', 'period', 'start', 'end', 'salt', 'extraData'],
    properties: {
      account: { type: 'string', description: 'The customer’s wallet.' },
      spender: { type: 'string', description: 'The contract that charges.' },
      token: { type: 'string', description: 'The token’s contract.' },
      allowance: { type: 'string', description: 'Base units of the token for each period.' },
      period: { type: 'integer', description: 'Seconds.' },
      start: { type: 'integer', description: 'Unix seconds, inclusive.' },
      end: { type: 'integer', description: 'Unix seconds, exclusive.' },
      salt: { type: 'string', description: 'A number, in digits.' },
      extraData: { type: 'string', description: 'Hex, may be empty: 0x.' },
    },
  },
);

/** A customer's signature in any form; its length and content are checked when it is verified. */
const signature = coded(
  'invalid_signature',
  (value) => typeof value === 'string',
  'The signature must be a string of 0x and hex digits',
).pipe(z.string());

/** The body of `POST /api/subscriptions/create`. */
export const subscriptionInput = z.object({
  planId: identifier,
  customerWallet: wallet,
  permissionSignature: signature,
  permissionData: permission,
  /** The chain of the signature's domain (EIP-155). */
  chainId: optional(wholeNumber(1, 2 ** 47)),
  /** Proves who drafted a permission that is approved on the chain; its signature is `0x`. */
  draftToken: optional(identifier),
  /** Where the customer wants to hear of the subscription, and in which language. */
  email: optional(email),
  language: optional(languageTag),
});

type Parsed = z.output<typeof subscriptionInput>;
/** A customer's signed permission for a plan. */
export type SubscriptionInput = Omit<Parsed, 'email' | 'language'> & Partial<Pick<Parsed, 'email' | 'language'>>;

/** The body of `POST /api/subscriptions/cancel`. The signature is needed only without a session of the customer. */
export const cancelInput = z.object({
  subscriptionId: coded('subscription_id_required', (value) => value != null && value !== '').pipe(identifier),
  wallet: coded('wallet_required', (value) => value != null && value !== '').pipe(wallet),
  signature: optional(signature),
  /** Epoch ms; the same value as in the signed data. */
  expiresAt: optional(z.int({ error: 'must be a whole number of milliseconds' }).min(0)),
});

/** The subscription to cancel and the customer's proof. */
export type CancelInput = z.output<typeof cancelInput>;

/** The maximum and the default length of a list of subscriptions. */
export const LIST_MAX = 200;
export const LIST_USUAL = 100;

const subscriptionsQuery = z.object({
  customer: optional(wallet),
  merchant: optional(wallet),
  limit: optional(wholeNumber(1, LIST_MAX)),
  page: optional(wholeNumber(0, 10_000)),
});

/** A page of the subscriptions of a customer or of a merchant. */
export interface SubscriptionList {
  readonly of: 'customer' | 'merchant';
  readonly wallet: Wallet;
  readonly limit: number;
  readonly offset: number;
}

const searching = z.object({ q: label.nullish() });

/** A search for subscribers; undefined: none. Refuses with `invalid_input`. */
export const parseSearch = (q: unknown): string | undefined => parseInput(searching, { q }).q ?? undefined;

/**
 * Parses the query for a list. Refuses with `query_required` unless exactly one of customer and merchant is given,
 * `invalid_wallet` and `invalid_input`.
 */
export function parseList(query: { readonly customer?: unknown; readonly merchant?: unknown }): SubscriptionList {
  if ((query.customer == null) === (query.merchant == null)) throw refuse('query_required');
  const { customer, merchant, limit = LIST_USUAL, page = 0 } = parseInput(subscriptionsQuery, query);
  const of = customer ? 'customer' : 'merchant';
  return { of, wallet: (customer ?? merchant) as Wallet, limit, offset: limit * page };
}
