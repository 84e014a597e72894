import { toDecimal } from '../chain/tokens.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { unitsFor } from '../quotes/amounts.ts';
import { type ReceiptStatus, WAITING } from '../receipts/lifecycle.ts';
import type { UnmatchedReason } from './transfer.entity.ts';

/** A transfer that pays no receipt. */
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
  /** When an admin marked it for refund, epoch ms; null if unmarked. */
  readonly refundMarkedAt: number | null;
  /** The wallet of that admin. */
  readonly refundMarkedBy: Wallet | null;
  /** The receipts that it may belong to, most likely first. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly totalCents: number;
}

export const UNMATCHED_MAX = 200;

/** The number of quoted amounts on each side of a transfer's amount that are considered as candidates. */
const NEAR_AMOUNTS = 20;

const near = (isAbove: boolean): string => `
  (select r.id, r.status, r.total_cents, abs(q.amount - t.amount) as distance
     from (select merchant, receipt_id, amount from quotes
            where chain_id = t.chain_id and pay_to = t.pay_to and token = t.token and reserved_until is null
              and amount ${isAbove ? '>' : '<='} t.amount
            order by amount ${isAbove ? '' : 'desc'} limit ${NEAR_AMOUNTS}) q
     join receipts r on r.merchant = q.merchant and r.id = q.receipt_id and r.status = any($3))`;

/**
 * The candidates of a transfer: the receipt with an equal quote first, then receipts that wait for money there, nearest
 * amount first. Only the nearest amounts are read, from the index of quoted amounts, so that the time does not depend
 * on the number of open quotes. Transfers below the minimum amount of their token ($7, $8) are dust.
 */
const UNMATCHED = statement(
  'payments-unmatched',
  `select t.chain_id as "chainId", t.transaction_hash as "transactionHash", t.log_index as "logIndex", t.block_number as "blockNumber",
          t.block_time_ms as "blockTimeMs", t.token, t.amount, t.sender, t.pay_to as "payTo", t.unmatched_reason as reason,
          t.refund_marked_at as "refundMarkedAt", t.refund_marked_by as "refundMarkedBy", c.candidates
     from (select t.* from transfers t left join unnest($7::text[], $8::numeric[]) as d(token, least) on d.token = t.token
            where t.merchant = $1 and t.canonical and t.receipt_id is null and t.unmatched_reason is not null
              and ($4::boolean is null or (t.refund_marked_at is not null) = $4)
              and ($5::text is null or (t.transaction_hash = $5 and t.log_index = $6::int))
              and t.amount >= coalesce(d.least, 0)
            order by t.block_number desc, t.log_index desc limit $2) t
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('receiptId', n.id, 'status', n.status, 'totalCents', n.total_cents) order by n.distance), '[]') as candidates
        from (select id, status, total_cents, min(distance) as distance
                from (${near(true)} union all ${near(false)} union all
                      (select r.id, r.status, r.total_cents, -1 as distance
                         from quotes q join receipts r on r.merchant = q.merchant and r.id = q.receipt_id
                        where q.merchant = t.merchant and q.id = t.quote_id)) found
               group by id, status, total_cents
               order by distance limit 10) n) c
    order by t.block_number desc, t.log_index desc`,
  { slow: true },
);

/** Selects unmatched transfers. */
export interface UnmatchedFilter {
  readonly limit?: number;
  /** True: only transfers marked for refund. False: only the others. */
  readonly markedForRefund?: boolean | null;
  /** Includes transfers worth less than `DUST_USD`. */
  readonly includeDust?: boolean | null;
}

/** Senders of such amounts usually plant their address in a list rather than pay. US dollars, as decimal text. */
export const DUST_USD = '0.01';

type UnmatchedDeps = Pick<Deps, 'sql' | 'chain'>;

/** The merchant's unmatched transfers, newest first; without dust unless requested. */
export async function listUnmatched(
  deps: UnmatchedDeps & { readonly readRate: ReadRate },
  merchant: Wallet,
  { limit = 100, markedForRefund = null, includeDust = false }: UnmatchedFilter = {},
): Promise<UnmatchedTransfer[]> {
  const count = Math.min(limit, UNMATCHED_MAX);
  const least = includeDust ? [] : await leastAmounts(deps);
  return read(deps, [merchant, count, WAITING, markedForRefund, null, null], least);
}

interface LeastAmount {
  readonly token: string;
  /** Base units. */
  readonly amount: string;
}

/** The value of a cent in each token; a token without a rate has no dust. */
async function leastAmounts({
  chain,
  readRate,
}: Pick<UnmatchedDeps, 'chain'> & { readonly readRate: ReadRate }): Promise<LeastAmount[]> {
  const least = await Promise.all(
    chain.tokens.map(async (token) => {
      const usdPerUnit = await usdPerToken(readRate, token).catch(() => null);
      if (usdPerUnit === null) return null;
      return { token: token.symbol, amount: String(unitsFor(DUST_USD, { decimals: token.decimals, usdPerUnit })) };
    }),
  );
  return least.filter((one) => one !== null);
}

/** One unmatched transfer. Refuses with `not_found`. */
export async function readUnmatched(
  deps: UnmatchedDeps,
  merchant: Wallet,
  { transactionHash, logIndex }: Pick<UnmatchedTransfer, 'transactionHash' | 'logIndex'>,
): Promise<UnmatchedTransfer> {
  const [transfer] = await read(deps, [merchant, 1, WAITING, null, transactionHash, logIndex]);
  if (!transfer) throw refuse('not_found', 'Unmatched transfer not found');
  return transfer;
}

async function read(
  deps: UnmatchedDeps,
  parameters: readonly unknown[],
  least: readonly LeastAmount[] = [],
): Promise<UnmatchedTransfer[]> {
  const rows = await deps.sql.rows<Omit<UnmatchedTransfer, 'display'>>(UNMATCHED, [
    ...parameters,
    least.map(({ token }) => token),
    least.map(({ amount }) => amount),
  ]);
  return rows.map((row) => {
    const decimals = deps.chain.tokens.find(({ symbol }) => symbol === row.token)?.decimals ?? 0;
    return { ...row, display: toDecimal(BigInt(row.amount), decimals) };
  });
}
