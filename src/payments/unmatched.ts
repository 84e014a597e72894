import { sql } from 'kysely';
import { toDecimal } from '../chain/tokens.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { unitsFor } from '../quotes/amounts.ts';
import { type ReceiptStatus, WAITING } from '../receipts/lifecycle.ts';
import type { UnmatchedReason } from './transfer.entity.ts';
import type { TransferRow } from './transfers.ts';

type UnmatchedColumns = Pick<
  TransferRow,
  | 'chainId'
  | 'transactionHash'
  | 'logIndex'
  | 'blockNumber'
  | 'blockTimeMs'
  | 'token'
  | 'amount'
  | 'sender'
  | 'payTo'
  | 'refundMarkedAt'
>;

interface UnmatchedRow extends UnmatchedColumns {
  readonly reason: UnmatchedReason;
  /** The wallet of the admin who marked it for refund. */
  readonly refundMarkedBy: Wallet | null;
  /** The receipts that it may belong to, most likely first. */
  readonly candidates: readonly Candidate[];
}

/** A transfer that pays no receipt. */
export interface UnmatchedTransfer extends UnmatchedRow {
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
}

export interface Candidate {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly totalCents: number;
}

export const UNMATCHED_MAX = 200;

/** The number of quoted amounts on each side of a transfer's amount that are considered as candidates. */
const NEAR_AMOUNTS = 20;

interface UnmatchedQuery {
  readonly merchant: Wallet;
  readonly limit: number;
  readonly waiting: readonly ReceiptStatus[];
  /** Null: marked or not. */
  readonly markedForRefund: boolean | null;
  /** Only this transfer; null for all. */
  readonly transactionHash: string | null;
  readonly logIndex: number | null;
  /** The minimum amount of each token, as lists of equal length. */
  readonly tokens: readonly string[];
  readonly amounts: readonly string[];
}

/** The receipts with the nearest quoted amounts on one side of the transfer `t`. */
const nearest = ({ waiting }: UnmatchedQuery, isAbove: boolean) => sql`
  (select r.id, r.status, r.total_cents, abs(q.amount - t.amount) as distance
     from (select merchant, receipt_id, amount from quotes
            where chain_id = t.chain_id and pay_to = t.pay_to and token = t.token and reserved_until is null
              and amount ${sql.raw(isAbove ? '>' : '<=')} t.amount
            order by amount ${sql.raw(isAbove ? 'asc' : 'desc')} limit ${sql.lit(NEAR_AMOUNTS)}) q
     join receipts r on r.merchant = q.merchant and r.id = q.receipt_id and r.status = any(${waiting}))`;

/**
 * The candidates of a transfer: the receipts that it is known to be meant for, the receipt with an equal quote, then
 * receipts that wait for money there, nearest amount first. Only the nearest amounts are read, from the index of quoted
 * amounts, so that the time does not depend on the number of open quotes. Transfers below the minimum amount of their
 * token are dust.
 */
const UNMATCHED = query(
  'payments-unmatched',
  (_db, $: UnmatchedQuery) => sql<UnmatchedRow>`
    select t.chain_id as "chainId", t.transaction_hash as "transactionHash", t.log_index as "logIndex",
           t.block_number as "blockNumber", t.block_time_ms as "blockTimeMs", t.token, t.amount, t.sender,
           t.pay_to as "payTo", t.unmatched_reason as reason, t.refund_marked_at as "refundMarkedAt",
           t.refund_marked_by as "refundMarkedBy", c.candidates
      from (select t.* from transfers t
              left join unnest(${$.tokens}::text[], ${$.amounts}::numeric[]) as d(token, least) on d.token = t.token
             where t.merchant = ${$.merchant} and t.canonical and t.receipt_id is null and t.unmatched_reason is not null
               and (${$.markedForRefund}::boolean is null
                    or (t.refund_marked_at is not null) = ${$.markedForRefund}::boolean)
               and (${$.transactionHash}::text is null
                    or (t.transaction_hash = ${$.transactionHash}::text and t.log_index = ${$.logIndex}::int))
               and t.amount >= coalesce(d.least, 0)
             order by t.block_number desc, t.log_index desc limit ${$.limit}) t
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('receiptId', n.id, 'status', n.status, 'totalCents', n.total_cents)
                                 order by n.distance), '[]') as candidates
         from (select id, status, total_cents, min(distance) as distance
                 from (${nearest($, true)} union all ${nearest($, false)} union all
                       (select r.id, r.status, r.total_cents, -1 as distance
                          from quotes q join receipts r on r.merchant = q.merchant and r.id = q.receipt_id
                         where q.merchant = t.merchant and q.id = t.quote_id) union all
                       (select r.id, r.status, r.total_cents, array_position(t.meant_for, r.id) - 1000 as distance
                          from receipts r where r.merchant = t.merchant and r.id = any(t.meant_for))) found
                group by id, status, total_cents
                order by distance limit greatest(10, coalesce(cardinality(t.meant_for), 0))) n) c
     order by t.block_number desc, t.log_index desc`,
  {
    slow: true,
    computed: {
      chainId: 'int8',
      transactionHash: 'text',
      logIndex: 'int4',
      blockNumber: 'int8',
      blockTimeMs: 'int8',
      token: 'text',
      amount: 'numeric',
      sender: 'text',
      payTo: 'text',
      reason: 'text',
      refundMarkedAt: 'int8',
      refundMarkedBy: 'text',
      candidates: 'jsonb',
    },
  },
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
  return read(deps, { merchant, limit: count, markedForRefund, transactionHash: null, logIndex: null }, least);
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
  const [transfer] = await read(deps, { merchant, limit: 1, markedForRefund: null, transactionHash, logIndex });
  if (!transfer) throw refuse('not_found', 'Unmatched transfer not found');
  return transfer;
}

async function read(
  deps: UnmatchedDeps,
  choice: Omit<UnmatchedQuery, 'waiting' | 'tokens' | 'amounts'>,
  least: readonly LeastAmount[] = [],
): Promise<UnmatchedTransfer[]> {
  const rows = await deps.sql.run(UNMATCHED, {
    ...choice,
    waiting: WAITING,
    tokens: least.map(({ token }) => token),
    amounts: least.map(({ amount }) => amount),
  });
  return rows.map((row) => {
    const decimals = deps.chain.tokens.find(({ symbol }) => symbol === row.token)?.decimals ?? 0;
    return { ...row, display: toDecimal(BigInt(row.amount), decimals) };
  });
}
