import { z } from 'zod';
import { toDecimal } from '../chain/tokens.ts';
import { wholeNumber } from '../core/amount.ts';
import { optional, parseInput } from '../core/input.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A payment for a receipt that a split has received. */
export interface SplitTransaction {
  readonly id: string;
  readonly receiptId: string;
  /** In whole units of the token. */
  readonly amount: number;
  /** Symbol. */
  readonly currency: string;
  /** `completed` once every payee has received its share. */
  readonly status: 'pending' | 'completed';
  /** The block's time, ISO 8601. */
  readonly timestamp: string;
  readonly transactionHash: string;
  /** The platform's share, in whole units of the token. */
  readonly fees: number;
}

/** The default and the maximum number of transactions in a response. */
export const TRANSACTIONS = 200;
export const MAX_TRANSACTIONS = 1_000;

const transactionQuery = z.object({
  address: z.preprocess(
    (value) => (value === '' ? undefined : value),
    optional(
      z
        .custom<string>((value) => parseWallet(value) !== null, { error: 'must be 0x followed by 40 hex characters' })
        .transform((text) => parseWallet(text) as Wallet),
    ),
  ),
  limit: optional(wholeNumber(1, MAX_TRANSACTIONS)),
});

/**
 * The settlement records a receipt's platform fee exactly. If several transfers share a settlement, or there is none
 * yet, it is this transfer's part, rounded down.
 */
const LIST = statement(
  'split-transactions',
  `select t.transaction_hash as "transactionHash", t.log_index as "logIndex", t.receipt_id as "receiptId", t.token, t.amount,
          t.block_time_ms as "blockTimeMs", r.status = 'completed' or coalesce(d.settled, false) as completed,
          coalesce(case when d.transfers = 1 then d.owed end,
                   div(t.amount * coalesce((select (p ->> 'sharesBps')::int from jsonb_array_elements(s.recipients) p
                                             where p ->> 'address' = $3), 0), ${BPS_TOTAL})) as fees
     from transfers t
     join receipts r on r.merchant = t.merchant and r.id = t.receipt_id
     left join splits s on s.chain_id = t.chain_id and s.address = t.pay_to
     left join lateral (
       select bool_and(x.settled_at is not null) as settled, max(x.owed) filter (where x.payee = $3) as owed,
              (select count(*) from transfers o
                where o.merchant = t.merchant and o.receipt_id = t.receipt_id and o.canonical) as transfers
         from settlement_shares x where x.merchant = t.merchant and x.receipt_id = t.receipt_id) d on true
    where t.merchant = $1 and t.receipt_id is not null and t.canonical and r.status in ('paid', 'completed', 'refunded')
      and ($2::text is null or t.pay_to = $2 or s.recipients @> jsonb_build_array(jsonb_build_object('address', $2::text)))
    order by t.block_number desc, t.log_index desc
    limit $4`,
  { slow: true },
);

/**
 * The payments for receipts that the merchant's splits have received, newest first. With an address: only payments to
 * that split, or payments that this recipient has a share of. Refuses with `invalid_input`.
 */
export async function listSplitTransactions(
  { sql, settings }: Pick<Deps, 'sql' | 'settings'>,
  merchant: Wallet,
  input: { readonly address?: string | null; readonly limit?: number | null } = {},
): Promise<SplitTransaction[]> {
  const { address = null, limit = TRANSACTIONS } = parseInput(transactionQuery, input);
  interface Row {
    readonly transactionHash: string;
    readonly logIndex: number;
    readonly receiptId: string;
    readonly token: string;
    readonly amount: string;
    readonly blockTimeMs: number;
    readonly completed: boolean;
    readonly fees: string;
  }
  const rows = await sql.rows<Row>(LIST, [merchant, address, settings.platformRecipient, limit]);
  const decimals = new Map(settings.tokens.map((token) => [token.symbol, token.decimals]));
  return rows.map((row) => {
    const units = (amount: string) => Number(toDecimal(BigInt(amount), decimals.get(row.token) ?? 18));
    return {
      id: `${row.transactionHash}-${row.logIndex}`,
      receiptId: row.receiptId,
      amount: units(row.amount),
      currency: row.token,
      status: row.completed ? 'completed' : 'pending',
      timestamp: new Date(row.blockTimeMs).toISOString(),
      transactionHash: row.transactionHash,
      fees: units(row.fees),
    };
  });
}
