import { statement } from '../platform/sql.ts';
import { type MatchDeps, rematchTransfer } from './match.ts';
import { TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

/** How long a transfer that could not be matched is retried; after that only the merchant can assign it. */
const RETRY_FOR_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 20;

const ERRORS = statement(
  'payments-errors',
  `select ${TRANSFER_COLUMNS} from transfers t
    where t.chain_id = $1 and t.unmatched_reason = 'error' and t.canonical and t.refund_marked_at is null and t.seen_at > $2
    order by t.seen_at desc limit ${AT_ONCE}`,
);

/**
 * Retries the transfers stored with reason `error`, because matching failed or was too slow. A transfer that fails
 * again stays unchanged; it was reported when it was first seen. Returns the number of retries.
 */
export async function retryErrors(deps: MatchDeps): Promise<number> {
  const transfers = await deps.sql.rows<TransferRow>(ERRORS, [deps.chain.chainId, deps.clock() - RETRY_FOR_MS]);
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
