/* Every column that holds texts, by whether it names a buyer. A new column belongs into one of these lists. */

/** Personal data of buyers, which an erasure deletes. */
export const ERASED = {
  audit_entries: 'personal',
  idempotent_answers: 'answer',
  mail_messages: 'answer',
  merchant_events: 'body',
  onramp_sessions: 'redirect_url',
  receipt_search: 'buyer_email terms',
  receipt_terms: 'entry',
  refunds: 'note',
  subscriptions: 'email',
  receipts: 'metadata billing_address redirect_url success_url post_payment link_visitor',
  webhook_attempts: 'answer',
  webhook_deliveries: 'body',
};

/** Wallets, transactions and what is signed for them: the chain shows them, and the accounts need them. */
const ON_CHAIN = {
  billing_events: 'transaction_hash',
  bound_transactions: 'transaction_hash',
  charges: 'transaction_hash',
  onramp_sessions: 'transaction_hash',
  payment_authorizations: 'payer transaction_hash',
  receipt_history: 'detail',
  receipt_search: 'buyer_wallet hashes',
  receipts: 'transaction_hash buyer_wallet',
  refund_transfers: 'transaction_hash buyer',
  refunds: 'buyer transaction_hashes',
  spender_broadcasts: 'sealed_raw',
  spender_transactions: 'subject_id',
  submitted_transactions: 'transaction_hash signed_by',
  subscription_events: 'transaction_hash',
  subscriptions: 'customer permission permission_hash sealed_signature',
  transfers: 'transaction_hash sender',
};

/** Members of a merchant and the operator, who are no buyers. */
const OF_STAFF = {
  api_keys: 'label addresses issuer',
  audit_entries: 'actor salt personal_digest',
  login_nonces: 'wallet',
  mail_messages: 'member',
  mail_preferences: 'wallet email',
  merchant_invitations: 'label created_by used_by',
  merchant_invites: 'note used_by',
  merchant_members: 'wallet label added_by',
  receipt_history: 'actor',
  receipts: 'created_by',
  refunds: 'actor',
  sessions: 'wallet address user_agent',
  transfers: 'assigned_by refund_marked_by',
  webhook_endpoints: 'issuer',
};

/** What wallets publish about themselves, for all merchants. */
const PROFILES = {
  follows: 'follower followed',
  users: 'wallet display_name search_name pfp_url bio domains platforms languages space_url platform',
};

/** Settings, names of goods, amounts, states, ids, digests and secrets. They name no buyer. */
const NOT_PERSONAL = {
  api_keys: 'id first_id merchant scopes digest sealed limits origins replaced_by',
  audit_entries: 'merchant action object_type object_id before after previous_hash hash',
  audit_heads: 'merchant hash',
  billing_events: 'merchant charge_id subscription_id',
  bound_transactions: 'merchant receipt_id token',
  chain_blocks: 'hash',
  charges: 'merchant id subscription_id status split token receipt_id failure',
  coin_watches: 'address',
  counted_receipts: 'merchant id status token',
  counted_zones: 'merchant zone after_id',
  event_positions: 'merchant epoch',
  idempotent_answers: 'merchant operation key body_digest',
  images: 'digest media_type bytes',
  inventory_items:
    'merchant id sku name currency category description tags images thumb thumb_digest attributes jurisdiction_code',
  jobs: 'queue data schedule',
  login_nonces: 'nonce host session_id',
  mail_counts: 'key',
  mail_messages: 'merchant id kind subject_id state refused_digest',
  mail_preferences: 'merchant language notices',
  merchant_events: 'merchant id kind source',
  merchant_invitations: 'id merchant role digest',
  merchant_invites: 'id digest',
  merchant_jurisdictions: 'merchant code display_name rate components',
  merchant_members: 'merchant role',
  merchants: 'wallet name brand_key shop pricing suspended_reason counted_zone',
  onramp_sessions: 'merchant id receipt_id provider provider_session_id status failure_code token pay_to url event_ids',
  payment_authorizations: 'token nonce merchant receipt_id pay_to state',
  payment_links: 'merchant id name items currency jurisdiction_code return_url',
  payment_pauses: 'token reason',
  plans: 'merchant id name description period payment_tokens',
  quotes: 'merchant id receipt_id pay_to token usd usd_per_unit earlier',
  rate_history: 'currency provider usd_per_unit',
  receipt_addresses: 'address merchant receipt_id factory split',
  receipt_days: 'merchant status token',
  receipt_followers: 'name epoch snapshot rebuild_merchant rebuild_id',
  receipt_history: 'merchant receipt_id kind status previous_status name',
  receipt_index: 'name epoch snapshot rebuild_merchant rebuild_id',
  receipt_months: 'merchant groups',
  receipt_search: 'merchant id facet reference subscription_id plan_id skus',
  receipt_terms: 'merchant receipt_id',
  receipt_touches: 'merchant receipt_id',
  receipts:
    'merchant id origin status announced_status currency line_items jurisdiction_code tax_rate tax_components pricing brand_name link_id created_heads transaction_id language webhook_url key_id content_digest paid_token failure_code onramp_session_id accepted_usd',
  refund_transfers: 'merchant receipt_id token sender',
  refunds: 'merchant receipt_id id state items reason',
  secret_checks: 'name value',
  sessions: 'id merchant',
  settlement_shares: 'merchant receipt_id split token payee transaction_hash',
  spender_broadcasts: 'hash sender kind',
  spender_nonces: 'sender',
  spender_transactions: 'sender purpose merchant state outcome mined_hash',
  splits: 'merchant id address recipients salt init_code',
  stream_epoch: 'name epoch system_identifier',
  submitted_transactions: 'merchant receipt_id vouched_by',
  subscription_events: 'merchant subscription_id kind status charge_id receipt_id failure',
  subscriptions: 'merchant id language plan_id period token status last_failure',
  transfers:
    'block_hash token pay_to split merchant receipt_id address_of quote_id usd asked_usd unmatched_reason meant_for assigned_from',
  webhook_attempts: 'delivery_id error',
  webhook_deliveries: 'id merchant receipt_id event url key_id state endpoint_id event_id',
  webhook_endpoints: 'merchant id key_id url description kinds sealed_secret previous_secrets state disabled_reason',
  webhook_jobs: 'delivery_id endpoint',
};

/** All lists. */
export const COLUMNS: readonly Readonly<Record<string, string>>[] = [
  ERASED,
  ON_CHAIN,
  OF_STAFF,
  PROFILES,
  NOT_PERSONAL,
];
