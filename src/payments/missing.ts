import { toDecimal } from '../chain/tokens.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { unitsFor } from '../quotes/amounts.ts';
import { type Credit, computeBalance } from './balance.ts';

/** The amount that a receipt still lacks after an underpayment. */
export interface Missing {
  /** US dollars, as decimal text. */
  readonly usd: string;
  readonly token: string;
  /** Base units of the token, rounded up. */
  readonly amount: string;
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
}

const MISSING = statement(
  'payments-missing',
  `select r.id, r.total_cents as "totalCents", q.token, q.usd_per_unit as "usdPerUnit",
          (select coalesce(jsonb_agg(jsonb_build_object('usd', t.usd, 'exact', t.exact, 'askedUsd', t.asked_usd) order by t.block_number, t.log_index), '[]')
             from transfers t where t.merchant = r.merchant and t.receipt_id = r.id and t.canonical) as credits,
          r.refunded_cents as "refundedCents"
     from receipts r
     left join lateral (select token, usd_per_unit from quotes where merchant = r.merchant and receipt_id = r.id order by created_at desc limit 1) q on true
    where r.merchant = $1 and r.id = any($2) and r.status = 'tx_mismatch'`,
);

interface MissingRow {
  readonly id: string;
  readonly totalCents: number;
  readonly token: string | null;
  readonly usdPerUnit: string | null;
  readonly credits: readonly Credit[];
  readonly refundedCents: number;
}

type MissingDeps = Pick<Deps, 'sql' | 'chain'>;

/**
 * The amount that each receipt in `tx_mismatch` still lacks, in the token quoted last; null for other receipts. In the
 * order of the receipts.
 */
export async function readMissingOf(
  deps: MissingDeps,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<(Missing | null)[]> {
  const rows = await deps.sql.rows<MissingRow>(MISSING, [merchant, receiptIds]);
  const missing = new Map(rows.map((row) => [row.id, describeMissing(deps, row)]));
  return receiptIds.map((id) => missing.get(id) ?? null);
}

/** The missing amount of one receipt. */
export async function readMissing(deps: MissingDeps, merchant: Wallet, receiptId: string): Promise<Missing | null> {
  const [missing] = await readMissingOf(deps, merchant, [receiptId]);
  return missing ?? null;
}

function describeMissing({ chain }: MissingDeps, row: MissingRow): Missing | null {
  const { missingUsd } = computeBalance(row.totalCents, row.credits, row.refundedCents);
  const token = chain.tokens.find(({ symbol }) => symbol === row.token) ?? chain.tokens[0];
  if (!token) return null;
  const amount = unitsFor(missingUsd, { decimals: token.decimals, usdPerUnit: row.usdPerUnit ?? '1' });
  return { usd: missingUsd, token: token.symbol, amount: String(amount), display: toDecimal(amount, token.decimals) };
}
