import type { Wallet } from '../core/wallet.ts';
import { query } from '../platform/query.ts';
import type { LaneDeps } from './deps.ts';
import type { Purpose } from './spender-transaction.entity.ts';
import type { SigningWallet } from './wallet.ts';

interface Wanted {
  readonly purpose: Purpose;
  readonly merchants: readonly Wallet[];
  /** Epoch ms. */
  readonly since: number;
}

const COUNT = query(
  'transactions-count',
  (db, $: Wanted & { chainId: number; sender: Wallet }) =>
    db
      .selectFrom('SpenderTransaction')
      .select((eb) => ['merchant', eb.fn.countAll<number>().as('count')])
      .where('chainId', '=', $.chainId)
      .where('sender', '=', $.sender)
      .where('purpose', '=', $.purpose)
      .where('merchant', '=', (eb) => eb.fn.any(eb.val($.merchants)))
      .where('createdAt', '>', $.since)
      .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '<>', 'voided')]))
      .groupBy('merchant'),
  { computed: { count: 'int8' } },
);

/**
 * The number of a wallet's transactions for each of the merchants since a time. Those that were voided do not count.
 */
export async function countSent(
  { sql, chain: { chainId } }: Pick<LaneDeps, 'sql' | 'chain'>,
  { sender }: SigningWallet,
  wanted: Wanted,
): Promise<Map<string, number>> {
  const rows = await sql.run(COUNT, { chainId, sender, ...wanted });
  return new Map(rows.map(({ merchant, count }) => [merchant, count]));
}
