import type pg from 'pg';

/** Rows of `fillTable`. Those of orders have later times and longer numbers. */
const FILLED = 'created_at < 2000000000000';
const digest = (picture: string) => `encode(sha256(convert_to('${picture}', 'UTF8')), 'hex')`;

/** The rows that lack what a migration gives to the rows that are there before it. */
const LACKING: Readonly<Record<string, string>> = {
  'receipts without their chains': `select from receipts where ${FILLED}
     and (created_block is not null and created_chain_id is null
       or transaction_hash is not null and payment_chain_id is null)`,
  'receipts without their refunds': `select from refunds f join receipts r on r.merchant = f.merchant
     and r.id = f.receipt_id where f.${FILLED} and r.refunded_cents <> f.proven_cents`,
  'shares without a time': `select from settlement_shares s join receipts r on r.merchant = s.merchant
     and r.id = s.receipt_id where r.${FILLED} and r.created_at <> s.created_at`,
  'open shares with a transaction': `select from settlement_shares s
    where length(receipt_id) < 18 and settled_at is null and transaction_hash is not null`,
  'shares with the position of another': 'select from settlement_shares group by position having count(*) > 1',
  'card payments without a time': `select from onramp_sessions
    where ${FILLED} and status = 'fulfillment_processing' and delivery_due_at is null`,
  'profiles without their picture': `select from users where pfp_url like 'data:%'
    or wallet = 'user-10' and pfp_url <> '/images/' || ${digest('user 10')}`,
  'items without their picture': `select where not exists (
    select from images where digest = ${digest('item 10')})`,
  'merchants without an owner': `select from merchants where not exists (
    select from merchant_members where merchant = merchants.wallet and role = 'owner')`,
  'days without their month': `select from receipt_days where not exists (
    select from receipt_months m where m.merchant = receipt_days.merchant)`,
};

/** What the tables of the newest version lack of it: how many rows of each kind, without those that are complete. */
export async function countLackingValues(client: pg.Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, rows] of Object.entries(LACKING)) {
    const { rowCount } = await client.query(rows);
    if (rowCount) counts[name] = rowCount;
  }
  return counts;
}
