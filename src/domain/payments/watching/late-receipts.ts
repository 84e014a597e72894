import type { Deps } from '../../../base/platform/deps.ts';
import { endWork, type LateReceiptJob, RESCAN_QUEUE } from '../../../base/platform/jobs.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { type RescanDeps, rescanReceipts } from './rescan.ts';

/** The receipts that are looked for in one reading of the blocks. */
const AT_ONCE = 500;

/**
 * Reads the blocks of every chain for what has arrived at the addresses of receipts that were stored late. A job that
 * fails is repeated.
 */
export async function startLateReceipts(deps: RescanDeps & Pick<Deps, 'chains'>): Promise<{ stop(): Promise<void> }> {
  const { boss } = deps;
  await boss.work<LateReceiptJob>(RESCAN_QUEUE, { pollingIntervalSeconds: 2, batchSize: AT_ONCE }, async (jobs) => {
    const keys = jobs.map(({ data }) => data);
    for (const { chainId } of deps.chains) await rescanReceipts(onChain(deps, chainId), keys);
  });
  return { stop: () => endWork(boss, RESCAN_QUEUE) };
}
