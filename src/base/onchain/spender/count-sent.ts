import { sql } from 'kysely';
import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { query } from '../../platform/postgres/query.ts';
import type { LaneDeps } from './deps.ts';
import type { Purpose } from './spender-transaction.entity.ts';
import type { SigningWallet } from './wallet.ts';

interface Wanted {
  readonly purpose: Purpose;
  readonly merchants: readonly Wallet[];
  /** Epoch ms. */
  readonly since: number;
}

/** What a wallet has sent since a time. */
export interface Sent {
  /** For all merchants of the installation. */
  readonly total: number;
  /** For each of the merchants that were asked for. */
  readonly of: (merchant: Wallet) => number;
}

const COUNT = query(
  'transactions-count',
  (db, $: Wanted & { chainId: number; sender: Wallet }) =>
    db
      .selectFrom('SpenderTransaction')
      .select(({ ref, fn }) => [
        sql<string | null>`case when ${ref('merchant')} = any(${$.merchants}::text[]) then ${ref('merchant')} end`.as(
          'of',
        ),
        fn.countAll<number>().as('count'),
      ])
      .where('chainId', '=', $.chainId)
      .where('sender', '=', $.sender)
      .where('purpose', '=', $.purpose)
      .where('createdAt', '>', $.since)
      .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '<>', 'voided')]))
      .groupBy('of'),
  { computed: { of: 'text', count: 'int8' } },
);

/** The number of a wallet's transactions since a time. Those that were voided do not count. */
export async function countSent(
  deps: Pick<LaneDeps, 'db' | 'chain'>,
  { sender }: SigningWallet,
  wanted: Wanted,
): Promise<Sent> {
  const rows = await deps.db.run(COUNT, { chainId: deps.chain.chainId, sender, ...wanted });
  const counts = new Map(rows.map(({ of, count }) => [of, count]));
  return { total: rows.reduce((sum, { count }) => sum + count, 0), of: (merchant) => counts.get(merchant) ?? 0 };
}

/** The transactions of a wallet on a chain that are not final. */
export interface WaitingOf {
  readonly chainId: number;
  readonly sender: Wallet;
  readonly waiting: number;
}

const WAITING = query(
  'transactions-waiting',
  (db, _: object) =>
    db
      .selectFrom('SpenderTransaction')
      .select(['chainId', 'sender'])
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .where('state', '<>', 'final')
      .groupBy(['chainId', 'sender']),
  { computed: { waiting: 'int8' } },
);

/** Counts the transactions that are not final, of every wallet that ever signed here. Only its key can replace them. */
export const countWaiting = (db: Db): Promise<readonly WaitingOf[]> => db.run(WAITING, {});
