import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import type { Recipient } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type CostDeps, createCostRule } from '../../payments/quotes/collection-cost.ts';
import type { SettlementDeps } from './deps.ts';
import type { Place } from './place-walk.ts';

/** What one payee waits for at a place. */
export interface Waiting {
  readonly payee: Wallet;
  /** Whether the payee must release its share itself. */
  readonly selfRelease: boolean;
  /** Base units of its shares without a release on the way. */
  readonly owed: string;
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
        sql<boolean>`bool_or(${eb.ref('o.releaseRequestedAt')} is not null
          and ${eb.ref('o.transactionHash')} is null)`.as('requested'),
      ])
      .where('o.chainId', '=', $.chainId)
      .where('o.split', '=', $.split)
      .where('o.token', '=', $.token)
      .where('o.settledAt', 'is', null)
      .where('o.owed', 'is not', null)
      .groupBy(['o.payee', 's.merchant', 's.id']),
  { computed: { selfRelease: 'bool', owed: 'numeric', requested: 'bool' } },
);

/** The payees with open shares at a place; null if there are none, or if the split is not verified. */
export async function readWaiting(
  { db, chain }: SettlementDeps,
  { split, token }: Place,
): Promise<WaitingBatch | null> {
  const rows = await db.run(WAITING, { chainId: chain.chainId, split, token });
  const [first] = rows;
  return first ? { deployed: first.deployed, recipients: first.recipients, payees: rows } : null;
}

/** What the release of one share needs, in gas. */
const RELEASE_GAS = 80_000n;

/**
 * Whether the shares of a place are due: the merchant asked for their release, or together they are worth its cost by
 * the same rule as a collection (`SWEEP_MAX_COST_PCT`). Throws `chain_unavailable`.
 *
 * @param releases the number of transactions: one for each recipient
 */
export async function isDue(
  deps: CostDeps,
  token: Token,
  waiting: readonly Pick<Waiting, 'owed' | 'requested'>[],
  releases: number,
): Promise<boolean> {
  if (waiting.length === 0) return false;
  if (waiting.some(({ requested }) => requested)) return true;
  const isWorth = await createCostRule(deps, token, releases);
  const amount = String(waiting.reduce((total, { owed }) => total + BigInt(owed), 0n));
  return isWorth({ amount }, 1, RELEASE_GAS * BigInt(releases));
}
