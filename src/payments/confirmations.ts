import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

/** The confirmations of a receipt's payment. */
export interface Progress {
  /**
   * The number of blocks on top of the payment's block, as far as the watcher has read; at most `confirmationsNeeded`.
   */
  readonly confirmations: number;
  /** The number of blocks that make a payment final. */
  readonly confirmationsNeeded: number;
}

interface PaymentsOn {
  readonly merchant: Wallet;
  readonly receiptIds: readonly string[];
  readonly chainId: number;
}

/** The depth of each receipt's latest transfer. */
const DEPTHS = query(
  'payments-depths',
  (db, $: PaymentsOn) =>
    db
      .selectFrom('Transfer as t')
      .innerJoin('ChainCursor as c', 'c.chainId', 't.chainId')
      .select([
        't.receiptId',
        ({ fn, ref }) => sql<number>`greatest(0, ${ref('c.head')} - ${fn.max('t.blockNumber')})`.as('depth'),
      ])
      .where('t.merchant', '=', $.merchant)
      .where(({ ref }) => sql<boolean>`${ref('t.receiptId')} = any(${$.receiptIds})`)
      .where('t.canonical', '=', true)
      .where('t.chainId', '=', $.chainId)
      .groupBy(['t.receiptId', 'c.head']),
  { computed: { depth: 'int8' } },
);

/** The confirmations of each receipt's latest payment, in the order of the receipts; 0 without a payment. */
export async function readProgressOf(
  deps: Pick<Deps, 'sql' | 'chain'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Progress[]> {
  const { chainId, confirmations: confirmationsNeeded } = deps.chain;
  const rows = await deps.sql.run(DEPTHS, { merchant, receiptIds, chainId });
  const depths = new Map(rows.map(({ receiptId, depth }) => [receiptId as string, depth]));
  return receiptIds.map((id) => ({
    confirmations: Math.min(depths.get(id) ?? 0, confirmationsNeeded),
    confirmationsNeeded,
  }));
}

/** The confirmations of one receipt. */
export async function readProgress(
  deps: Pick<Deps, 'sql' | 'chain'>,
  merchant: Wallet,
  receiptId: string,
): Promise<Progress> {
  const [progress] = await readProgressOf(deps, merchant, [receiptId]);
  return progress!;
}
