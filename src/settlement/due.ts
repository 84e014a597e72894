import { sql } from 'kysely';
import { parseUnits } from 'viem';
import type { Token } from '../chain/token.ts';
import { Refusal } from '../core/errors.ts';
import type { Recipient } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import { configuredRates, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { SettlementDeps } from './deps.ts';
import type { Place } from './place-walk.ts';

/** What one payee waits for at a place. */
export interface Waiting {
  readonly payee: Wallet;
  /** Whether the payee must release its share itself. */
  readonly selfRelease: boolean;
  /** Base units of its shares without a release on the way. */
  readonly owed: string;
  /** Since when its oldest share waits, epoch ms. */
  readonly since: number;
  /** Whether the merchant asked for the release of one of them. */
  readonly requested: boolean;
}

/** A split with the payees that have open shares of a token. */
export interface WaitingBatch {
  readonly deployed: boolean;
  readonly recipients: readonly Recipient[];
  readonly payees: readonly Waiting[];
}

const WAITING = query(
  'settlement-waiting',
  (db, $: Place & { chainId: number }) =>
    db
      .selectFrom('SettlementShare as o')
      .innerJoin('Split as s', (join) =>
        join.onRef('s.chainId', '=', 'o.chainId').onRef('s.address', '=', 'o.split').on('s.verified', '=', true),
      )
      .select(['o.payee', 's.recipients', 's.deployed'])
      .select((eb) => [
        sql<boolean>`bool_and(${eb.ref('o.selfRelease')})`.as('selfRelease'),
        eb.fn
          .coalesce(eb.fn.sum<string>('o.owed').filterWhere('o.transactionHash', 'is', null), sql<string>`0`)
          .as('owed'),
        // A share that was computed before its time was stored has waited long enough.
        eb.fn.min(eb.fn.coalesce('o.dueSince', sql<number>`0::bigint`)).as('since'),
        sql<boolean>`bool_or(${eb.ref('o.releaseRequestedAt')} is not null
          and ${eb.ref('o.transactionHash')} is null)`.as('requested'),
      ])
      .where('o.chainId', '=', $.chainId)
      .where('o.split', '=', $.split)
      .where('o.token', '=', $.token)
      .where('o.settledAt', 'is', null)
      .where('o.owed', 'is not', null)
      .groupBy(['o.payee', 's.merchant', 's.id']),
  { computed: { selfRelease: 'bool', owed: 'numeric', since: 'int8', requested: 'bool' } },
);

/** The payees with open shares at a place; null if there are none, or if the split is not verified. */
export async function readWaiting(
  { sql: db, chain }: SettlementDeps,
  { split, token }: Place,
): Promise<WaitingBatch | null> {
  const rows = await db.run(WAITING, { chainId: chain.chainId, split, token });
  const [first] = rows;
  return first ? { deployed: first.deployed, recipients: first.recipients, payees: rows } : null;
}

/** What decides whether shares are due. */
export type DueDeps = Pick<Deps, 'settings' | 'sql' | 'clock' | 'rates'>;

/**
 * Whether the shares of a place are due: the merchant asked for their release, their sum has reached
 * `SETTLEMENT_MIN_USD`, or the oldest has waited for `SETTLEMENT_MAX_AGE_H`. Without a current price of the token only
 * request and age count.
 */
export async function isDue(
  deps: DueDeps,
  token: Token,
  waiting: readonly Pick<Waiting, 'owed' | 'since' | 'requested'>[],
): Promise<boolean> {
  const { minCents, maxAgeMs } = deps.settings.settlement;
  if (minCents === 0) return true;
  if (waiting.length === 0) return false;
  if (waiting.some(({ requested }) => requested)) return true;
  if (deps.clock() - Math.min(...waiting.map(({ since }) => since)) >= maxAgeMs) return true;
  const sum = waiting.reduce((total, { owed }) => total + BigInt(owed), 0n);
  const price = await priceOf(deps, token);
  return price !== null && sum * price * 100n >= BigInt(minCents) * 10n ** BigInt(token.decimals + PRICE_DECIMALS);
}

const PRICE_DECIMALS = 18;

/** US dollars per whole token, times 10^18; null without a current price. */
async function priceOf(deps: DueDeps, token: Token): Promise<bigint | null> {
  try {
    return parseUnits(await usdPerToken(configuredRates(deps), token), PRICE_DECIMALS);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'exchange_rate_unavailable') return null;
    throw error;
  }
}
