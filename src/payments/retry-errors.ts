import { statement } from '../platform/sql.ts';
import { type MatchDeps, rematchTransfer } from './match.ts';
import { TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

/** A transfer that could not be matched is tried again for so long after it was seen; then only the merchant assigns it. */
const RETRY_FOR_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 20;

const ERRORS = statement(
  'payments-errors',
  `select ${TRANSFER_COLUMNS} from transfers t
    where t.chain_id = $1 and t.unmatched_reason = 'error' and t.canonical and t.refund_marked_at is null and t.seen_at > $2
    order by t.seen_at desc limit ${AT_ONCE}`,
);

/**
 * Tries to match the transfers again that were kept with reason `error`, because matching failed or was too slow. What fails again stays as it is; it was
 * reported when it was seen. Answers how many were tried.
 */
export async function retryErrors(deps: MatchDeps): Promise<number> {
  const transfers = await deps.sql.rows<TransferRow>(ERRORS, [deps.chain.chainId, deps.clock() - RETRY_FOR_MS]);
  for (const transfer of transfers) {
    await rematchTransfer(deps, transfer).catch((error: unknown) => {
      deps.log.debug(
        { err: error, transactionHash: transfer.transactionHash },
        'a transfer could not be matched again',
      );
    });
  }
  return transfers.length;
}
