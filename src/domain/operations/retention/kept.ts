import type { RETENTION_VARIABLES } from '../../../base/platform/config/retention.ts';

/** How long the rows of a table are kept, in words: with a variable, what comes after its number of days. */
interface Kept {
  readonly until: string;
  readonly variable?: keyof typeof RETENTION_VARIABLES;
}

const FOR_EVER: Kept = { until: 'for ever' };
/** Sums and lists that the workers derive from the receipts. */
const AS_RECEIPTS: Kept = { until: 'as long as the receipts' };
/** Money that moved, and what proves it. */
const MONEY: Kept = { until: 'for ever: it proves what was paid' };
const SETTINGS: Kept = { until: 'until the merchant changes or deletes it' };
const TRANSACTIONS: Kept = { until: 'for ever: any of the signed forms may be mined' };

/** How long the rows of each table are kept. The document about it is made from this. */
export const KEPT: Readonly<Record<string, Kept>> = {
  api_keys: { until: 'for ever, also revoked ones: receipts and deliveries name them' },
  audit_entries: { until: 'for ever; personal data until it is erased' },
  audit_heads: FOR_EVER,
  billing_events: MONEY,
  bound_transactions: MONEY,
  chain_blocks: { until: 'as long as the watcher may read the block again: some hundred blocks' },
  chain_cursors: { until: 'one row for each chain' },
  chain_reorganizations: { until: 'for ever: payments of any age are compared with them' },
  charges: MONEY,
  coin_watches: { until: 'for ever; read until a week after the last quote' },
  counted_receipts: AS_RECEIPTS,
  counted_zones: SETTINGS,
  event_positions: { until: 'one row for each merchant with events' },
  follows: { until: 'until the wallet follows no longer' },
  idempotent_answers: { until: '24 hours after the request' },
  images: { until: 'for ever if a product has shown it; a profile picture until an hour after no profile shows it' },
  inventory_items: SETTINGS,
  jobs: { until: 'until they are done, or given up after a week' },
  login_nonces: { until: 'until it is used, or expires after 5 minutes' },
  mail_counts: { until: 'a day; mailboxes as digests' },
  mail_messages: {
    until:
      'after the server has taken or refused it; of a refused address for ever, as a digest, until the buyer is erased',
    variable: 'KEEP_MAILS_DAYS',
  },
  mail_preferences: { until: 'until the member stops it, is removed or leaves' },
  merchant_events: { until: 'after the event', variable: 'KEEP_EVENTS_DAYS' },
  merchant_invitations: { until: 'after they expired', variable: 'KEEP_INVITATIONS_DAYS' },
  merchant_invites: { until: 'after they expired', variable: 'KEEP_INVITATIONS_DAYS' },
  merchant_jurisdictions: SETTINGS,
  merchant_members: { until: 'until the member is removed or leaves' },
  merchants: FOR_EVER,
  onramp_sessions: {
    until: 'after the last change if they ended without a charge; charged ones for ever',
    variable: 'KEEP_CHECKOUTS_DAYS',
  },
  payment_authorizations: MONEY,
  payment_links: SETTINGS,
  payment_pauses: { until: 'until payments are resumed' },
  plans: FOR_EVER,
  quotes: {
    until: 'after their end',
    variable: 'KEEP_QUOTES_DAYS',
  },
  rate_history: { until: 'after a later rate replaced it', variable: 'KEEP_RATES_DAYS' },
  receipt_addresses: { until: 'for ever: money may arrive there at any time' },
  receipt_days: AS_RECEIPTS,
  receipt_followers: { until: 'one row for each worker that follows the receipts' },
  receipt_history: {
    until: 'the steps of receipts that ended; the last one and notes always',
    variable: 'KEEP_HISTORY_DAYS',
  },
  receipt_index: { until: 'one row' },
  receipt_months: AS_RECEIPTS,
  receipt_search: AS_RECEIPTS,
  receipt_terms: AS_RECEIPTS,
  receipt_touches: { until: 'until the search has read it, about a second' },
  receipts: { until: 'for ever; personal data until it is erased' },
  refund_transfers: MONEY,
  refunds: MONEY,
  secret_checks: { until: 'one row for each secret' },
  sessions: { until: 'after they expired', variable: 'KEEP_SESSIONS_DAYS' },
  settlement_shares: MONEY,
  spender_broadcasts: TRANSACTIONS,
  spender_nonces: { until: 'one row for each wallet and chain' },
  spender_transactions: TRANSACTIONS,
  splits: { until: 'for ever, also replaced ones: money may still arrive there' },
  storage_days: { until: 'for ever: one row for each day' },
  stream_epoch: { until: 'one row' },
  submitted_transactions: { until: 'after the outcome is known', variable: 'KEEP_HINTS_DAYS' },
  subscription_events: FOR_EVER,
  subscriptions: FOR_EVER,
  transfers: MONEY,
  users: FOR_EVER,
  webhook_attempts: { until: 'as long as their delivery' },
  webhook_deliveries: {
    until: 'after the last attempt; pending ones until they end',
    variable: 'KEEP_DELIVERIES_DAYS',
  },
  webhook_endpoints: SETTINGS,
  webhook_jobs: { until: 'until their delivery ends' },
};
