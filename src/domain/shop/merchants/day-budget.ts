import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { readNewcomers } from './newcomer.ts';

/** How often something may be done within a day. Null: without a limit. */
interface DayLimits {
  /** For one merchant, and for all newcomers together. */
  readonly perDay: number | null;
  /** For all merchants together. */
  readonly total: number | null;
}

/** Takes one for a merchant. It answers the limit that is used up, and takes nothing then. */
export type DayBudget = (merchant: Wallet) => { readonly perDay: number } | { readonly total: number } | null;

/**
 * What is left of a day, after what was done for each merchant. Newcomers share what one merchant has that the operator
 * admitted: no number of merchants that strangers register uses up what the others need.
 */
export async function openDayBudget(
  db: Db,
  { perDay, total }: DayLimits,
  done: ReadonlyMap<Wallet | '', number>,
  merchants: readonly Wallet[],
): Promise<DayBudget> {
  if (perDay === null && total === null) return () => null;
  const counts = new Map(done);
  const newcomers = await readNewcomers(db, [...new Set([...counts.keys(), ...merchants])]);
  let all = 0;
  let ofNewcomers = 0;
  for (const [merchant, count] of counts) {
    all += count;
    if (newcomers.has(merchant)) ofNewcomers += count;
  }
  return (merchant) => {
    const isNewcomer = newcomers.has(merchant);
    const own = counts.get(merchant) ?? 0;
    if (perDay !== null && (isNewcomer ? ofNewcomers : own) >= perDay) return { perDay };
    if (total !== null && all >= total) return { total };
    counts.set(merchant, own + 1);
    all++;
    if (isNewcomer) ofNewcomers++;
    return null;
  };
}
