import { type ExpressionBuilder, type Kysely, type NotNull, sql } from 'kysely';
import type { Transfer } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { SortKey } from '../../../base/platform/keyset.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { AssignedFrom, UnmatchedReason } from './core/transfer.entity.ts';
import { columnsOfTransfer, type TransferKey, type TransferRow } from './core/transfer-row.ts';
import type { CreditedTransfer, Link } from './core/weigh.ts';
import type { Place } from './watched.ts';

/** What clients read of the hash that is part of a transfer's key. */
export const RECORDED_HASH =
  'What names it to the mutations that decide on it, with `logIndex` and `chainId`: its transaction, or the block and address that received coins from within a contract’s transaction.';

const keyOf = ({ chainId, blockHash, transactionHash, logIndex }: TransferKey): TransferKey => ({
  chainId,
  blockHash,
  transactionHash,
  logIndex,
});

/** The split that the money of a transfer is for: it was sent there, or arrived at an address that collects to it. */
export const splitOf = (transfer: string) =>
  sql<Wallet>`coalesce(${sql.ref(`${transfer}.split`)}, ${sql.ref(`${transfer}.payTo`)})`;

/** The keys of transfers in the order of their blocks. */
export const keysOfTransfers = (transfer: string): readonly SortKey[] => {
  const key = (name: string, type: SortKey['type']) => ({ name, type, sql: sql.ref(`${transfer}.${name}`) });
  return [
    // Heights of different chains do not compare, and blocks of one chain may have the same time.
    key('blockTimeMs', 'int8'),
    key('chainId', 'int8'),
    key('blockNumber', 'int8'),
    // A transfer without a log of its own shares its index with others of its block, but not its hash.
    key('logIndex', 'int4'),
    key('transactionHash', 'text'),
  ];
};

/** The transfers whose block is on the chain. */
export const selectTransfers = (db: Kysely<Database>) =>
  db.selectFrom('Transfer').select(columnsOfTransfer).where('Transfer.canonical', '=', true);

/** The transfers to a receipt's addresses that do not count for it. */
export const selectArrived = (db: Kysely<Database>, { merchant, id }: ReceiptKey) =>
  selectTransfers(db)
    .where('merchant', '=', merchant)
    .where('addressOf', '=', id)
    .where('split', 'is not', null)
    .where('receiptId', 'is', null);

type NewTransfer = Omit<TransferRow, 'confirmedAt' | 'receiptId' | 'unmatchedReason' | 'refundMarkedAt'>;

const INSERT = query('payments-insert-transfer', (db, $: NewTransfer) =>
  db
    .insertInto('Transfer')
    .values({
      chainId: $.chainId,
      blockHash: $.blockHash,
      transactionHash: $.transactionHash,
      logIndex: $.logIndex,
      blockNumber: $.blockNumber,
      blockTimeMs: $.blockTimeMs,
      token: $.token,
      sender: $.sender,
      payTo: $.payTo,
      amount: $.amount,
      merchant: $.merchant,
      addressOf: $.addressOf,
      split: $.split,
      seenAt: $.seenAt,
      canonical: true,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'blockHash', 'transactionHash', 'logIndex'])
        .doUpdateSet({ canonical: true, confirmedAt: null })
        .where('Transfer.canonical', '=', false),
    )
    .returning(columnsOfTransfer),
);

/** Inserts a transfer. Returns null if it is already stored, unless its block was removed and has returned. */
export async function insertTransfer(
  uow: UnitOfWork,
  chainId: number,
  transfer: Transfer,
  { merchant, addressOf, payTo, split }: Place,
  seenAt: number,
): Promise<TransferRow | null> {
  const [row] = await uow.run(INSERT, {
    chainId,
    blockHash: transfer.blockHash,
    transactionHash: transfer.transactionHash,
    logIndex: transfer.logIndex,
    blockNumber: Number(transfer.blockNumber),
    blockTimeMs: transfer.blockTimeMs,
    token: transfer.symbol,
    sender: transfer.from,
    amount: String(transfer.value),
    ...{ merchant, addressOf, payTo, split },
    seenAt,
  });
  return row ?? null;
}

