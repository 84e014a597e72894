import type { Wallet } from '../../src/base/core/wallet.ts';
import type { Bus } from '../../src/base/platform/bus.ts';
import type { Db } from '../../src/base/platform/db.ts';
import { signalChange } from '../../src/domain/sales/receipts/record-change.ts';
import { runStatement, statement } from '../support/statement.ts';

const APPEND = statement(
  'test-append',
  `with changed as (
    update receipts set seq = seq + $3::int, updated_at = updated_at + 1 where merchant = $1 and id = $2 returning merchant, id, seq, updated_at, status)
  insert into receipt_history (merchant, receipt_id, seq, kind, status, name, actor, at)
  select merchant, id, seq - $3::int + n, 'note', status, 'tested', 'test', updated_at from changed, generate_series(1, $3::int) n
  returning seq`,
);

/**
 * Writes events of a receipt, in one transaction, and rings for them as the domain does. Answers the last one's seq.
 */
export async function append(db: Db, bus: Bus, merchant: Wallet, receiptId: string, count = 1): Promise<number> {
  const rows = await runStatement<{ seq: number }>(db, APPEND, [merchant, receiptId, count]);
  const seq = Math.max(...rows.map((row) => row.seq));
  signalChange(bus, merchant, receiptId, seq);
  return seq;
}

const ALL = statement(
  'test-history',
  `select receipt_id || ':' || seq as name from receipt_history where merchant = $1 order by txid, position`,
);

/** Everything that happened to a merchant's receipts, in order, as `receipt:seq`. */
export async function history(db: Db, merchant: Wallet): Promise<string[]> {
  return (await runStatement<{ name: string }>(db, ALL, [merchant])).map(({ name }) => name);
}

const OPEN = statement(
  'test-history-open',
  'select 1 from receipt_history where merchant = $1 and txid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
);

/**
 * Whether a stream that begins now comes after all that happened to the merchant's receipts. A transaction that began
 * earlier, also one of another database of the cluster, delays it.
 */
export const isBehind = async (db: Db, merchant: Wallet): Promise<boolean> =>
  (await runStatement(db, OPEN, [merchant])).length === 0;
