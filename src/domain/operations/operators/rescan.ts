import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { recordOperation } from '../../../base/records/audit/record.ts';
import { type Rescan, type RescanRange, rescan, rescanReceipts } from '../../payments/watching/rescan.ts';
import { createShares } from '../../settlement/shares/create-shares.ts';
import { spreadSplits } from '../../shop/splits/spread.ts';

/** The most blocks of a rescan that a request waits for. */
export const RESCAN_MAX = 50_000;

/** Reads blocks of a chain again, and records that it was done. The first chain without an id. See `rescan`. */
export async function rescanChain(every: Deps, chainId: number | null, range: RescanRange): Promise<Rescan> {
  const deps = onChain(every, chainId);
  await spreadSplits(deps);
  const done = await rescan({ ...deps, createShares }, range);
  await recordOperation(deps, 'blocks.rescanned', ['chain', String(deps.chain.chainId)], done);
  return done;
}

/** The same within a request, which must not take minutes. Refuses longer ranges with `invalid_input`. */
export function rescanBriefly(deps: Deps, chainId: number | null, range: RescanRange): Promise<Rescan> {
  if (range.toBlock - range.fromBlock >= RESCAN_MAX)
    throw refuse('invalid_input', `At most ${RESCAN_MAX} blocks are read at once`, { field: 'toBlock' });
  return rescanChain(deps, chainId, range);
}

/** Looks on every chain for what has arrived at the addresses of a receipt since it was made, and records that. */
export async function rescanReceipt(
  every: Deps,
  merchant: Wallet,
  id: string,
): Promise<(Rescan & { chainId: number })[]> {
  const done = [];
  for (const { chainId } of every.chains) {
    const read = await rescanReceipts({ ...onChain(every, chainId), createShares }, [{ merchant, id }]);
    if (read !== null) done.push({ chainId, ...read });
  }
  await recordOperation(every, 'blocks.rescanned', ['receipt', id], done);
  return done;
}
