import { sql } from 'kysely';
import { holdStock } from '../catalog/stock.ts';
import { Refusal } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { ANSWER_MS, storeAnswer } from '../platform/idempotency.ts';
import { type Replayed, type SetAside, UNREADABLE } from '../platform/journal.ts';
import { codeOf, inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { bookingQuery, bookWithin, type NewReceipt } from '../receipts/book.ts';
import { lockReceiptOrRefuse, recordChange, signalChange } from '../receipts/record-change.ts';
import { type JournalledOrder, OPERATION } from './journal-order.ts';

type ReplayDeps = Pick<Deps, 'orm' | 'boss' | 'bus' | 'clock' | 'journal' | 'log'>;

/** The prices were acknowledged, so the current catalog does not matter. */
const BOOK = bookingQuery('book-journalled-order', {}, () => sql.lit(true));

/** The merchant of an entry does not exist in this database. */
class MerchantMissing extends Error {}

/** The id of an entry belongs to an older order. */
class IdTaken extends Error {}

/** Inserts all orders of the journal. Orders that are already in the database stay unchanged. */
function replayOrders(deps: ReplayDeps): Promise<Replayed> {
  return deps.journal.replay(async (entry) => {
    try {
      await bookEntry(deps, entry as JournalledOrder);
      return undefined;
    } catch (error) {
      return setAsideOrThrow(deps, entry as JournalledOrder, error);
    }
  });
}

/** Classes of PostgreSQL errors caused by the data of a statement: every retry fails the same way. */
const IN_DATA = /^2[23]/;

/**
 * Sets an entry aside if the error is caused by the entry. Throws if the database is the cause (unreachable, full,
 * read-only), which leaves the journal unchanged.
 */
function setAsideOrThrow({ log }: ReplayDeps, { receipt }: JournalledOrder, error: unknown): SetAside {
  const code = codeOf(error);
  const isOfEntry = error instanceof Refusal ? error.code !== 'datastore_unavailable' : !code || IN_DATA.test(code);
  if (!isOfEntry) throw error;
  const reason = (error as Error).message;
  log.error(
    { alert: 'journal_entry_quarantined', merchant: receipt?.merchant, receiptId: receipt?.id, reason },
    'acknowledged order cannot be inserted',
  );
  return { setAside: reason };
}

async function bookEntry(deps: ReplayDeps, { receipt, answered }: JournalledOrder): Promise<void> {
  const { merchant, id, at } = receipt;
  await inTransaction(deps, async (uow) => {
    if (await isBooked(uow, receipt)) return;
    if (answered) await storeAnswer(uow, { merchant, operation: OPERATION, ...answered, answer: answered.row, at });
    const stockHeld = await holdIfEnough(uow, receipt);
    const booked = await bookWithin(uow, BOOK, { receipt: { ...receipt, stockHeld }, condition: {} });
    if (!booked) throw new MerchantMissing('merchant_missing');
    uow.afterCommit(() => signalChange(deps.bus, merchant, id, 1));
    if (receipt.totalCents > 0) return;
    const row = await lockReceiptOrRefuse(uow, merchant, id);
    await recordChange(deps, uow, row, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
  });
}

/**
 * An acknowledged order is never refused: if its stock is gone meanwhile, it waits without a hold, and may be oversold
 * once it is paid.
 */
async function holdIfEnough(uow: UnitOfWork, { merchant, lineItems, stockHeld = false }: NewReceipt): Promise<boolean> {
  return stockHeld && (await holdStock(uow, merchant, lineItems)).length === 0;
}

/**
 * Whether the entry is in the database already: replayed before, or acknowledged by another server within a day. An id
 * belongs to one order; an older receipt with it means that an earlier version wrote the entry.
 */
async function isBooked(uow: UnitOfWork, { merchant, id, at }: NewReceipt): Promise<boolean> {
  const known = await uow.db
    .selectFrom('Receipt')
    .select('createdAt')
    .where((eb) => eb.and({ merchant, id }))
    .executeTakeFirst();
  if (known && at - known.createdAt >= ANSWER_MS) throw new IdTaken('id_taken');
  return known !== undefined;
}

/** The interval between attempts to empty the journal. */
const REPLAY_MS = 500;
/** The interval of checks of an empty journal. A killed process that shares the folder may have left entries. */
const CHECK_MS = 30_000;
/** The interval of reports about a journal that a reachable database does not accept. */
const STUCK_MS = 60_000;

/**
 * Inserts the orders of the journal whenever the database is reachable, until stopped. Entries of an earlier process
 * are replayed before this function returns, so that a retry under an Idempotency-Key finds its answer.
 */
export async function startReplay(deps: ReplayDeps): Promise<{ stop(): void }> {
  let busy = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const replay = async () => {
    const now = performance.now();
    if (busy || (!deps.journal.pending() && now - checkedAt < CHECK_MS)) return;
    busy = true;
    checkedAt = now;
    try {
      const { booked, setAside } = await replayOrders(deps);
      for (const reason of setAside.filter((one) => one === UNREADABLE))
        deps.log.error({ alert: 'journal_entry_quarantined', reason }, 'journal line unreadable');
      if (booked + setAside.length > 0) deps.log.info({ orders: booked, setAside: setAside.length }, 'journal booked');
    } catch (error) {
      report(error as Error, now);
    } finally {
      busy = false;
    }
  };
  const report = (error: Error, now: number) => {
    if (error instanceof Refusal && error.code === 'datastore_unavailable') return;
    if (now - reportedAt < STUCK_MS) return;
    reportedAt = now;
    deps.log.error({ alert: 'journal_stuck', error: error.message }, 'acknowledged orders cannot be inserted');
  };
  await replay();
  const timer = setInterval(replay, REPLAY_MS);
  return { stop: () => clearInterval(timer) };
}
