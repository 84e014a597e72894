import { follow } from './follow.ts';
import { ReceiptStatus, ReceiptStatuses, ReceiptsCursor, type StatusEventFragment } from './generated/operations.ts';
import type { CallOptions, Requester } from './request.ts';
import type { Answer, Body, Query } from './routes.ts';

/** A change of a receipt, with the place from which to resume. */
export type ReceiptEvent = StatusEventFragment;

/** A receipt of a list. */
export type ListedReceipt = Answer<'receipts'>['receipts'][number];

/** Which receipts to list, and in which order. */
export type ReceiptFilter = Omit<Query<'receipts'>, 'cursor' | 'limit'>;

export interface FollowReceipts extends CallOptions {
  /** The `cursor` of the last event that was processed; `0.0` for the first of all. Default: from now on. */
  readonly after?: string;
}

export interface FollowReceipt extends CallOptions {
  readonly receiptId: string;
  /** The `seq` of the last event that was processed. Default: the receipt's current state, then every change. */
  readonly afterSeq?: number;
}

const PAGE = 200;

/** The receipts of the merchant. */
export function createReceipts(requester: Requester) {
  const { send } = requester;
  return {
    /** Creates a receipt with lines of your own. Repeated with the same id and content, it answers the same receipt. */
    create: (body: Body<'createReceipt'>, call: CallOptions = {}): Promise<Answer<'createReceipt'>> =>
      send({ method: 'POST', path: '/api/receipts', body, safe: true, ...call }),

    /** One receipt. */
    get: (receiptId: string, call: CallOptions = {}): Promise<Answer<'receipt'>> =>
      send({ method: 'GET', path: `/api/receipts/${encodeURIComponent(receiptId)}`, safe: true, ...call }),

    /** How the payment of a receipt stands. */
    status: (receiptId: string, call: CallOptions = {}): Promise<Answer<'receiptStatus'>> =>
      send({ method: 'GET', path: '/api/receipts/status', query: { receiptId }, safe: true, ...call }),

    /** All receipts that match, the newest first by default. Pages are read as the reader proceeds. */
    async *list(filter: ReceiptFilter = {}, call: CallOptions = {}): AsyncGenerator<ListedReceipt, void, undefined> {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: Query<'receipts'> = { ...filter, limit: PAGE, cursor };
        const page: Answer<'receipts'> = await send({
          ...{ method: 'GET', path: '/api/receipts', query, safe: true },
          ...call,
        });
        yield* page.receipts;
        cursor = page.nextCursor ?? null;
      }
    },

    /**
     * Every change of the merchant's receipts, or of one receipt, in order and once, also across restarts of the
     * server. It ends when the signal is aborted. After a restore of the database it throws `cursor_expired`.
     */
    follow(options: FollowReceipts | FollowReceipt = {}): AsyncGenerator<ReceiptEvent, void, undefined> {
      return 'receiptId' in options ? followOne(requester, options) : followAll(requester, options);
    },
  };
}

function followAll(requester: Requester, { after: from, signal }: FollowReceipts) {
  let after = from;
  return follow(requester, {
    signal,
    async next() {
      // Read before the first connection, so that nothing is missed until it is open.
      after ??= (await requester.ask(ReceiptsCursor, {}, { signal })).receiptsCursor;
      return { query: ReceiptStatuses, variables: { after } };
    },
    receive({ receiptStatuses: event }) {
      after = event.cursor;
      return [event];
    },
  });
}

function followOne(requester: Requester, { receiptId, afterSeq: from, signal }: FollowReceipt) {
  let afterSeq = from;
  return follow(requester, {
    signal,
    next: async () => ({ query: ReceiptStatus, variables: { receiptId, afterSeq } }),
    receive({ receiptStatus: event }) {
      afterSeq = event.seq;
      return [event];
    },
  });
}
