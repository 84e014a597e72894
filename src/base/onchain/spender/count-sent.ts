import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { query } from '../../platform/postgres/query.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';
import type { Purpose } from './spender-transaction.entity.ts';

interface Wanted {
  readonly purpose: Purpose;
  /** Epoch ms. */
  readonly since: number;
}

const COUNT = query(
  'transactions-count',
  (db, $: Wanted & { chainId: number; sender: Wallet }) =>
    db
      .selectFrom('SpenderTransaction')
      .select(['merchant', ({ fn }) => fn.countAll<number>().as('count')])
      .where('chainId', '=', $.chainId)
      .where('sender', '=', $.sender)
      .where('purpose', '=', $.purpose)
      .where('createdAt', '>', $.since)
      .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '<>', 'voided')]))
      .groupBy('merchant'),
  { computed: { count: 'int8' } },
);

/** The number of a wallet's transactions since a time, of each merchant. Those that were voided do not count. */
export async function countSent(
  deps: Pick<LaneDeps, 'db' | 'chain'>,
  { sender }: SigningWallet,
  wanted: Wanted,
): Promise<ReadonlyMap<Wallet | '', number>> {
  const rows = await deps.db.run(COUNT, { chainId: deps.chain.chainId, sender, ...wanted });
  return new Map(rows.map(({ merchant, count }) => [merchant, count]));
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
