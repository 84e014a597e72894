import { query } from '../platform/query.ts';
import { type MatchDeps, rematchTransfer } from './match.ts';
import { selectTransfers } from './transfers.ts';

/** How long a transfer that could not be matched is retried; after that only the merchant can assign it. */
const RETRY_FOR_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 20;

const ERRORS = query('payments-errors', (db, $: { chainId: number; since: number }) =>
  selectTransfers(db)
    .where('chainId', '=', $.chainId)
    .where('unmatchedReason', '=', 'error')
    .where('refundMarkedAt', 'is', null)
    .where('seenAt', '>', $.since)
    .orderBy('seenAt', 'desc')
    .limit(AT_ONCE),
);

/**
 * Retries the transfers stored with reason `error`, because matching failed or was too slow. A transfer that fails
 * again stays unchanged; it was reported when it was first seen. Returns the number of retries.
 */
export async function retryErrors(deps: MatchDeps): Promise<number> {
  const transfers = await deps.sql.run(ERRORS, {
    chainId: deps.chain.chainId,
    since: deps.clock() - RETRY_FOR_MS,
  });
  for (const transfer of transfers) {
    await rematchTransfer(deps, transfer).catch((error: unknown) => {
      deps.log.debug(
        { err: error, transactionHash: transfer.transactionHash },
        'retry of an unmatched transfer failed',
      );
    });
  }
  return transfers.length;
}
