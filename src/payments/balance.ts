import Big from 'big.js';
import { usdFromCents } from '../core/money.ts';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** One transfer that counts for a receipt. */
export interface Credit {
  /** Decimal text. */
  readonly usd: string;
  /** It is the very amount of a quote that still held; the quote was for what was missing then. */
  readonly exact: boolean;
  /** What the quote it was taken for asked, tag included, in dollars (decimal text); null where there was none, or it had expired. */
  readonly askedUsd: string | null;
}

/** What a receipt asks and has got, in US dollars. */
export interface Balance {
  readonly covered: boolean;
  /** Decimal text; `0` where it is covered. */
  readonly missingUsd: string;
  /** Decimal text; what came beyond what was asked, tags aside. */
  readonly surplusUsd: string;
}

/**
 * Weighs the credits of a receipt, in the chain's order; credits of any token add up. A receipt asks for its total. Where the first credit answers a quote
 * for at least the total, it asks for that quote's amount, to the last base unit. A quote for a remainder asks for less than the total, so it never lowers
 * what the receipt asks. An exact payment excuses the tag of a quote and nothing else: credits below the total never cover a receipt, whichever of them a
 * reorganisation takes away. What went back (`refundedCents`) is missing again, to the last base unit.
 */
export function computeBalance(totalCents: number, credits: readonly Credit[], refundedCents = 0): Balance {
  const totalUsd = new Big(usdFromCents(totalCents));
  const quotedUsd = new Big(credits[0]?.askedUsd ?? 0);
  const askedUsd = quotedUsd.gt(totalUsd) ? quotedUsd : totalUsd;
  const creditedUsd = credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0));
  const over = creditedUsd.minus(usdFromCents(refundedCents)).minus(askedUsd);
  const exact = credits.some((credit) => credit.exact);
  const isExcused = exact && refundedCents === 0 && creditedUsd.gte(totalUsd);
  const covered = credits.length > 0 && (isExcused || over.gte(0));
  // An exact remainder exceeds the sum by its own tag, which is less than a cent and no surplus.
  const surplus = over.gt(0) && !(exact && over.lt('0.01'));
  return {
    covered,
    missingUsd: covered ? '0' : over.times(-1).toFixed(),
    surplusUsd: surplus ? over.toFixed() : '0',
  };
}

/** The balance of a receipt by the transfers that count for it now. */
export async function readBalance(
  uow: Pick<UnitOfWork, 'sql'>,
  receipt: { readonly merchant: Wallet; readonly id: string; readonly totalCents: number },
): Promise<Balance> {
  const credits = await uow.sql<Credit & { refundedCents: string }>(CREDITS, [receipt.merchant, receipt.id]);
  return computeBalance(receipt.totalCents, credits, Number(credits[0]?.refundedCents ?? 0));
}

const CREDITS = `
  select usd, exact, asked_usd as "askedUsd",
         (select coalesce(sum(proven_cents), 0)::text from refunds where merchant = $1 and receipt_id = $2) as "refundedCents"
    from transfers
   where merchant = $1 and receipt_id = $2 and canonical
   order by block_number, log_index`;
