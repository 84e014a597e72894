import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { ReceiptKey } from './read.ts';

/**
 * The new rows of the history, in the order of their transactions: those of transactions that began after a snapshot,
 * and those of transactions that were open in it. The stream index begins with the merchant, so it is probed once for
 * each merchant; an index over all merchants would make every order slower.
 */
const CHANGED = query(
  'receipts-changed',
  (db, $: { next: string; open: readonly string[]; most: number }) =>
    db
      .selectFrom('Merchant as m')
      .innerJoinLateral(
        ({ selectFrom }) => {
          const rows = selectFrom('HistoryRow as h')
            .select(['h.merchant', 'h.receiptId as receipt', 'h.txid', 'h.position', 'h.at'])
            .whereRef('h.merchant', '=', 'm.wallet');
          return rows
            .where('h.txid', '=', sql<string>`any(${$.open}::xid8[])`)
            .unionAll(({ parens }) =>
              parens(
                rows
                  .where('h.txid', '>=', sql<string>`${$.next}::xid8`)
                  .orderBy('h.txid')
                  .orderBy('h.position')
                  .limit($.most),
              ),
            )
            .as('h');
        },
        (join) => join.onTrue(),
      )
      .select(['h.merchant', 'h.receipt as receiptId', 'h.at'])
      .select([sql<string>`h.txid::text`.as('transaction'), sql<string>`pg_current_snapshot()::text`.as('snapshot')])
      .orderBy('h.txid')
      .orderBy('h.position')
      .limit($.most),
  { computed: { merchant: 'text', receiptId: 'text', at: 'int8', transaction: 'text', snapshot: 'text' } },
);

type ChangedRow = RowOf<typeof CHANGED>;

/** PostgreSQL's text of a snapshot: the oldest open transaction, the next one, and the open ones between them. */
interface Snapshot {
  readonly next: string;
  readonly open: readonly string[];
}

function parseSnapshot(text: string): Snapshot {
  const [, next, open] = text.split(':') as [string, string, string];
  return { next, open: open === '' ? [] : open.split(',') };
}

const printSnapshot = ({ next, open }: Snapshot): string => `${open[0] ?? next}:${next}:${open.join(',')}`;

/** Receipts with new rows of history. */
export interface Changed {
  readonly keys: readonly ReceiptKey[];
  /** The snapshot that sees the rows of `keys` and all before them. */
  readonly snapshot: string;
  /** More rows can be read now. */
  readonly more: boolean;
  /** When the oldest of the rows was written, epoch ms; null without rows. */
  readonly oldestAt: number | null;
}

/** How many rows a transaction may have at most in relation to a page. */
const GROWTH = 4;

/**
 * The receipts whose history has rows which a snapshot does not see, oldest transactions first, about `most` rows. No
 * row is missed, whichever transaction commits first, and no open transaction delays the others.
 */
export async function readChanged(db: Db, snapshot: string, most: number): Promise<Changed> {
  const { next, open } = parseSnapshot(snapshot);
  const rows = await db.run(CHANGED, { next, open, most: most + 1 });
  const [first] = rows;
  if (!first) return { keys: [], snapshot, more: false, oldestAt: null };
  const oldestAt = Math.min(...rows.map(({ at }) => at));
  if (rows.length <= most) return { keys: keysOf(rows), snapshot: first.snapshot, more: false, oldestAt };
  // The page may end within a transaction, which then is read as a whole with the next page.
  const last = rows.at(-1)!.transaction;
  const whole = rows.filter(({ transaction }) => transaction !== last);
  if (whole.length === 0) return readChanged(db, snapshot, most * GROWTH);
  return { keys: keysOf(whole), snapshot: snapshotBefore(last, first.snapshot), more: true, oldestAt };
}

/** The current snapshot as it was when a transaction had not begun. */
function snapshotBefore(transaction: string, current: string): string {
  const open = parseSnapshot(current).open.filter((one) => BigInt(one) < BigInt(transaction));
  return printSnapshot({ next: transaction, open });
}

function keysOf(rows: readonly ChangedRow[]): ReceiptKey[] {
  const keys = new Map<string, { merchant: Wallet; receiptId: string }>();
  for (const { merchant, receiptId } of rows) keys.set(`${merchant} ${receiptId}`, { merchant, receiptId });
  return [...keys.values()];
}
