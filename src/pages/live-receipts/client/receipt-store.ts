import { askInSession, type Operation } from '../../client/graphql.ts';
import type { Session } from '../../client/session.ts';
import * as operations from '../../generated/live-receipts.ts';
import { afterNews, type LiveReceipt, lastMovedFirst, type StatusNews } from '../receipt.ts';

/** The number of receipts read initially, and the maximum kept. */
const READ = 50;
const KEPT = 200;

export interface ReceiptStoreOptions {
  readonly url: string;
  readonly session: Session;
  onShopName(name: string): void;
  /** The current receipts, most recently moved first. */
  onReceipts(receipts: readonly LiveReceipt[]): void;
  onNews(before: LiveReceipt | undefined, now: LiveReceipt): void;
}

/** The receipts that the page shows, and the cursor of the last change that they contain. */
export interface ReceiptStore {
  /** The cursor; null before the first read. */
  cursor(): string | null;
  /** Reads the newest receipts. */
  readAll(): Promise<void>;
  /** Applies a change. `breakOff` is called if a receipt that it needs cannot be read. */
  take(news: StatusNews, breakOff: () => void): void;
  /** Forgets the changes whose receipts are still being read. The stream repeats them. */
  forget(): void;
}

/** Creates the receipts of a merchant's session. It stops once `closed` is aborted. */
export function createReceiptStore(options: ReceiptStoreOptions, closed: AbortSignal): ReceiptStore {
  const { url, session, onShopName, onReceipts, onNews } = options;
  const receipts = new Map<string, LiveReceipt>();
  /** The last `seq` received for each receipt that is being read. */
  const wanted = new Map<string, StatusNews>();
  let cursor: string | null = null;

  const ask = <Data, Variables>(query: Operation<Data, Variables>, variables: Variables) =>
    askInSession(url, query, variables, session.csrfToken);

  function tell(): void {
    const sorted = [...receipts.values()].sort(lastMovedFirst);
    for (const { receiptId } of sorted.slice(KEPT)) receipts.delete(receiptId);
    onReceipts(sorted.slice(0, KEPT));
  }

  async function readAll(): Promise<void> {
    const { receiptsCursor } = await ask(operations.DeskCursor, {});
    const answer = await ask(operations.DeskList, { limit: READ });
    if (closed.aborted) return;
    const { nodes } = answer.receipts;
    for (const one of nodes) receipts.set(one.receiptId, { ...one, movedAt: one.createdAt, tracking: null });
    cursor = receiptsCursor;
    onShopName(answer.shopConfig.name ?? nodes[0]?.brandName ?? 'Your shop');
    tell();
  }

  /**
   * Reads a receipt that is not in the list. An event that arrives meanwhile and is newer than the result causes
   * another read.
   */
  async function readOne(news: StatusNews): Promise<void> {
    const { receiptId } = news;
    const asked = wanted.has(receiptId);
    wanted.set(receiptId, news);
    if (asked) return;
    for (let seq = 0; seq < (wanted.get(receiptId)?.seq ?? 0); ) {
      const { receipt } = await ask(operations.DeskReceipt, { receiptId });
      const last = wanted.get(receiptId);
      if (!last || closed.aborted) return;
      if (!receipt) throw new Error('The server has no such receipt.');
      seq = receipt.seq;
      const movedAt = last.kind === 'status' ? last.at : receipt.createdAt;
      const now = { ...receipt, movedAt, tracking: last.kind === 'tracking' ? last.tracking : null };
      onNews(receipts.get(receiptId), now);
      receipts.set(receiptId, now);
    }
    wanted.delete(receiptId);
    tell();
  }

  function take(news: StatusNews, breakOff: () => void): void {
    const known = receipts.get(news.receiptId);
    if (!known || wanted.has(news.receiptId)) {
      // The cursor advances only after the read, so that a stream that breaks meanwhile repeats the event.
      readOne(news).then(() => {
        if (wanted.size === 0) cursor = news.cursor;
      }, breakOff);
      return;
    }
    if (wanted.size === 0) cursor = news.cursor;
    const now = afterNews(known, news);
    if (now === known) return;
    receipts.set(news.receiptId, now);
    onNews(known, now);
    tell();
  }

  return { cursor: () => cursor, readAll, take, forget: () => wanted.clear() };
}
