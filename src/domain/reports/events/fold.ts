import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { dispatchEvents } from '../../webhooks/delivery/dispatch.ts';
import { raiseEvents } from '../../webhooks/events/events.ts';
import { receiptEvents } from './receipt-events.ts';
import { subscriptionEvents } from './subscription-events.ts';

export type FoldDeps = Pick<Deps, 'db'>;

/** About so many entries of each history are folded in one transaction. */
const BATCH = 250;
/** How many of a merchant's newest entries become events when it first uses them. */
const BACKFILL = 10_000;

interface OfMerchant {
  readonly merchant: Wallet;
}

/** The transaction before which the events of a merchant do not begin. Statements that begin or restart a position. */
const beginning = ($: OfMerchant) => sql<string>`
  coalesce((select (array_agg(txid order by txid desc))[${sql.lit(BACKFILL + 1)}]
              from (select txid from receipt_history where merchant = ${$.merchant}
                     order by txid desc, position desc limit ${sql.lit(BACKFILL + 1)}) newest), '0'::xid8)`;

const BEGIN = query('event-position-begin', (db, $: OfMerchant) =>
  db
    .insertInto('EventPosition')
    .columns(['merchant', 'foldedThrough', 'epoch', 'deletedThrough'])
    .expression((eb) =>
      eb
        .selectFrom('StreamEpoch')
        .select([
          sql<Wallet>`${$.merchant}::text`.as('merchant'),
          beginning($).as('folded'),
          'epoch',
          sql<string>`'0'::xid8`.as('deleted'),
        ]),
    )
    .onConflict((known) => known.doNothing()),
);

/** After a restore, transaction ids have other meanings. What is folded again is known by its source. */
const RESTART = query('event-position-restart', (db, $: OfMerchant) =>
  db
    .updateTable('EventPosition')
    .set((eb) => ({
      foldedThrough: beginning($),
      epoch: eb.selectFrom('StreamEpoch').select('StreamEpoch.epoch'),
      deletedThrough: '0',
    }))
    .where('merchant', '=', $.merchant),
);

const lockedPosition = (name: string, skips: boolean) =>
  query(
    name,
    (db, $: OfMerchant) => {
      const position = db
        .selectFrom('EventPosition')
        .select([
          'foldedThrough',
          (eb) => sql<boolean>`${eb.ref('epoch')} = (select epoch from stream_epoch)`.as('valid'),
        ])
        .where('merchant', '=', $.merchant)
        .forUpdate();
      return skips ? position.skipLocked() : position;
    },
    { computed: { valid: 'bool' } },
  );
const LOCK = lockedPosition('event-position-lock', false);
const LOCK_IF_FREE = lockedPosition('event-position-lock-if-free', true);

interface Horizon {
  /** The oldest open transaction. */
  readonly xmin: string;
  readonly receipts: string | null;
  readonly subscriptions: string | null;
  readonly held: boolean;
}

/**
 * The oldest open transaction, whether it holds back entries of the merchant, and the last transaction of each
 * history's next batch; null if the history has fewer entries than a batch.
 */
const HORIZON = query(
  'events-horizon',
  (_db, $: OfMerchant & { after: string }) => sql<Horizon>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
           (select (array_agg(txid order by txid))[${sql.lit(BATCH)}]::text from (
              select txid from receipt_history
               where merchant = ${$.merchant} and txid > ${$.after}::xid8
                 and txid < pg_snapshot_xmin(pg_current_snapshot())
               order by txid, position limit ${sql.lit(BATCH)}) entries) as receipts,
           (select (array_agg(txid order by txid))[${sql.lit(BATCH)}]::text from (
              select txid from subscription_events
               where merchant = ${$.merchant} and txid > ${$.after}::xid8
                 and txid < pg_snapshot_xmin(pg_current_snapshot())
               order by txid, position limit ${sql.lit(BATCH)}) entries) as subscriptions,
           exists (select from receipt_history where merchant = ${$.merchant}
                      and txid >= pg_snapshot_xmin(pg_current_snapshot()))
             or exists (select from merchant_events where merchant = ${$.merchant}
                           and txid >= pg_snapshot_xmin(pg_current_snapshot())) as held`,
  { computed: { xmin: 'text', receipts: 'text', subscriptions: 'text', held: 'bool' } },
);

const ADVANCE = query('event-position-advance', (db, $: OfMerchant & { through: string }) =>
  db.updateTable('EventPosition').set({ foldedThrough: $.through }).where('merchant', '=', $.merchant),
);

/** Whether more entries can be folded now, and whether an open transaction holds some back. */
interface Folded {
  readonly more: boolean;
  readonly held: boolean;
}

/**
 * Folds the next entries of a merchant's histories into events, and hands these and the events that were stored with
 * their changes to the merchant's endpoints: all in one transaction with the new position, so that a crash neither
 * loses an event nor repeats one. Only transactions older than every open one count, so none is skipped that commits
 * late.
 *
 * @param waits whether to wait for another process that folds the same merchant; otherwise nothing is done then
 */
export function foldEvents(db: Db, merchant: Wallet, { waits }: { waits: boolean }): Promise<Folded> {
  return db.transaction(async (uow) => {
    const after = await lockPosition(uow, merchant, waits);
    if (after === null) return { more: false, held: false };
    const [horizon] = await uow.run(HORIZON, { merchant, after });
    const ends = [horizon!.receipts, horizon!.subscriptions].filter((end) => end !== null).map(BigInt);
    const settled = BigInt(horizon!.xmin) - 1n;
    const through = String(ends.reduce((least, end) => (end < least ? end : least), settled));
    const { held } = horizon!;
    if (BigInt(through) <= BigInt(after)) return { more: false, held };
    const range = { merchant, after, through };
    await raiseEvents(uow, [...(await receiptEvents(uow, range)), ...(await subscriptionEvents(uow, range))]);
    await dispatchEvents(uow, range);
    await uow.run(ADVANCE, { merchant, through });
    return { more: ends.length > 0, held };
  });
}

/**
 * Waits for the fold of a merchant's events that is running, if there is one. Every fold that ends later has read what
 * is committed before this call.
 */
export const awaitFold = (db: Db, merchant: Wallet): Promise<void> =>
  db.transaction(async (uow) => {
    await uow.run(LOCK, { merchant });
  });

/** Locks the position of a merchant; begins one if there is none. Null if another process holds it. */
async function lockPosition(uow: UnitOfWork, merchant: Wallet, waits: boolean): Promise<string | null> {
  const lock = async () => (await uow.run(waits ? LOCK : LOCK_IF_FREE, { merchant }))[0];
  let position = await lock();
  if (!position) {
    await uow.run(BEGIN, { merchant });
    position = await lock();
  }
  if (position?.valid === false) {
    await uow.run(RESTART, { merchant });
    position = await lock();
  }
  return position?.foldedThrough ?? null;
}
