import type { Wallet } from '../core/wallet.ts';
import type { Bus } from '../platform/bus.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { ReceiptStatus } from './lifecycle.ts';
import { merchantChannel, receiptChannel } from './record-change.ts';

/** One row of history as subscribers see it. */
export interface StatusEvent {
  readonly receiptId: string;
  readonly seq: number;
  readonly kind: 'status' | 'tracking' | 'note';
  readonly status: ReceiptStatus;
  readonly previousStatus: ReceiptStatus | null;
  /** What was reported or noted. */
  readonly name: string | null;
  readonly at: number;
  readonly transactionHash: string | null;
  /** Where to resume a merchant's stream after this event. */
  readonly cursor: string;
}

type StreamDeps = Pick<Deps, 'sql' | 'bus'>;

/** Rows are read in pages, so that a reader who is far behind never holds more than this at once. */
const PAGE = 100;
/** While the bus is down, a stream looks for itself this often. */
const LOOK_MS = 1_500;

const COLUMNS = `h.receipt_id as "receiptId", h.seq, h.kind, h.status, h.previous_status as "previousStatus", h.name, h.at,
  r.transaction_hash as "transactionHash", h.txid || '.' || h.position as cursor`;

const CURRENT = statement(
  'receipt-stream-current',
  `select ${COLUMNS} from receipts r join receipt_history h on h.merchant = r.merchant and h.receipt_id = r.id and h.seq = r.seq
    where r.merchant = $1 and r.id = $2`,
);
const AFTER_SEQ = statement(
  'receipt-stream-after',
  `select ${COLUMNS} from receipt_history h join receipts r on r.merchant = h.merchant and r.id = h.receipt_id
    where h.merchant = $1 and h.receipt_id = $2 and h.seq > $3 order by h.seq limit ${PAGE}`,
);
/** Settled are rows of transactions older than every open one: no row can appear before them later. */
const AFTER_CURSOR = statement(
  'merchant-stream-after',
  `select ${COLUMNS}, h.txid < pg_snapshot_xmin(pg_current_snapshot()) as settled
     from receipt_history h join receipts r on r.merchant = h.merchant and r.id = h.receipt_id
    where h.merchant = $1 and (h.txid, h.position) > ($2::xid8, $3::bigint)
    order by h.txid, h.position limit ${PAGE}`,
);
const END_OF_STREAM = statement('merchant-stream-end', 'select pg_snapshot_xmin(pg_current_snapshot())::text as txid');

/**
 * Follows one receipt: first every event after `afterSeq` (or, without it, the current state), then each new one as it happens, in order, once. The bus
 * is only the doorbell; what is told is read from the history.
 */
export async function* followReceipt(
  deps: StreamDeps,
  input: { merchant: Wallet; receiptId: string; afterSeq: number | null },
  signal: AbortSignal,
): AsyncGenerator<StatusEvent, void, void> {
  const bell = hangBell(deps.bus, receiptChannel(input.merchant, input.receiptId), signal);
  let seq = input.afterSeq;
  if (seq === null) {
    const [current] = await deps.sql.rows<StatusEvent>(CURRENT, [input.merchant, input.receiptId]);
    if (!current) return;
    seq = current.seq;
    yield current;
  }
  while (!signal.aborted) {
    const rung = bell.next();
    const events: StatusEvent[] = await deps.sql.rows(AFTER_SEQ, [input.merchant, input.receiptId, seq]);
    for (const event of events) {
      seq = event.seq;
      yield event;
    }
    if (events.length < PAGE) await rung;
  }
}

/** Follows all receipts of a merchant, after a cursor or from now on. */
export async function* followMerchant(
  deps: StreamDeps,
  input: { merchant: Wallet; after: string | null },
  signal: AbortSignal,
): AsyncGenerator<StatusEvent, void, void> {
  const bell = hangBell(deps.bus, merchantChannel(input.merchant), signal);
  let [txid, position] = input.after?.split('.') ?? [];
  if (!txid || !position) {
    const [end] = await deps.sql.rows<{ txid: string }>(END_OF_STREAM, []);
    [txid, position] = [end!.txid, '0'];
  }
  while (!signal.aborted) {
    const rung = bell.next();
    const rows: (StatusEvent & { settled: boolean })[] = await deps.sql.rows(AFTER_CURSOR, [
      input.merchant,
      txid,
      position,
    ]);
    const unsettled = rows.findIndex((row) => !row.settled);
    const events = unsettled < 0 ? rows : rows.slice(0, unsettled);
    for (const event of events) {
      [txid, position] = event.cursor.split('.') as [string, string];
      yield event;
    }
    // What an older transaction still holds back is told as soon as that one ends, whether or not it rings.
    if (unsettled >= 0) bell.soon();
    if (events.length < PAGE) await rung;
  }
}

/** Behind an older open transaction a stream looks again this much later, until that one has ended. */
const AGAIN_MS = 100;

/** A bell that remembers whether it rang since it was last asked; it always answers in the end where rings may be lost. */
function hangBell(bus: Bus, channel: string, signal: AbortSignal): { next(): Promise<void>; soon(): void } {
  let answer: (() => void) | null = null;
  let rang = false;
  let again: NodeJS.Timeout | undefined;
  const ring = () => {
    rang = true;
    answer?.();
  };
  const unsubscribe = bus.subscribe(channel, ring);
  const look = setInterval(() => {
    if (!bus.healthy()) ring();
  }, LOOK_MS);
  signal.addEventListener(
    'abort',
    () => {
      unsubscribe();
      clearInterval(look);
      clearTimeout(again);
      ring();
    },
    { once: true },
  );
  return {
    next() {
      rang = false;
      return new Promise((resolve) => {
        answer = resolve;
        if (rang || signal.aborted) resolve();
      });
    },
    soon() {
      clearTimeout(again);
      if (!signal.aborted) again = setTimeout(ring, AGAIN_MS);
    },
  };
}
