import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** How deep a receipt's payment lies in the chain. */
export interface Progress {
  /** Blocks on top of the payment's own, as far as the watcher has seen; at most what is needed. */
  readonly confirmations: number;
  /** So many make it final. */
  readonly confirmationsNeeded: number;
}

const DEPTHS = statement(
  'payments-depths',
  `select t.receipt_id as "receiptId", greatest(0, c.head - max(t.block_number)) as depth
     from transfers t join chain_cursors c on c.chain_id = t.chain_id
    where t.merchant = $1 and t.receipt_id = any($2) and t.canonical and t.chain_id = $3
    group by t.receipt_id, c.head`,
);

/** The progress of each receipt's latest payment, in the receipts' order; nothing seen counts as no confirmation. */
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

/** The same for one receipt. */
export async function readProgress(
  deps: Pick<Deps, 'sql' | 'chain'>,
  merchant: Wallet,
  receiptId: string,
): Promise<Progress> {
  const [progress] = await readProgressOf(deps, merchant, [receiptId]);
  return progress!;
}
