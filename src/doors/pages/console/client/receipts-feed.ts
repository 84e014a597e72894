import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { askInSession } from '../../client/graphql.ts';
import type { Session } from '../../client/session.ts';
import { ConsoleCursor, ConsoleReceipts, type ConsoleReceiptsSubscription } from '../generated/client.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { createFeed, type Feed } from './feed.ts';
import { InsideContext } from './inside.ts';

/** One change of a receipt of the merchant. */
export type ReceiptNews = ConsoleReceiptsSubscription['receiptStatuses'];

/** So long after the document was made the stream begins at its end. Later it would repeat old changes. */
const FRESH_MS = 60_000;

/** Follows every change of the merchant's receipts. One stream serves all pages. */
export const followReceipts = (
  { graphqlUrl: url, streamEnd }: ConsoleSettings,
  session: Session,
  onRejected: () => Promise<void>,
): Feed<ReceiptNews> =>
  createFeed({
    url,
    session,
    from: performance.now() < FRESH_MS ? streamEnd : null,
    stream: ConsoleReceipts,
    readEnd: async () => (await askInSession(url, ConsoleCursor, {}, session.csrfToken)).receiptsCursor,
    eventOf: ({ receiptStatuses }) => receiptStatuses,
    onRejected,
  });

/** The feed of a role that may not follow the receipts of others. */
export const SILENT: Feed<ReceiptNews> = {
  listen: () => () => {},
  isUp: () => true,
  watchLine: () => () => {},
  position: () => null,
  close() {},
};

/** Calls the listener for every change of a receipt while the component is there. */
export function useReceiptNews(onEvent: (news: ReceiptNews) => void): void {
  const { receipts } = useContext(InsideContext);
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => receipts.listen({ onEvent: (news) => latest.current(news) }), [receipts]);
}

/** The shortest time between two reads of what is shown. */
const READ_MS = 700;
/** At most two reads in this time: the open pages of a busy shop must not use up the reader’s rate limit. */
const TWO_READS_MS = 5_000;
/** Searches and sums follow the receipts within this time. */
const SETTLED_MS = 2_500;

/**
 * Reads again when a receipt changes, at most once in a while, however many change, and once more when searches and
 * sums include the change. With `receiptId` only for changes of that receipt.
 */
export function useReadOnNews(again: () => void, receiptId?: string): void {
  const { receipts } = useContext(InsideContext);
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    const timers = new Map<number, number>();
    let lastReads: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const readIn = (ms: number) => {
      if (timers.has(ms)) return;
      const read = () => {
        timers.delete(ms);
        lastReads = [lastReads[1], performance.now()];
        latest.current();
      };
      const allowedInMs = lastReads[0] + TWO_READS_MS - performance.now();
      timers.set(ms, window.setTimeout(read, Math.max(ms, allowedInMs)));
    };
    const onEvent = (news: ReceiptNews) => {
      if (receiptId !== undefined && news.receiptId !== receiptId) return;
      readIn(READ_MS);
      readIn(SETTLED_MS);
    };
    const stop = receipts.listen({ onEvent, onGap: () => readIn(READ_MS) });
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      stop();
    };
  }, [receipts, receiptId]);
}

/** Whether the stream of receipts is open. */
export function useLine(): boolean {
  const { receipts } = useContext(InsideContext);
  const [up, setUp] = useState(receipts.isUp());
  useEffect(() => receipts.watchLine(() => setUp(receipts.isUp())), [receipts]);
  return up;
}
