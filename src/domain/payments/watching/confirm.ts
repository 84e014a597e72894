import { sql } from 'kysely';
import { Refusal } from '../../../base/core/errors.ts';
import { type Depth, depthFor } from '../../../base/core/finality.ts';
import type { Cursor } from '../../../base/onchain/blocks/cursor.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import type { MatchDeps } from '../matching/match.ts';
import { awaitsConfirmations, paidBalance } from '../transfers/core/confirm.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { describeBalance, describeTransfer } from '../transfers/credit.ts';
import { confirmTransfer, lockTransfer, readCredits, selectTransfers } from '../transfers/transfers.ts';
import { worthCents } from '../transfers/worth.ts';
import { createDepthCheck } from './confirmations.ts';
import { isCrossChecked } from './cross-check.ts';
import { enqueuePaidCharge } from './enqueue-paid-charge.ts';
import { lookUp } from './look-up.ts';
import { revertTransfer } from './reorg.ts';

const BATCH = 500;

interface Place {
  readonly block: number;
  readonly log: number;
}

/** The transfers that wait, in chain order, with what counts for the depth: see `worthCents`. */
const UNCONFIRMED = query(
  'payments-unconfirmed',
  (db, $: { chainId: number; upTo: number } & Place) =>
    selectTransfers(db)
      .leftJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 'Transfer.merchant').onRef('r.id', '=', 'Transfer.receiptId'),
      )
      .select((eb) => worthCents(eb.ref('r.totalCents'), eb.ref('Transfer.usd')).as('worthCents'))
      .where('Transfer.chainId', '=', $.chainId)
      .where('blockNumber', '<=', $.upTo)
      .where('confirmedAt', 'is', null)
      .where(sql<boolean>`(block_number, log_index) > (${$.block}::int8, ${$.log}::int8)`)
      .orderBy('blockNumber')
      .orderBy('logIndex')
      .limit(BATCH),
  { computed: { worthCents: 'int8' } },
);

type Waiting = RowOf<typeof UNCONFIRMED>;

/**
 * Confirms the transfers that were read twice and have the depth that their amount needs, and marks the receipts that
 * they cover as paid.
 *
 * @param head the newest block's number
 */
export async function confirmTransfers(
  deps: MatchDeps,
  { chainId, confirmed }: Pick<Cursor, 'chainId' | 'confirmed'>,
  head: number,
): Promise<void> {
  const isDeep = createDepthCheck(deps.chain, deps.log, head);
  let after: Place = { block: -1, log: -1 };
  for (;;) {
    const transfers = await deps.db.run(UNCONFIRMED, { chainId, upTo: confirmed, ...after });
    for (const transfer of transfers) {
      try {
        await confirmIfDue(deps, transfer, isDeep);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        // A transfer that fails does not block the others; the next scan retries it.
        deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'payment confirmation failed');
      }
    }
    const last = transfers.at(-1);
    if (!last || transfers.length < BATCH) return;
    after = { block: last.blockNumber, log: last.logIndex };
  }
}

/** Confirms a transfer that has its depth, unless a second endpoint has to find it first. */
async function confirmIfDue(
  deps: MatchDeps,
  transfer: Waiting,
  isDeep: (block: number, depth: Depth) => Promise<boolean>,
): Promise<void> {
  const { finality, confirmations } = deps.chain;
  const depth = depthFor(finality, transfer.worthCents);
  if (!(await isDeep(transfer.blockNumber, depth))) return;
  // It was read a second time long ago, and the chain may have changed below the blocks that are remembered.
  if (depth !== confirmations && !(await isStillThere(deps, transfer))) return;
  if (await isCrossChecked(deps, transfer, depth)) await confirm(deps, transfer);
}

async function isStillThere(deps: MatchDeps, transfer: TransferRow): Promise<boolean> {
  const found = await lookUp(deps, transfer);
  if (found === 'gone') {
    const { transactionHash } = transfer;
    deps.log.error({ alert: 'transfer_gone', transactionHash }, 'transfer is not in its block');
    await revertTransfer(deps, transfer);
  }
  return found === 'there';
}

async function confirm(deps: MatchDeps, seen: TransferRow): Promise<void> {
  await deps.db.transaction(async (uow) => {
    const transfer = await lockTransfer(uow, seen);
    if (!transfer || transfer.confirmedAt !== null) return;
    await confirmTransfer(uow, transfer, deps.clock());
    const receipt = transfer.receiptId === null ? null : await lockReceipt(uow, transfer.merchant, transfer.receiptId);
    if (receipt && awaitsConfirmations(receipt)) await payIfFinal(deps, uow, receipt, transfer);
  });
}

async function payIfFinal(deps: MatchDeps, uow: UnitOfWork, receipt: Receipt, transfer: TransferRow): Promise<void> {
  const balance = paidBalance(receipt, await readCredits(uow, receipt));
  if (balance === null) return;
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'status', to: 'paid' },
    { actor: 'chain', detail: { ...describeTransfer(transfer, token), ...describeBalance(balance) } },
  );
  await deps.createShares(deps, uow, receipt);
  await enqueuePaidCharge(uow, receipt, transfer);
}