const isTransfer = (key: TransferKey) => (row: ExpressionBuilder<Database, 'Transfer'>) => row.and(keyOf(key));

const LOCK = query('payments-lock-transfer', (db, $: TransferKey) =>
  selectTransfers(db).where(isTransfer($)).forUpdate(),
);

/** Locks and returns the transfer with a key; null if there is none, or if its block was removed. */
export async function lockTransfer(uow: UnitOfWork, key: TransferKey): Promise<TransferRow | null> {
  const [row] = await uow.run(LOCK, keyOf(key));
  return row ?? null;
}

const LINK = query('payments-link-transfer', (db, $: TransferKey & Link & { voided: boolean }) =>
  db
    .updateTable('Transfer')
    .set({
      receiptId: $.receiptId,
      usd: $.usd,
      assignedBy: $.assignedBy,
      assignedFrom: sql<AssignedFrom | null>`case when ${$.assignedBy}::text is not null
        then jsonb_build_object('reason', unmatched_reason, 'meantFor', meant_for, 'voided', ${$.voided}::bool or exists (
          select from transfers o where o.merchant = transfers.merchant and o.receipt_id = ${$.receiptId}
            and (o.assigned_from ->> 'voided')::bool
        )) end`,
      unmatchedReason: null,
      meantFor: null,
      confirmedAt: null,
    })
    .where(isTransfer($)),
);

/**
 * The only statement that links a transfer to a receipt. It also resets the confirmation: only a confirmation moves a
 * receipt to `paid`, and a transfer linked after its block became final would otherwise never be confirmed again.
 *
 * @param voided whether the receipt was voided before an admin assigned the transfer to it
 */
export async function linkTransfer(uow: UnitOfWork, key: TransferKey, link: Link, voided = false): Promise<void> {
  await uow.run(LINK, { ...link, voided, ...keyOf(key) });
}

interface Unlink extends TransferKey {
  readonly reason: UnmatchedReason | null;
  readonly meantFor: readonly string[] | null;
}

const UNLINK = query('payments-unlink-transfer', (db, $: Unlink) =>
  db
    .updateTable('Transfer')
    .set({
      receiptId: null,
      usd: null,
      assignedBy: null,
      assignedFrom: null,
      unmatchedReason: $.reason,
      meantFor: sql<string[] | null>`${$.meantFor}`,
    })
    .where(isTransfer($)),
);

/** Why a transfer pays no receipt. */
export interface Unmatched {
  readonly reason: UnmatchedReason;
  /** The receipts that it is known to be meant for. */
  readonly meantFor: readonly string[];
}

/** Marks a transfer as unmatched. */
export async function leaveUnmatched(
  uow: UnitOfWork,
  key: TransferKey,
  { reason, meantFor }: Unmatched,
): Promise<void> {
  await uow.run(UNLINK, { ...keyOf(key), reason, meantFor: meantFor.length > 0 ? meantFor : null });
}

/** Removes a transfer's link to its receipt. */
export async function unlinkTransfer(uow: UnitOfWork, key: TransferKey): Promise<void> {
  await uow.run(UNLINK, { ...keyOf(key), reason: null, meantFor: null });
}

/** An address of a receipt, in one token on one chain. */
interface AddressPlace {
  readonly chainId: number;
  readonly address: Wallet;
  readonly token: string;
}

/** A collection sends all that the address holds, so each later one has brought an arrival to the split. */
const MARK_COLLECTED = query('payments-mark-collected', (db, $: AddressPlace) =>
  db
    .updateTable('Transfer')
    .set(({ exists, selectFrom }) => ({
      collected: exists(
        selectFrom('Transfer as c')
          .select('c.logIndex')
          .whereRef('c.chainId', '=', 'Transfer.chainId')
          .whereRef('c.payTo', '=', 'Transfer.split')
          .whereRef('c.token', '=', 'Transfer.token')
          .whereRef('c.sender', '=', 'Transfer.payTo')
          .where('c.canonical', '=', true)
          .where(({ eb, refTuple, tuple, ref }) =>
            eb(
              refTuple('c.blockNumber', 'c.logIndex'),
              '>',
              tuple(ref('Transfer.blockNumber'), ref('Transfer.logIndex')),
            ),
          ),
      ).$castTo<boolean>(),
    }))
    .where('Transfer.chainId', '=', $.chainId)
    .where('Transfer.payTo', '=', $.address)
    .where('Transfer.token', '=', $.token)
    .where('Transfer.split', 'is not', null)
    .where('Transfer.canonical', '=', true),
);

