import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { boundedCache } from '../../../base/core/caches.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { ANSWER_MS, type Repeatable, storeAnswer } from '../../../base/platform/idempotency.ts';
import { enqueueJobs, type LateReceiptJob, RESCAN_QUEUE } from '../../../base/platform/jobs.ts';
import { type Journal, type Replayed, type SetAside, UNREADABLE } from '../../../base/platform/journal.ts';
import { codeOf, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { holdStock } from '../../shop/catalog/stock.ts';
import { keptSettingsWithItems } from '../pricing/settings.ts';
import { storeAddress } from '../receipts/addresses.ts';
import type { Author } from '../receipts/author.ts';
import { bookingQuery, bookWithin, type NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { lockReceiptOrRefuse, recordChange, signalChange } from '../receipts/record-change.ts';
import type { OrderRequest } from './draft.ts';

export type JournalDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'rates' | 'journal'>;

/** The name of the operation in `withIdempotencyKey`. */
export const OPERATION = 'createOrder';

/** The kind of the journal with these entries. */
export const JOURNAL = 'orders';

/** An order in the journal: the acknowledged receipt, and the answer given under its Idempotency-Key. */
export interface JournalledOrder {
  readonly receipt: NewReceipt;
  readonly answered?: Answered & { readonly key: string };
}

/** An answer given under an Idempotency-Key, for retries that arrive before the order is in the database. */
interface Answered {
  readonly digest: string;
  readonly row: ReceiptRow;
}

/** An answer with the write to disk that it waits for: it is returned only after the write. */
type PendingAnswer = Answered & { readonly written: Promise<void> };

const MAX_ANSWERS = 10_000;
const answersOf = keptBy('answers to idempotency keys', (_journal: Journal<object>) =>
  boundedCache<string, PendingAnswer>({ max: MAX_ANSWERS, ttl: ANSWER_MS }),
);

/** An Idempotency-Key of one merchant. */
const placeOf = ({ merchant }: Author, { key }: Repeatable): string => `${merchant} ${key}`;

/** Caches the answer for an Idempotency-Key, so that a retry gets the same answer while the database is unreachable. */
export function rememberAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  author: Author,
  repeatable: Repeatable,
  row: ReceiptRow,
): void {
  answersOf(journal).set(placeOf(author, repeatable), { digest: repeatable.digest, row, written: BOOKED });
}

const BOOKED = Promise.resolve();

/**
 * The answer that this process gave to the Idempotency-Key; null if there is none. Refuses with `invalid_input` if the
 * body differs, and with `datastore_unavailable` if the answer could not be written to disk.
 */
export function givenAnswer(
  { journal }: Pick<JournalDeps, 'journal'>,
  author: Author,
  repeatable: Repeatable,
): Promise<ReceiptRow> | null {
  const known = answersOf(journal).get(placeOf(author, repeatable));
  if (!known) return null;
  if (known.digest !== repeatable.digest)
    throw refuse('invalid_input', 'This Idempotency-Key was used with another body', {
      field: 'Idempotency-Key',
      reason: 'key_reused',
    });
  return known.written.then(() => known.row);
}

/**
 * Accepts an order while the database is unreachable: prices it from cached settings and items, and acknowledges it
 * once it is on disk. Refuses with `datastore_unavailable` if the settings are not cached or the write fails.
 */
export async function journalOrder(
  deps: JournalDeps,
  author: Author,
  { refs, make }: OrderRequest,
  repeatable: Repeatable | null,
): Promise<ReceiptRow> {
  const { settings, items } = keptSettingsWithItems(deps.db, author.merchant, refs);
  const { receipt, row } = make(settings, items);
  if (repeatable === null) {
    await deps.journal.append({ receipt } satisfies JournalledOrder);
    return row;
  }
  // There is no await from here to the end of `keepAnswer`'s first step: of two concurrent requests with the same key,
  // one is written and both get its answer.
  const first = givenAnswer(deps, author, repeatable);
  if (first) return first;
  const answered = { ...repeatable, row };
  return keepAnswer(deps.journal, placeOf(author, repeatable), { receipt, answered });
}

async function keepAnswer(
  journal: Journal<object>,
  place: string,
  entry: Required<JournalledOrder>,
): Promise<ReceiptRow> {
  const { digest, row } = entry.answered;
  const written = journal.append(entry);
  answersOf(journal).set(place, { digest, row, written });
  try {
    await written;
  } catch (error) {
    answersOf(journal).delete(place);
    throw error;
  }
  return row;
}

type ReplayDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'journal' | 'log'>;

/** The prices were acknowledged, so the current catalog does not matter. */
const BOOK = bookingQuery('book-journalled-order', {}, () => sql.lit(true));

/** An entry that no retry books: its merchant does not exist, or an older order has its id. */
class WrongEntry extends Error {}

/** The statement left the order out. */
class NotInserted extends Error {}

/** Inserts all orders of the journal until it is stopped. Orders that are already in the database stay unchanged. */
function replayOrders(deps: ReplayDeps, isStopped: () => boolean): Promise<Replayed> {
  return deps.journal.replay((entry) => {
    if (isStopped()) throw refuse('datastore_unavailable');
    return bookOrSetAside(deps, entry as JournalledOrder);
  });
}

/**
 * Inserts one order of the journal, unless it is in the database. Sets it aside if the entry is the cause of an error.
 * Throws if anything else is (the database is unreachable, full or read-only), which leaves the journal unchanged.
 */
async function bookOrSetAside(deps: ReplayDeps, entry: JournalledOrder): Promise<SetAside | undefined> {
  try {
    await bookEntry(deps, entry);
    return undefined;
  } catch (error) {
    if (!isOfEntry(error)) throw error;
    const reason = (error as Error).message;
    const { merchant, id: receiptId } = entry.receipt ?? {};
    deps.log.error(
      { alert: 'journal_entry_quarantined', merchant, receiptId, reason },
      'acknowledged order cannot be inserted',
    );
    return { setAside: reason };
  }
}

/** Inserts the orders that were set aside, as far as their causes are gone. */
export const retryQuarantined = (deps: ReplayDeps): Promise<Replayed> =>
  deps.journal.retry((entry) => bookOrSetAside(deps, entry as JournalledOrder));

/** Classes of PostgreSQL errors caused by the data of a statement: every retry fails the same way. */
const IN_DATA = /^2[23]/;

/** Whether every retry of the entry fails the same way. A fault of the connection has no code either. */
function isOfEntry(error: unknown): boolean {
  if (error instanceof Refusal) return error.code !== 'datastore_unavailable';
  return error instanceof WrongEntry || error instanceof TypeError || IN_DATA.test(codeOf(error));
}

async function bookEntry(deps: ReplayDeps, entry: JournalledOrder): Promise<void> {
  try {
    await insertEntry(deps, entry);
  } catch (error) {
    if (!(error instanceof NotInserted)) throw error;
    // The first attempt of the order, whose answer was lost, may commit while the insert waits for it. Its transaction
    // was rolled back with the stock that it held; a new one sees the committed receipt.
    await deps.db.transaction(async (uow) => {
      if (!(await isBooked(uow, entry.receipt))) throw new WrongEntry('merchant_missing');
    });
  }
}

async function insertEntry(deps: ReplayDeps, { receipt, answered }: JournalledOrder): Promise<void> {
  const { merchant, id, at } = receipt;
  await deps.db.transaction(async (uow) => {
    if (await isBooked(uow, receipt)) return keepAddress(uow, receipt);
    if (answered) await storeAnswer(uow, { merchant, operation: OPERATION, ...answered, answer: answered.row, at });
    const stockHeld = await holdIfEnough(uow, receipt);
    const booked = await bookWithin(uow, BOOK, { receipt: { ...receipt, stockHeld }, condition: {} });
    if (!booked) throw new NotInserted(`${id} was left out`);
    uow.afterCommit(() => signalChange(deps.bus, merchant, id, 1));
    await rescanLater(uow, receipt);
    if (receipt.totalCents > 0) return;
    const row = await lockReceiptOrRefuse(uow, merchant, id);
    await recordChange(deps, uow, row, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
  });
}

/** A payment may have reached the address of an acknowledged order before it was stored. */
async function rescanLater(uow: UnitOfWork, receipt: NewReceipt): Promise<void> {
  const { merchant, id, address } = receipt;
  const late: LateReceiptJob = { merchant, id };
  if (address) await enqueueJobs(uow, RESCAN_QUEUE, [late]);
}

/** The order was booked again since, at another time and so with another address: the acknowledged one counts too. */
async function keepAddress(uow: UnitOfWork, receipt: NewReceipt): Promise<void> {
  const { merchant, id, at: createdAt, address } = receipt;
  if (!address) return;
  await storeAddress(uow, { merchant, id, createdAt }, address);
  await rescanLater(uow, receipt);
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
  if (known && at - known.createdAt >= ANSWER_MS) throw new WrongEntry('id_taken');
  return known !== undefined;
}

/** The interval between attempts to empty the journal. */
const REPLAY_MS = 500;
/** The interval of checks of an empty journal. A killed process that shares the folder may have left entries. */
const CHECK_MS = 30_000;
/** How long a start waits for a database that went away meanwhile. */
const FIRST_MS = 30_000;
/** The interval of reports about a journal that a reachable database does not accept. */
const STUCK_MS = 60_000;

/**
 * Inserts the orders of the journal whenever the database is reachable, until stopped. Entries of an earlier process
 * are replayed before this function returns, so that a retry under an Idempotency-Key finds its answer. Booked before,
 * it would have a later time.
 */
export async function startReplay(deps: ReplayDeps): Promise<{ stop(): Promise<void> }> {
  let running: Promise<boolean> | null = null;
  let isRead = false;
  let stopped = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  /** Whether the database took the journal, or is there and refuses it. */
  const replay = async (now: number): Promise<boolean> => {
    try {
      const { booked, setAside } = await replayOrders(deps, () => stopped);
      for (const reason of setAside.filter((one) => one === UNREADABLE))
        deps.log.error({ alert: 'journal_entry_quarantined', reason }, 'journal line unreadable');
      if (booked + setAside.length > 0) deps.log.info({ orders: booked, setAside: setAside.length }, 'journal booked');
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'datastore_unavailable') return false;
      report(error as Error, now);
      return true;
    }
  };
  const replayIfDue = async () => {
    const now = performance.now();
    if (running || (!deps.journal.pending() && now - checkedAt < CHECK_MS)) return;
    checkedAt = now;
    running = replay(now);
    isRead = await running;
    running = null;
  };
  const report = (error: Error, now: number) => {
    if (now - reportedAt < STUCK_MS) return;
    reportedAt = now;
    deps.log.error({ alert: 'journal_stuck', error: error.message }, 'acknowledged orders cannot be inserted');
  };
  const waitsUntil = performance.now() + FIRST_MS;
  await replayIfDue();
  while (!isRead && performance.now() < waitsUntil) {
    await sleep(REPLAY_MS);
    await replayIfDue();
  }
  const timer = setInterval(replayIfDue, REPLAY_MS);
  return {
    // A replay that is cut off by a closed connection would not know whether its order is in the database.
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
