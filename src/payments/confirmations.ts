import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** The confirmations of a receipt's payment. */
export interface Progress {
  /**
   * The number of blocks on top of the payment's block, as far as the watcher has read; at most `confirmationsNeeded`.
   */
  readonly confirmations: number;
  /** The number of blocks that make a payment final. */
  readonly confirmationsNeeded: number;
}

const DEPTHS = statement(
  'payments-depths',
  `select t.receipt_id as "receiptId", greatest(0, c.head - max(t.block_number)) as depth
     from transfers t join chain_cursors c on c.chain_id = t.chain_id
    where t.merchant = $1 and t.receipt_id = any($2) and t.canonical and t.chain_id = $3
    group by t.receipt_id, c.head`,
);

/** The confirmations of each receipt's latest payment, in the order of the receipts; 0 without a payment. */
export async function readProgressOf(
  deps: Pick<Deps, 'sql' | 'chain'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<Progress[]> {
  const { chainId, confirmations: confirmationsNeeded } = deps.chain;
  const rows = await deps.sql.rows<{ receiptId: string; depth: number }>(DEPTHS, [merchant, receiptIds, chainId]);
  const depths = new Map(rows.map(({ receiptId, depth }) => [receiptId, depth]));
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
