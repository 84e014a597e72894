import { LRUCache } from 'lru-cache';
import { refuse } from '../core/errors.ts';
import { settingsWithItems } from '../merchants/settings.ts';
import type { Deps } from '../platform/deps.ts';
import type { Journal } from '../platform/journal.ts';
import { sha256 } from '../platform/secrets.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import type { Author } from '../receipts/author.ts';
import { bookingParameters, bookingText, type NewReceipt } from '../receipts/book.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import { lockReceiptOrRefuse, recordChange, ringFor } from '../receipts/record-change.ts';
import { readOrder } from './read-order.ts';

export type JournalDeps = Pick<Deps, 'sql' | 'clock' | 'settings' | 'rates' | 'journal'>;

/** An order in the journal: the receipt just as it was acknowledged. */
interface JournalledOrder {
  readonly receipt: NewReceipt;
}

/** What was answered from the journal under an id, for whoever asks again with the same Idempotency-Key while the database is still away. */
interface Answered {
  readonly bodyDigest: string;
  readonly row: ReceiptRow;
}

const MAX_ANSWERS = 10_000;
const answers = new WeakMap<Journal<object>, LRUCache<string, Answered>>();

function answersOf(journal: Journal<object>): LRUCache<string, Answered> {
  const known = answers.get(journal) ?? new LRUCache<string, Answered>({ max: MAX_ANSWERS });
  answers.set(journal, known);
  return known;
}

/**
 * Takes an order while the database is away: priced from the settings and items that are kept in memory, acknowledged once it is on disk. Refuses with
 * `datastore_unavailable` where these are not known or the disk does not take it.
 */
export async function journalOrder(
  deps: JournalDeps,
  author: Author,
  body: unknown,
  { id, idempotencyKey }: { readonly id: string; readonly idempotencyKey: string | null },
): Promise<ReceiptRow> {
  const answered = answersOf(deps.journal);
  const bodyDigest = sha256(JSON.stringify(body));
  const known = answered.get(id);
  if (known && known.bodyDigest !== bodyDigest) {
    throw refuse('invalid_input', 'Idempotency-Key was used with another body', { field: 'Idempotency-Key' });
  }
  if (known) return known.row;

  const { refs, make } = readOrder(deps, author, body, id);
  const { settings, items } = await settingsWithItems(deps, author.merchant, refs);
  const { receipt, row } = make(settings, items);
  await deps.journal.append({ receipt } satisfies JournalledOrder);
  if (idempotencyKey !== null) answered.set(id, { bodyDigest, row });
  return row;
}

/** Prices were acknowledged: what the catalog says now no longer matters. */
const BOOK = bookingText('true');

/** Books everything that the journal holds; what was booked before is left as it is. Answers how many entries there were. */
export function replayOrders(deps: Pick<Deps, 'orm' | 'boss' | 'bus' | 'clock' | 'journal'>): Promise<number> {
  return deps.journal.replay(async (entry) => {
    const { receipt } = entry as JournalledOrder;
    await inTransaction(deps, async (uow) => {
      const [booked] = await uow.sql(BOOK, bookingParameters(receipt));
      if (!booked) return;
      uow.afterCommit(() => ringFor(deps.bus, receipt.merchant, receipt.id, 1));
      if (receipt.totalCents > 0) return;
      const row = await lockReceiptOrRefuse(uow, receipt.merchant, receipt.id);
      await recordChange(deps, uow, row, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
    });
  });
}

/** How often it is tried to empty the journal. */
const REPLAY_MS = 500;

/** Books what is in the journal as soon as the database is there, until it is stopped. */
export function startReplay(deps: Parameters<typeof replayOrders>[0] & Pick<Deps, 'log'>): { stop(): void } {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy || !deps.journal.pending()) return;
    busy = true;
    try {
      const orders = await replayOrders(deps);
      deps.log.info({ orders }, 'journal booked');
    } catch (error) {
      deps.log.warn({ error: (error as Error).message }, 'journal kept');
    } finally {
      busy = false;
    }
  }, REPLAY_MS);
  return { stop: () => clearInterval(timer) };
}
