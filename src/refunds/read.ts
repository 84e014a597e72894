import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { centsOf, PAID, PAYMENTS } from './account.ts';
import type { RefundItem } from './refund.entity.ts';

/** A refund as a plain row. Money in cents, times in epoch ms. */
export interface RefundRow {
  readonly receiptId: string;
  readonly id: string;
  readonly state: 'requested' | 'refunded';
  readonly usdCents: number;
  readonly provenCents: number;
  readonly buyer: Wallet;
  readonly items: readonly RefundItem[];
  readonly transactionHashes: readonly `0x${string}`[];
  /** Whether all proving transfers came from the merchant's own wallet; null if nothing is proven. */
  readonly senderVerified: boolean | null;
  readonly createdAt: number;
  readonly refundedAt: number | null;
}

const REFUNDS = statement(
  'refunds-of-receipts',
  `select receipt_id as "receiptId", id, state, usd_cents as "usdCents", proven_cents as "provenCents", buyer, items,
          transaction_hashes as "transactionHashes", created_at as "createdAt", refunded_at as "refundedAt",
          (select bool_and(t.sender = r.merchant) from refund_transfers t
            where t.merchant = r.merchant and t.receipt_id = r.receipt_id and t.transaction_hash = any(r.transaction_hashes)) as "senderVerified"
     from refunds r where merchant = $1 and receipt_id = any($2) order by receipt_id, created_at, id`,
);

const PAID_OF = statement(
  'refunds-paid',
  `select t.receipt_id as "receiptId", ${PAID} as usd
     from ${PAYMENTS} where t.merchant = $1 and t.receipt_id = any($2) and t.canonical group by t.receipt_id`,
);

/** The refunds of each receipt, oldest first; in the order of the receipts. */
export async function readRefundsOf(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<RefundRow[][]> {
  const rows = await deps.sql.rows<RefundRow>(REFUNDS, [merchant, receiptIds]);
  const refunds = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => refunds.get(id) ?? []);
}

/** The amount received for each receipt, in whole cents; in the order of the receipts. */
export async function readPaidOf(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<number[]> {
  const rows = await deps.sql.rows<{ receiptId: string; usd: string }>(PAID_OF, [merchant, receiptIds]);
  const paid = new Map(rows.map(({ receiptId, usd }) => [receiptId, centsOf(usd)]));
  return receiptIds.map((id) => paid.get(id) ?? 0);
}
