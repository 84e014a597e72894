import type { Deps } from '../../../base/platform/deps.ts';
import { type LateReceiptJob, RESCAN_QUEUE, workOn } from '../../../base/platform/jobs.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { type RescanDeps, rescanReceipts } from './rescan.ts';

/** The receipts that are looked for in one reading of the blocks. */
const AT_ONCE = 500;

/**
 * Reads the blocks of every chain for what has arrived at the addresses of receipts that were stored late. A job that
 * fails is repeated.
 */
export function startLateReceipts(deps: RescanDeps & Pick<Deps, 'chains'>): { stop(): Promise<void> } {
  const rescan = async (receipts: readonly LateReceiptJob[]) => {
    for (const { chainId } of deps.chains) await rescanReceipts(onChain(deps, chainId), receipts);
  };
  return workOn(deps.db, deps.log, RESCAN_QUEUE, rescan, { atOnce: AT_ONCE });
}
