import Big from 'big.js';
import { usdFromCents } from '../core/money.ts';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** A transfer that counts for a receipt. */
export interface Credit {
  /** Decimal text. */
  readonly usd: string;
  /** It has exactly the amount of a valid quote, which was for the amount missing at that time. */
  readonly exact: boolean;
  /**
   * The value of the quote that it was matched to, including the tag, in dollars (decimal text). Null if there was no
   * quote or it had expired.
   */
  readonly askedUsd: string | null;
}

/** The due and received amounts of a receipt, in US dollars. */
export interface Balance {
  readonly covered: boolean;
  /** Decimal text; `0` if covered. */
  readonly missingUsd: string;
  /** Decimal text; the amount received beyond the due amount, without tags. */
  readonly surplusUsd: string;
}

/**
 * Computes the balance of a receipt from its credits, in chain order; credits in all tokens add up. The due amount is
 * the total. If the first credit pays a quote for at least the total, the due amount is that quote's amount, to the
 * last base unit. A quote for a remainder is below the total, so it never reduces the due amount. An exact payment only
 * waives the tag of a quote: credits below the total never cover a receipt, regardless of which of them a
 * reorganisation removes. Refunded money (`refundedCents`) is due again, to the last base unit.
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
  // An exact remainder exceeds the sum by its own tag, which is less than a cent and not a surplus.
  const surplus = over.gt(0) && !(exact && over.lt('0.01'));
  return {
    covered,
    missingUsd: covered ? '0' : over.times(-1).toFixed(),
    surplusUsd: surplus ? over.toFixed() : '0',
  };
}

/** The balance of a receipt from the transfers that count for it now. */
export async function readBalance(
  uow: Pick<UnitOfWork, 'sql'>,
  receipt: {
    readonly merchant: Wallet;
    readonly id: string;
    readonly totalCents: number;
    readonly refundedCents: number;
  },
): Promise<Balance> {
  const credits = await uow.sql<Credit>(CREDITS, [receipt.merchant, receipt.id]);
  return computeBalance(receipt.totalCents, credits, receipt.refundedCents);
}

const CREDITS = `
  select usd, exact, asked_usd as "askedUsd"
    from transfers
   where merchant = $1 and receipt_id = $2 and canonical
   order by block_number, log_index`;
