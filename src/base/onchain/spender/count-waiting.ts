import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { query } from '../../platform/postgres/query.ts';

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
