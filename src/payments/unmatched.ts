import { toDecimal } from '../chain/tokens.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { type ReceiptStatus, WAITING } from '../receipts/lifecycle.ts';
import type { UnmatchedReason } from './transfer.entity.ts';

/** Money that arrived and pays no receipt. */
export interface UnmatchedTransfer {
  readonly chainId: number;
  readonly transactionHash: `0x${string}`;
  readonly logIndex: number;
  readonly blockNumber: number;
  /** Epoch ms. */
  readonly blockTimeMs: number;
  readonly token: string;
  /** Base units. */
  readonly amount: string;
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
  readonly sender: Wallet;
  readonly payTo: Wallet;
  readonly reason: UnmatchedReason;
  /** When an admin said that it is to be sent back, epoch ms; null where nobody did. */
  readonly refundMarkedAt: number | null;
  /** That admin's wallet. */
  readonly refundMarkedBy: Wallet | null;
  /** The receipts that it may belong to, the likeliest first. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly totalCents: number;
}

export const UNMATCHED_MAX = 200;

/** The receipt of an equal quote is the first candidate; then those that wait for money there, by how near their amounts are. */
const UNMATCHED = statement(
  'payments-unmatched',
  `select t.chain_id as "chainId", t.transaction_hash as "transactionHash", t.log_index as "logIndex", t.block_number as "blockNumber",
          t.block_time_ms as "blockTimeMs", t.token, t.amount, t.sender, t.pay_to as "payTo", t.unmatched_reason as reason,
          t.refund_marked_at as "refundMarkedAt", t.refund_marked_by as "refundMarkedBy", c.candidates
     from transfers t
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('receiptId', n.id, 'status', n.status, 'totalCents', n.total_cents) order by n.distance), '[]') as candidates
        from (select r.id, r.status, r.total_cents, min(abs(q.amount - t.amount)) as distance
                from quotes q join receipts r on r.merchant = q.merchant and r.id = q.receipt_id
               where q.chain_id = t.chain_id and q.pay_to = t.pay_to and q.token = t.token
                 and (q.id = t.quote_id or (q.reserved_until is null and r.status = any($3)))
               group by r.id, r.status, r.total_cents
               order by distance limit 10) n) c
    where t.merchant = $1 and t.canonical and t.receipt_id is null and t.unmatched_reason is not null
      and ($4::boolean is null or (t.refund_marked_at is not null) = $4)
      and ($5::text is null or (t.transaction_hash = $5 and t.log_index = $6::int))
    order by t.block_number desc, t.log_index desc limit $2`,
  { slow: true },
);

/** Which of them. */
export interface UnmatchedFilter {
  readonly limit?: number;
  /** Only those that are to be sent back, or only the others. */
  readonly markedForRefund?: boolean | null;
}

type UnmatchedDeps = Pick<Deps, 'sql' | 'chain'>;

/** The merchant's unmatched transfers, newest first. */
export async function listUnmatched(
  deps: UnmatchedDeps,
  merchant: Wallet,
  { limit = 100, markedForRefund = null }: UnmatchedFilter = {},
): Promise<UnmatchedTransfer[]> {
  const count = Math.min(limit, UNMATCHED_MAX);
  return read(deps, [merchant, count, WAITING, markedForRefund, null, null]);
}

/** One of them. Refuses with `not_found`. */
export async function readUnmatched(
  deps: UnmatchedDeps,
  merchant: Wallet,
  { transactionHash, logIndex }: Pick<UnmatchedTransfer, 'transactionHash' | 'logIndex'>,
): Promise<UnmatchedTransfer> {
  const [transfer] = await read(deps, [merchant, 1, WAITING, null, transactionHash, logIndex]);
  if (!transfer) throw refuse('not_found', 'Unmatched transfer not found');
  return transfer;
}

async function read(deps: UnmatchedDeps, parameters: readonly unknown[]): Promise<UnmatchedTransfer[]> {
  const rows = await deps.sql.rows<Omit<UnmatchedTransfer, 'display'>>(UNMATCHED, parameters);
  return rows.map((row) => {
    const decimals = deps.chain.tokens.find(({ symbol }) => symbol === row.token)?.decimals ?? 0;
    return { ...row, display: toDecimal(BigInt(row.amount), decimals) };
  });
}
