/**
 * The catalogue of refusals. The thrower names a code (`refuse('split_required')`); the catalogue gives its HTTP status
 * and default sentence. REST sends it as `{ error, message, … }`, GraphQL as `extensions.code`.
 */
const catalogue = {
  unauthorized: [401, 'Missing or invalid subscription key'],
  forbidden: [403, 'Insufficient scope or not allowed'],
  signup_closed: [403, 'This server does not register merchants: ask its operator'],
  merchant_suspended: [403, 'This shop does not take payments at the moment'],
  split_required: [403, 'Split contract not configured for this merchant'],
  items_required: [400, 'At least one item is required'],
  inventory_item_not_found: [400, 'Product not found in inventory'],
  invalid_input: [400, 'Invalid request parameters'],
  platform_recipient_not_configured: [400, 'Platform recipient address not set up'],
  missing_receipt_id: [400, 'receiptId is required'],
  invalid_wallet: [400, 'A wallet must be 0x followed by 40 hex characters'],
  missing_status: [400, 'status is required'],
  invalid_buyer: [400, 'buyer must be 0x followed by 40 hex characters'],
  invalid_usd: [400, 'usd must be a number from 0.01 to 10000000.00 with at most two decimals'],
  wallet_required: [400, 'wallet is required'],
  invalid_amount: [400, 'The amount must be a number from 0.01 to 10000000.00 with at most two decimals'],
  query_required: [400, 'Provide exactly one of subscriptionId, customer or merchant'],
  subscription_id_required: [400, 'subscriptionId is required'],
  subscription_not_active: [400, 'The subscription is no longer active'],
  invalid_signature: [400, 'The customer’s signature does not match these terms'],
  invalid_permission: [400, 'The spend permission does not fit the plan'],
  query_too_complex: [400, 'The query is too complex'],
  bad_cursor: [400, 'The cursor is not one of this list in this order, or of this stream'],
  // Clients of automatic persisted queries compare these codes and messages.
  PERSISTED_QUERY_NOT_FOUND: [400, 'PersistedQueryNotFound'],
  PERSISTED_QUERY_NOT_SUPPORTED: [400, 'PersistedQueryNotSupported'],
  not_found: [404, 'Not found'],
  document_not_found: [404, 'No document has this id'],
  plan_not_found: [404, 'Plan not found'],
  method_not_allowed: [405, 'Method not allowed'],
  authorization_refused: [400, 'The token would not accept this authorization'],
  authorization_used: [409, 'This authorization is already used'],
  payment_underway: [409, 'A payment of this receipt is already on its way'],
  gasless_unavailable: [409, 'This payment cannot be made without gas here'],
  connect_code_invalid: [400, 'The code was used, has expired or is not valid with this verifier'],
  receipt_paid: [409, 'Money has arrived for this receipt: a person decides about it'],
  receipt_ended: [409, 'This receipt has ended: it expired or was voided'],
  last_owner: [409, 'A merchant needs an owner: give another member the role first'],
  cursor_expired: [
    410,
    'The cursor is from before the database was restored: read the current state, then follow after `resumeAfter`',
  ],
  link_closed: [410, 'This payment link is closed, or its time is over'],
  deprecated: [410, 'Withdraw with your own wallet: collect, then call release on the split contract'],
  not_acceptable: [406, 'The Accept header names no media type that this route answers with'],
  payload_too_large: [413, 'The request body is larger than 1 MiB'],
  unsupported_media_type: [415, 'Send JSON with Content-Type: application/json'],
  rate_limited: [429, 'Rate limit exceeded'],
  release_limit_reached: [429, 'The releases that a merchant may ask for within 24 hours are used up'],
  mail_limit_reached: [429, 'The e-mails that a merchant may ask for within 24 hours are used up'],
  link_limit_reached: [429, 'The receipts that this payment link makes on a day are used up'],
  signup_limit_reached: [429, 'The merchants that may register within 24 hours are used up'],
  storage_limit_reached: [429, 'What new merchants may store together on a day is used up'],
  too_many_streams: [429, 'Too many live streams are open at once'],
  failed: [500, 'Something went wrong; retry after a delay'],
  charge_failed: [502, 'The charge did not go through'],
  exchange_rate_unavailable: [503, 'No current exchange rate for this currency'],
  datastore_unavailable: [503, 'The database is temporarily unavailable'],
  spender_not_configured: [503, 'Recurring charges are not set up on this server'],
  settlement_not_configured: [503, 'This server does not release shares: recipients do so with their own wallets'],
  mail_not_configured: [503, 'This server sends no e-mail'],
  chain_unavailable: [503, 'The chain cannot be reached right now'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

/** Every error code that a caller may see. */
export type ErrorCode = keyof typeof catalogue;

/** The codes with their HTTP statuses and default sentences, for the generated documents. */
export const errorCatalogue: Readonly<Record<ErrorCode, readonly [status: number, sentence: string]>> = catalogue;

/** An expected refusal of a request. Any other error that is thrown is a defect and is answered as `failed`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Further fields of the answer, such as `resetAt`. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string = catalogue[code][1], extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = catalogue[code][0];
    this.extra = extra;
  }
}

/**
 * The values of `reason` beside `invalid_input`, where the field alone does not tell what is wrong. Pages have words
 * for each of them: the message is English.
 */
export const INPUT_REASONS = {
  assignment_final: 'The receipt of the assignment is paid, or a part of its money was sent back.',
  characters: 'A text has NUL characters or lone surrogates.',
  email_known: 'The receipt has an e-mail address already.',
  email_unconfirmed: 'The address is not stored, or not confirmed.',
  invitation: 'The invitation code is missing, unknown, used or expired.',
  key_ended: 'The key is revoked, expired or replaced.',
  key_reused: 'The idempotency key was used with another body.',
  marked_for_return: 'The transfer is marked for refund.',
  member_already: 'The wallet is a member of the merchant already.',
  no_key: 'There is no key to sign with.',
  no_price: 'An item has no price in the currency.',
  no_proof: 'The transaction does not prove the refund.',
  no_quote: 'The receipt has no current quote in the token.',
  not_offered: 'This way to pay is not offered for the receipt.',
  not_voidable: 'Money of the receipt is on its way, has arrived, or was sent back.',
  nothing_to_accept: 'There is no payment of the receipt to accept.',
  nothing_to_refund: 'The receipt has no final payment that can be sent back.',
  out_of_stock: 'The stock of `sku` is less than the quantity: `most` is left.',
  past: 'The time has passed.',
  rate_known: 'The rate of the transfer is known: it cannot be stated.',
  refund_sent: 'The refund is sent.',
  refunded: 'The receipt is refunded.',
  role_without_notice: 'The role does not receive the notice.',
  split_differs: 'The contract at the address is no known splitter with these shares.',
  split_taken: 'Another merchant uses the contract at the address.',
  takes_no_payment: 'The receipt does not wait for a payment.',
  too_early: 'The chain does not show the transaction yet, or not deep enough: the same request may succeed later.',
  too_many: 'No more than `most` are possible.',
  total_too_large: 'The total is above 10000000.00.',
  total_zero: 'The total is zero.',
  unconfirmed: 'The transfer lacks its confirmations.',
  wallet_taken: 'A merchant is registered under the wallet.',
} as const satisfies Record<string, string>;

export type InputReason = keyof typeof INPUT_REASONS;

/** The field whose value is refused, the reason, or both. */
type RefusedInput = Readonly<Record<string, unknown>> &
  ({ readonly field: string; readonly reason?: InputReason } | { readonly reason: InputReason });

type Extra<C extends ErrorCode> = C extends 'invalid_input'
  ? [message: string, extra: RefusedInput]
  : [message?: string, extra?: Readonly<Record<string, unknown>>];

/** Makes a refusal: `throw refuse('invalid_input', 'qty must be a whole number', { field: 'qty' })`. */
export const refuse = <C extends ErrorCode>(code: C, ...[message, extra]: Extra<C>): Refusal =>
  new Refusal(code, message, extra);

/** Makes the refusal of a request that no form of a page sends. */
export const malformed = (message?: string): Refusal => new Refusal('invalid_input', message);