/** Records which arrivals have been collected, after an arrival or a collection was added or removed. */
export async function markCollected(
  uow: UnitOfWork,
  { chainId, token, split, payTo, sender }: Pick<TransferRow, 'chainId' | 'token' | 'split' | 'payTo' | 'sender'>,
): Promise<void> {
  await uow.run(MARK_COLLECTED, { chainId, token, address: split === null ? sender : payTo });
}

const ORPHAN = query('payments-orphan-transfer', (db, $: TransferKey) =>
  db.updateTable('Transfer').set({ canonical: false }).where(isTransfer($)),
);

/** Marks a transfer as removed with its block. */
export async function orphanTransfer(uow: UnitOfWork, key: TransferKey): Promise<void> {
  await uow.run(ORPHAN, keyOf(key));
}

const CONFIRM = query('payments-confirm-transfer', (db, $: TransferKey & { now: number }) =>
  db.updateTable('Transfer').set({ confirmedAt: $.now }).where(isTransfer($)),
);

/** Marks a transfer as confirmed at full depth. */
export async function confirmTransfer(uow: UnitOfWork, key: TransferKey, now: number): Promise<void> {
  await uow.run(CONFIRM, { ...keyOf(key), now });
}

/** Marks a transfer for refund, with the admin's wallet and the time (epoch ms). Null removes the mark. */
export async function markForRefund(
  { db }: UnitOfWork,
  key: TransferKey,
  mark: { readonly at: number; readonly by: Wallet } | null,
): Promise<void> {
  await db
    .updateTable('Transfer')
    .set({ refundMarkedAt: mark?.at ?? null, refundMarkedBy: mark?.by ?? null })
    .where(isTransfer(key))
    .execute();
}

/** The key of a receipt. */
interface ReceiptKey {
  readonly merchant: Wallet;
  readonly id: string;
}

const RESET = query('payments-reset-confirmations', (db, $: ReceiptKey) =>
  db
    .updateTable('Transfer')
    .set({ confirmedAt: null })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.id)
    .where('canonical', '=', true),
);

/**
 * Resets the confirmation of all transfers of a receipt, so that the watcher confirms them again and decides whether
 * the receipt is paid.
 */
export async function resetConfirmations(uow: UnitOfWork, { merchant, id }: ReceiptKey): Promise<void> {
  await uow.run(RESET, { merchant, id });
}

const CREDITS = query('payments-credits', (db, $: ReceiptKey) =>
  db
    .selectFrom('Transfer')
    .select(['usd', 'chainId', 'transactionHash', 'blockTimeMs', 'sender'])
    .select(['token', 'amount', 'confirmedAt'])
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.id)
    .where('canonical', '=', true)
    .orderBy('blockTimeMs')
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .$narrowType<{ usd: NotNull }>(),
);

/** The transfers that count for a receipt now, in order of time. */
export const readCredits = (uow: UnitOfWork, { merchant, id }: ReceiptKey): Promise<readonly CreditedTransfer[]> =>
  uow.run(CREDITS, { merchant, id });

/** Whether a receipt has money that was assigned to it by hand. */
export async function hasAssigned({ db }: UnitOfWork, { merchant, id }: ReceiptKey): Promise<boolean> {
  const assigned = await db
    .selectFrom('Transfer')
    .select('logIndex')
    .where('merchant', '=', merchant)
    .where('receiptId', '=', id)
    .where('assignedBy', 'is not', null)
    .limit(1)
    .execute();
  return assigned.length > 0;
}
