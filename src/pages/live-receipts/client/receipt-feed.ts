import { ApiError, askInSession } from '../../client/graphql.ts';
import { followStream, type StreamEnd } from '../../client/live-stream.ts';
import type { Session } from '../../client/session.ts';
import { createPatience } from '../../client/socket.ts';
import { afterNews, type LiveReceipt, lastMovedFirst, type StatusNews } from '../receipt.ts';

/** The number of receipts read initially, and the maximum kept. */
const READ = 50;
const KEPT = 200;

const RECEIPT = 'receiptId merchant paymentUrl brandName status seq totalUsd createdAt lineItems { label qty itemId }';
const FOLLOW =
  'subscription DeskReceipts($after: String) { receiptStatuses(after: $after) { receiptId seq kind status tracking at cursor } }';

type ReadReceipt = Omit<LiveReceipt, 'movedAt' | 'tracking'> & { brandName: string };

export interface ReceiptFeedOptions {
  readonly url: string;
  readonly session: Session;
  onShopName(name: string): void;
  /** The current receipts, most recently moved first. */
  onReceipts(receipts: readonly LiveReceipt[]): void;
  onNews(before: LiveReceipt | undefined, now: LiveReceipt): void;
  onUp(): void;
  onDown(): void;
  /** Called when the server rejects the session, to check whether it has ended. */
  hasEnded(): Promise<boolean>;
  onEnd(): void;
}

/**
 * Follows a merchant's receipts in its session: reads the cursor, then the list, then follows every change after the
 * cursor. A broken stream is reopened after the last change received. Returns a function that closes it.
 */
export function followReceipts(options: ReceiptFeedOptions): () => void {
  const { url, session, onShopName, onReceipts, onNews, onUp, onDown, hasEnded, onEnd } = options;
  const patience = createPatience();
  const closing = new AbortController();
  const receipts = new Map<string, LiveReceipt>();
  /** The last `seq` received for each receipt that is being read. */
  const wanted = new Map<string, StatusNews>();
  let cursor: string | null = null;

  const ask = <Data>(query: string, variables = {}) => askInSession<Data>(url, query, variables, session.csrfToken);

  function tell(): void {
    const sorted = [...receipts.values()].sort(lastMovedFirst);
    for (const { receiptId } of sorted.slice(KEPT)) receipts.delete(receiptId);
    onReceipts(sorted.slice(0, KEPT));
  }

  async function readAll(): Promise<void> {
    const { receiptsCursor } = await ask<{ receiptsCursor: string }>('query DeskCursor { receiptsCursor }');
    const answer = await ask<{ receipts: ReadReceipt[]; shopConfig: { name: string | null } }>(
      `query DeskList { receipts(limit: ${READ}) { ${RECEIPT} } shopConfig { name } }`,
    );
    if (closing.signal.aborted) return;
    for (const one of answer.receipts) receipts.set(one.receiptId, { ...one, movedAt: one.createdAt, tracking: null });
    cursor = receiptsCursor;
    onShopName(answer.shopConfig.name ?? answer.receipts[0]?.brandName ?? 'Your shop');
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
      const { receipt } = await ask<{ receipt: ReadReceipt }>(
        `query DeskReceipt($receiptId: ID!) { receipt(receiptId: $receiptId) { ${RECEIPT} } }`,
        { receiptId },
      );
      const last = wanted.get(receiptId);
      if (!last || closing.signal.aborted) return;
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

  async function attempt(): Promise<StreamEnd> {
    const breaking = new AbortController();
    if (cursor === null) await readAll();
    return followStream<{ receiptStatuses: StatusNews }>({
      url,
      query: FOLLOW,
      variables: { after: cursor },
      proof: { 'x-csrf-token': session.csrfToken },
      signal: AbortSignal.any([closing.signal, breaking.signal]),
      onOpen() {
        patience.reset();
        onUp();
      },
      onData: ({ receiptStatuses }) => take(receiptStatuses, () => breaking.abort()),
    });
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const end = await attempt().catch(endOf);
      if (closing.signal.aborted) return;
      wanted.clear();
      onDown();
      await patience.wait();
      const ended = end === 'forbidden' && (await hasEnded().catch(() => false));
      if (closing.signal.aborted || !ended) continue;
      closing.abort();
      onEnd();
    }
  }
  void run();
  return () => closing.abort();
}

/** How a failed request ends the stream. */
function endOf(error: unknown): StreamEnd {
  const refused = error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden');
  return refused ? 'forbidden' : 'broken';
}
