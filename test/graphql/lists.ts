/** A list of the API with rows that a test writes. */
export interface TestedList {
  /** The field with its own arguments; `ID` stands for the merchant's wallet. */
  readonly field: string;
  /** What identifies an entry. */
  readonly key: string;
  readonly table: string;
  /** Inserts the rows `$2` to `$3` of the merchant `$1`; several rows share a sort key. */
  readonly insert: string;
  /** The scope of a developer key that may read it; null if none may, or if any key of the merchant may. */
  readonly scope: string | null;
  /** The field of the object that has the list, if it is not a root field. */
  readonly parent?: string;
}

const ROWS = 'from generate_series($2::int, $3::int) i';
const HASH = `'0x' || md5($1 || i)`;

const TRANSFER = `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms,
  token, sender, pay_to, amount, canonical, merchant, receipt_id, unmatched_reason, exact, seen_at)
  select 1, ${HASH}, ${HASH}, -1, i / 3, i, 'USDC', $1, $1, 5, true, $1`;

const CHARGES = `with subscription as (insert into subscriptions (merchant, id, plan_id, customer, price_cents, period,
    chain_id, token, permission, permission_hash, sealed_signature, status, created_at, updated_at)
  select $1, 's' || $1, 'p', $1, 5, 'WEEKLY', 1, $1, '{}', $1, '', 'active', 1, 1 on conflict do nothing)
  insert into charges (merchant, id, subscription_id, period_start, period_end, status, attempt, split, token, amount,
    amount_cents, fee_cents, receipt_id, nonce, transaction_hash, created_at, updated_at)
  select $1, $1 || i, 's' || $1, i, i, 'succeeded', 1, $1, 'USDC', 5, 5, 0, 'R' || i, i, ${HASH}, i / 3, i ${ROWS}`;

/** Every list that is paged by keys. */
export const LISTS: readonly TestedList[] = [
  ...['name', 'sku', 'priceUsd', 'updatedAt'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => ({
      field: `inventory(sort: ${sort}, order: ${order}`,
      key: 'sku',
      table: 'inventory_items',
      scope: 'inventory:read',
      insert: `insert into inventory_items (merchant, id, sku, name, price_usd_cents, tags, images, created_at, updated_at)
        select $1, 'item_' || i, 'S' || i, 'n' || i / 3, i / 3, '{}', '[]', i / 3, i / 3 ${ROWS}
        on conflict do nothing`,
    })),
  ),
  {
    field: 'splitTransactions(address: null',
    key: 'id',
    table: 'transfers',
    scope: 'split:read',
    insert: `with receipt as (insert into receipts (merchant, id, origin, status, seq, announced_status, total_cents,
        currency, line_items, brand_name, stock_taken, created_at, updated_at)
        select $1, 'R' || i, 'order', 'paid', 1, 'paid', 100, 'USD', '[]', 'x', true, i, i ${ROWS})
      ${TRANSFER}, 'R' || i, null, true, i ${ROWS}`,
  },
  ...['', 'state: waiting', 'recipient: "ID"', 'receiptId: "R", createdFrom: 0, state: waiting'].map((filter) => ({
    field: `payouts(filter: { ${filter} }`,
    key: 'split',
    table: 'settlement_shares',
    scope: 'split:read',
    insert: `insert into settlement_shares (merchant, receipt_id, split, token, payee, chain_id, shares_bps, created_at)
      select $1, 'R', '0x' || lpad(i::text, 40, '0'), 'USDC', $1, 1, 100, i / 3 ${ROWS} on conflict do nothing`,
  })),
  {
    field: 'unmatchedTransfers(includeDust: true',
    key: 'transactionHash',
    table: 'transfers',
    scope: null,
    insert: `${TRANSFER}, null, 'unknown_amount', false, i ${ROWS}`,
  },
  {
    field: 'webhookDeliveries(receiptId: null',
    key: 'id',
    table: 'webhook_deliveries',
    scope: null,
    insert: `insert into webhook_deliveries (id, merchant, receipt_id, seq, event, url, key_id, body, state, created_at)
      select $1 || i, $1, 'R' || i % 7, i, 'e', 'u', 'k', '{}', 'delivered', i / 3 ${ROWS}`,
  },
  {
    field: 'mails(subjectId: null',
    key: 'mailId',
    table: 'mail_messages',
    scope: null,
    insert: `insert into mail_messages (merchant, id, kind, subject_id, state, queued_at, finished_at)
      select $1, $1 || i, 'receipt', 'R' || i % 7, 'sent', i / 3, i ${ROWS}`,
  },
  ...['merchant', 'customer'].map((side) => ({
    field: `subscriptions(${side}: "ID"`,
    key: 'subscriptionId',
    table: 'subscriptions',
    scope: 'receipts:read',
    insert: `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
        permission_hash, sealed_signature, status, created_at, updated_at)
      select $1, $1 || i, 'p', $1, 5, 'WEEKLY', 1, $1, '{}', ${HASH}, '', 'active', i / 3, i ${ROWS}
      on conflict do nothing`,
  })),
  {
    field: 'subscriptionHistory(subscriptionId: "s"',
    key: 'chargeId',
    table: 'subscription_events',
    scope: 'receipts:read',
    insert: `insert into subscription_events (merchant, subscription_id, kind, status, charge_id, at)
      select $1, 's', 'charged', 'active', 'c' || i, i ${ROWS}`,
  },
  {
    field: 'charges(',
    parent: 'subscription(subscriptionId: "sID")',
    key: 'chargeId',
    table: 'charges',
    scope: null,
    insert: CHARGES,
  },
  ...['createdFrom: 0', 'state: succeeded'].map((filter) => ({
    field: `charges(${filter}`,
    key: 'chargeId',
    table: 'charges',
    scope: 'receipts:read',
    insert: CHARGES,
  })),
  {
    field: 'paymentLinks(',
    key: 'linkId',
    table: 'payment_links',
    scope: null,
    insert: `insert into payment_links (merchant, id, name, amount_cents, expires_in_minutes, per_address, created_at, updated_at)
      select $1, $1 || i, 'n', 5, 60, 20, i, i ${ROWS}`,
  },
  {
    field: 'plans(wallet: "ID"',
    key: 'planId',
    table: 'plans',
    scope: 'receipts:read',
    insert: `insert into plans (merchant, id, name, description, price_cents, period, active, created_at, updated_at)
      select $1, $1 || i, 'n', '', 5, 'WEEKLY', true, i / 3, i ${ROWS}`,
  },
  {
    field: 'refunds(state: requested',
    key: 'receiptId',
    table: 'refunds',
    scope: 'receipts:read',
    insert: `insert into refunds (merchant, receipt_id, id, state, usd_cents, proven_cents, buyer, items,
        transaction_hashes, actor, created_at)
      select $1, 'R' || i, 'refund', 'requested', 5, 0, $1, '[]', '{}', 'a', i / 3 ${ROWS}`,
  },
];
