import { isAlertDue } from '../platform/alert-interval.ts';
import type { Deps } from '../platform/deps.ts';
import type { QuoteRow } from './quote.entity.ts';

/** From this share of the amounts on, an alert is raised. */
const LOW_SHARE = 0.9;

type Pool = Pick<QuoteRow, 'merchant' | 'chainId' | 'payTo' | 'token' | 'usd'>;

const poolOf = ({ merchant, chainId, payTo, token, usd }: Pool): Pool => ({ merchant, chainId, payTo, token, usd });

const keyOf = (alert: string, pool: Pool): string => JSON.stringify([alert, poolOf(pool)]);

/** Raises the alert `amounts_low` if few amounts near a price are left, at most once an hour for each price. */
export function reportUse(
  { log }: Pick<Deps, 'log'>,
  pool: Pool,
  { held, size }: { readonly held: number; readonly size: number },
): void {
  if (held < size * LOW_SHARE || !isAlertDue(log, keyOf('low', pool))) return;
  const fields = { ...poolOf(pool), held, amounts: size };
  log.warn({ alert: 'amounts_low', ...fields }, 'few amounts near this price are left');
}

/** Raises the alert `amounts_exhausted`, at most once an hour for each price. */
export function reportExhausted({ log }: Pick<Deps, 'log'>, pool: Pool, size: number): void {
  if (!isAlertDue(log, keyOf('exhausted', pool))) return;
  log.error({ alert: 'amounts_exhausted', ...poolOf(pool), amounts: size }, 'no amount near this price is left');
}
