import { readTransfersOf } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf, onChain } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import { selectAsked } from '../matching/asked-at-split.ts';
import { recordTransfer, rematchTransfer } from '../matching/match.ts';
import { resetConfirmations, selectArrived } from '../transfers/transfers.ts';
import { matchDeps, type RescanDeps } from './rescan.ts';

/** What was found when a receipt was looked at again. */
export interface Reevaluation {
  readonly before: ReceiptStatus;
  readonly after: ReceiptStatus;
  /** The transactions that were looked up on the chain. */
  readonly lookedUp: number;
  /** The number of transfers that were not stored before. */
  readonly added: number;
  /** The number of unmatched transfers that were matched again. */
  readonly rematched: number;
}

interface Key {
  readonly merchant: Wallet;
  readonly id: string;
}

/** Every transaction that may pay a receipt: those that were reported for it, and those that are credited. */
const TRANSACTIONS = query(
  'payments-transactions-of',
  (db, $: Key) =>
    db
      .selectFrom('SubmittedTransaction')
      .select(['chainId', 'transactionHash'])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.id)
      .union((eb) =>
        eb
          .selectFrom('Transfer')
          .select(['chainId', 'transactionHash'])
          .where('merchant', '=', $.merchant)
          .where('receiptId', '=', $.id)
          .where('canonical', '=', true),
      ),
  { computed: { chainId: 'int8', transactionHash: 'text' } },
);

const ARRIVED = query('payments-unmatched-arrivals', (db, $: Key) =>
  selectArrived(db, $).where('refundMarkedAt', 'is', null).limit(100),
);
const ASKED = query('payments-unmatched-asked', (db, $: Key) =>
  selectAsked(db, $).where('Transfer.refundMarkedAt', 'is', null).limit(100),
);

/**
 * Looks at a receipt again, for an operator who doubts its status: its transactions on the chain, money that was meant
 * for it and counts for no receipt, and its confirmations. The usual rules decide, so what was right stays as it
 * is. Refuses with `not_found` and `chain_unavailable`.
 */
export async function reevaluateReceipt(
  deps: RescanDeps & Pick<Deps, 'chains' | 'origin'>,
  merchant: Wallet,
  receiptId: string,
): Promise<Reevaluation> {
  const key = { merchant, id: receiptId };
  const before = await statusOf(deps.db, key);
  const transactions = await deps.db.run(TRANSACTIONS, key);
  let added = 0;
  for (const { chainId, transactionHash } of transactions) {
    if (!chainOf(deps, chainId)) continue;
    const matching = matchDeps(onChain(deps, chainId));
    await matching.watched.refresh();
    const { status, transfers } = await readTransfersOf(matching.chain, transactionHash, matching.watched);
    if (status === 'success')
      for (const transfer of transfers) if (await recordTransfer(matching, transfer)) added += 1;
  }
  const unmatched = [...(await deps.db.run(ARRIVED, key)), ...(await deps.db.run(ASKED, key))];
  for (const transfer of unmatched)
    if (chainOf(deps, transfer.chainId)) await rematchTransfer(matchDeps(onChain(deps, transfer.chainId)), transfer);
  const after = await deps.db.transaction(async (uow) => {
    const { status } = await lockReceiptOrRefuse(uow, merchant, receiptId);
    // The watcher confirms its transfers again, and decides whether it is paid.
    if (status === 'tx_mined') await resetConfirmations(uow, key);
    await recordAudit(deps, uow, merchant, 'receipt.reevaluated', ['receipt', receiptId], {
      after: { before, after: status, added },
    });
    return status;
  });
  deps.bus.publish(HINT_CHANNEL, 'reevaluate');
  return { before, after, lookedUp: transactions.length, added, rematched: unmatched.length };
}

const statusOf = (db: Db, { merchant, id }: Key): Promise<ReceiptStatus> =>
  db.transaction(async (uow) => (await lockReceiptOrRefuse(uow, merchant, id)).status);
