import { setTimeout } from 'node:timers/promises';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type Cursor, cursorOfRow, isAfterPosition, readPosition } from '../../../base/platform/ordered-feed.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type FoldDeps, foldEvents } from './fold.ts';

/** How long a reader waits for events that an open transaction holds back, and how often it looks. */
const HELD_MS = 500;
const AGAIN_MS = 25;

/** The most events of a page. */
export const PAGE_MAX = 200;

const PAGE = query(
  'events-page',
  (db, $: Cursor & { readonly merchant: Wallet; readonly limit: number }) =>
    db
      .selectFrom('MerchantEvent as e')
      .innerJoin('EventPosition as p', 'p.merchant', 'e.merchant')
      .select(['e.id', 'e.kind', 'e.body', 'e.createdAt', cursorOfRow('e').as('cursor')])
      .where('e.merchant', '=', $.merchant)
      .where(isAfterPosition('e', $))
      .whereRef('e.txid', '<=', 'p.foldedThrough')
      .orderBy('e.txid')
      .orderBy('e.position')
      .limit($.limit),
  { computed: { cursor: 'text' } },
);

/** An event of the feed. `body` is what webhooks send; `cursor` is its position. */
export type FeedEvent = Readonly<RowOf<typeof PAGE>>;

export interface EventPage {
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** The position after the page. */
  readonly nextCursor: string;
  /** Whether more events follow now. */
  readonly hasMore: boolean;
}

/**
 * A page of a merchant's events after a cursor, or from the oldest that is kept. What is not folded yet is folded
 * first, so the page is up to date. Refuses with `bad_cursor` for a text that is no cursor, and with
 * `cursor_expired` for a cursor of another epoch or before the oldest event.
 */
export async function readEvents(
  deps: FoldDeps,
  merchant: Wallet,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<EventPage> {
  const { start, position } = await readPosition(deps.db, after, await deletedThrough(deps.db, merchant));
  const read = () => deps.db.run(PAGE, { ...position, merchant, limit: limit + 1 });
  let events = await read();
  const patience = AbortSignal.timeout(HELD_MS);
  for (let unread = true; unread && events.length <= limit; events = await read()) {
    const { more, held } = await foldEvents(deps.db, merchant, { waits: true });
    unread = more || (held && !patience.aborted);
    if (held && unread) await setTimeout(AGAIN_MS);
  }
  const page = events.slice(0, limit);
  return { events: page, nextCursor: page.at(-1)?.cursor ?? start, hasMore: events.length > limit };
}

const DELETED = query('events-deleted-through', (db, $: { merchant: Wallet }) =>
  db.selectFrom('EventPosition').select('deletedThrough').where('merchant', '=', $.merchant),
);

async function deletedThrough(db: Db, merchant: Wallet): Promise<bigint> {
  const [row] = await db.run(DELETED, { merchant });
  return BigInt(row?.deletedThrough ?? 0);
}
