import { ApiError } from '../../client/graphql.ts';
import { followStream, type StreamEnd } from '../../client/live-stream.ts';
import { createPatience } from '../../client/socket.ts';
import { DeskReceipts } from '../../generated/live-receipts.ts';
import { createReceiptStore, type ReceiptStoreOptions } from './receipt-store.ts';

export interface ReceiptFeedOptions extends ReceiptStoreOptions {
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
  const { url, session, onUp, onDown, hasEnded, onEnd } = options;
  const patience = createPatience();
  const closing = new AbortController();
  const receipts = createReceiptStore(options, closing.signal);

  async function attempt(): Promise<StreamEnd> {
    const breaking = new AbortController();
    if (receipts.cursor() === null) await receipts.readAll();
    return followStream({
      url,
      query: DeskReceipts,
      variables: { after: receipts.cursor() },
      proof: { 'x-csrf-token': session.csrfToken },
      signal: AbortSignal.any([closing.signal, breaking.signal]),
      onOpen() {
        patience.reset();
        onUp();
      },
      onData: ({ receiptStatuses }) => receipts.take(receiptStatuses, () => breaking.abort()),
    });
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const end = await attempt().catch(endOf);
      if (closing.signal.aborted) return;
      receipts.forget();
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
