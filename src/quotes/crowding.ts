import { isAlertDue } from '../platform/alert-interval.ts';
import type { Deps } from '../platform/deps.ts';
import type { QuoteRow } from './quote.entity.ts';

/** From this share of the amounts on, an alert is raised. */
const LOW_SHARE = 0.9;

type Pool = Pick<QuoteRow, 'merchant' | 'chainId' | 'payTo' | 'token' | 'usd'>;

const poolOf = ({ merchant, chainId, payTo, token, usd }: Pool): Pool => ({ merchant, chainId, payTo, token, usd });

const keyOf = (alert: string, pool: Pool): string => JSON.stringify([alert, poolOf(pool)]);

/** For how long a price counts as low after the last quote that found it so. */
const LOW_FOR_MS = 3_600_000;

/** When each price was last found low, by the monotonic clock and by the logger of the process. */
const lowSince = new WeakMap<object, Map<string, number>>();

function noteLow(log: object, pool: Pool, isLow: boolean): void {
  const prices = lowSince.get(log) ?? new Map<string, number>();
  lowSince.set(log, prices);
  if (isLow) prices.set(keyOf('low', pool), performance.now());
  else prices.delete(keyOf('low', pool));
}

/** The number of prices with few amounts left, as far as this process has found out by quotes of the last hour. */
export function countLowPrices({ log }: Pick<Deps, 'log'>): number {
  const prices = lowSince.get(log) ?? new Map<string, number>();
  for (const [price, at] of prices) if (performance.now() - at > LOW_FOR_MS) prices.delete(price);
  return prices.size;
}

/** Raises the alert `amounts_low` if few amounts near a price are left, at most once an hour for each price. */
export function reportUse(
  { log }: Pick<Deps, 'log'>,
  pool: Pool,
  { held, size }: { readonly held: number; readonly size: number },
): void {
  const isLow = held >= size * LOW_SHARE;
  noteLow(log, pool, isLow);
  if (!isLow || !isAlertDue(log, keyOf('low', pool))) return;
  const fields = { ...poolOf(pool), held, amounts: size };
  log.warn({ alert: 'amounts_low', ...fields }, 'few amounts near this price are left');
}

/** Raises the alert `amounts_exhausted`, at most once an hour for each price. */
export function reportExhausted({ log }: Pick<Deps, 'log'>, pool: Pool, size: number): void {
  noteLow(log, pool, true);
  if (!isAlertDue(log, keyOf('exhausted', pool))) return;
  log.error({ alert: 'amounts_exhausted', ...poolOf(pool), amounts: size }, 'no amount near this price is left');
}
