import type { Kysely } from 'kysely';
import type { Token } from '../chain/token.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Database } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting, WAITING } from '../receipts/lifecycle.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { raiseEvents } from '../webhooks/events/raise-events.ts';
import { type CreditDeps, describeTransfer } from './credit.ts';
import type { TransferRow } from './transfer-row.ts';
import { leaveUnmatched, type Unmatched } from './transfers.ts';
import { UNCLAIMED_NOTE, UNMATCHED_NOTE } from './unmatched-note.ts';

/** A quote is near a transfer where they differ by at most so much of the transfer's amount. */
const NEAR_PERCENT = 5n;

/** An unmatched transfer, and the receipt whose buyer is asked about it; null if no one is. */
interface Report extends Unmatched {
  readonly token: Token;
  readonly asks: string | null;
}

/**
 * Keeps a transfer as unmatched and reports it once: an event, a line in the log, and a note in the history of the
 * receipt that it is meant for, or is likely meant for, or whose buyer is asked.
 */
export async function reportUnmatched(
  deps: CreditDeps & Pick<Deps, 'log'>,
  uow: UnitOfWork,
  transfer: TransferRow,
  { token, asks, ...unmatched }: Report,
): Promise<void> {
  const { reason } = unmatched;
  await leaveUnmatched(uow, transfer, unmatched);
  const isKnown = transfer.unmatchedReason !== null && transfer.unmatchedReason !== 'error';
  if (isKnown) return;
  const target = await findTarget(uow, transfer, unmatched);
  const detail = describeTransfer(transfer, token);
  const { merchant, chainId, transactionHash, logIndex, sender, payTo } = transfer;
  await raiseEvents(uow, [
    {
      ...{ merchant, at: deps.clock(), kind: 'transfer.unmatched' },
      source: `transfer:${chainId}:${transactionHash}:${logIndex}`,
      data: { ...detail, ...{ chainId, logIndex, sender, payTo, reason }, likelyReceiptId: target?.receiptId ?? null },
    },
  ]);
  uow.afterCommit(() =>
    deps.log.info(
      { merchant, reason, ...detail, ...(target && { receiptId: target.receiptId }) },
      'a transfer pays no receipt',
    ),
  );
  if (asks !== null) await noteOn(deps, uow, { merchant, id: asks }, { name: UNCLAIMED_NOTE, detail });
  else if (target) {
    const note = { name: UNMATCHED_NOTE, detail: { ...detail, ...target.detail } };
    await noteOn(deps, uow, { merchant, id: target.receiptId }, note);
  }
}

/** Adds a note to the history of a receipt that waits for money. */
async function noteOn(
  deps: CreditDeps,
  uow: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  { name, detail }: { readonly name: string; readonly detail: Record<string, unknown> },
): Promise<void> {
  const receipt = await lockReceipt(uow, merchant, id);
  if (!receipt || !isWaiting(receipt)) return;
  await recordChange(deps, uow, receipt, { kind: 'note', name }, { actor: 'chain', detail });
}

/** The one receipt whose history gets a note about a transfer, with the details to add; null if there is none. */
async function findTarget(
  uow: UnitOfWork,
  transfer: TransferRow,
  { reason, meantFor }: Unmatched,
): Promise<{ readonly receiptId: string; readonly detail: Record<string, unknown> } | null> {
  const [receiptId, ...others] = meantFor;
  if (receiptId !== undefined) return others.length > 0 ? null : { receiptId, detail: { reason } };
  const likely = reason === 'unknown_amount' ? await findLikely(uow, transfer) : null;
  return likely && { receiptId: likely.receiptId, detail: { quotedAmount: likely.amount } };
}

interface Near {
  readonly chainId: number;
  readonly payTo: Wallet;
  readonly token: string;
  readonly blockNumber: number;
  /** The range of amounts, base units. */
  readonly least: string;
  readonly most: string;
}

/** Open quotes of receipts that wait for money, with an amount in the range. Read from the index of quoted amounts. */
const openQuotes = (db: Kysely<Database>, $: Near) =>
  db
    .selectFrom('Quote as q')
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 'q.merchant').onRef('r.id', '=', 'q.receiptId'))
    .select(['q.receiptId', 'q.amount'])
    .where('r.status', 'in', WAITING)
    .where('q.chainId', '=', $.chainId)
    .where('q.payTo', '=', $.payTo)
    .where('q.token', '=', $.token)
    .where('q.reservedUntil', 'is', null)
    .where('q.amount', '>=', $.least)
    .where('q.amount', '<=', $.most)
    .where(({ or, eb }) =>
      or([
        eb('r.createdBlock', 'is', null),
        eb('r.createdChainId', 'is distinct from', $.chainId),
        eb('r.createdBlock', '<=', $.blockNumber),
      ]),
    )
    .limit(1);

const LIKELY = query('payments-likely-quote', (db, $: Near) => openQuotes(db, $).orderBy('q.amount', 'desc'));
const OTHER = query('payments-other-near-quote', (db, $: Near & { receiptId: string }) =>
  openQuotes(db, $).where('q.receiptId', '<>', $.receiptId),
);

/**
 * The receipt that waits for nearly as much: it has an open quote within 5 % of the transfer's amount, and no other
 * receipt has one within 10 %. The search ends at the first quote of a second receipt.
 */
async function findLikely(uow: UnitOfWork, transfer: TransferRow): Promise<RowOf<typeof LIKELY> | null> {
  const amount = BigInt(transfer.amount);
  const near = (amount * NEAR_PERCENT) / 100n;
  const within = (distance: bigint) => ({
    ...transfer,
    least: String(amount - distance),
    most: String(amount + distance),
  });
  const [likely] = await uow.run(LIKELY, within(near));
  if (!likely) return null;
  const [other] = await uow.run(OTHER, { ...within(2n * near), receiptId: likely.receiptId });
  return other ? null : likely;
}
