import { query } from '../../../base/platform/postgres/query.ts';
import { type MatchDeps, rematchTransfer } from '../matching/match.ts';
import { selectTransfers } from '../transfers/transfers.ts';

/** How long a transfer that could not be matched is retried; after that only the merchant can assign it. */
const RETRY_FOR_MS = 48 * 60 * 60 * 1000;
const AT_ONCE = 20;

const unmatchedBy = (reason: 'error' | 'no_rate') =>
  query(`payments-retried-${reason}`, (db, $: { chainId: number; since: number }) =>
    selectTransfers(db)
      .where('chainId', '=', $.chainId)
      .where('unmatchedReason', '=', reason)
      .where('refundMarkedAt', 'is', null)
      .where('seenAt', '>', $.since)
      .orderBy('seenAt', 'desc')
      .limit(AT_ONCE),
  );
const RETRIED = [unmatchedBy('error'), unmatchedBy('no_rate')];

/**
 * Retries the transfers that are unmatched because matching failed or was too slow (`error`), or because there was no
 * rate for the time of their block (`no_rate`): the first one after an outage may be near enough. A transfer that fails
 * again stays unchanged; it was reported when it was first seen. Returns the number of retries.
 */
export async function retryErrors(deps: MatchDeps): Promise<number> {
  const range = { chainId: deps.chain.chainId, since: deps.clock() - RETRY_FOR_MS };
  const transfers = (await Promise.all(RETRIED.map((retried) => deps.sql.run(retried, range)))).flat();
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
