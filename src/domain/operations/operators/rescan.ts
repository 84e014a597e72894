import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
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

const NAMED = query('operators-receipts-named', (db, $: { id: string; merchant: Wallet | '' }) =>
  db
    .selectFrom('Receipt')
    .select(['merchant', 'id'])
    .where('id', '=', $.id)
    .where((eb) => eb.or([eb(eb.val($.merchant), '=', ''), eb('merchant', '=', $.merchant as Wallet)])),
);

/**
 * Looks on every chain for what has arrived at the addresses of a receipt since it was made, and records that. Without
 * a merchant at those of every receipt with the id. Refuses with `not_found`.
 */
export async function rescanReceipt(
  every: Deps,
  merchant: Wallet | null,
  id: string,
): Promise<(Rescan & { chainId: number })[]> {
  const receipts = await every.db.run(NAMED, { id, merchant: merchant ?? '' });
  if (receipts.length === 0) throw refuse('not_found', `There is no receipt ${id}`);
  const done = [];
  for (const { chainId } of every.chains) {
    const read = await rescanReceipts({ ...onChain(every, chainId), createShares }, receipts);
    if (read !== null) done.push({ chainId, ...read });
  }
  await recordOperation(every, 'blocks.rescanned', ['receipt', id], done);
  return done;
}
