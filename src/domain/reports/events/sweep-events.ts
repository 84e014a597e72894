import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { SWEEP_BATCH, sweep } from '../../../base/platform/sweep.ts';
import { deleteEvents } from '../../webhooks/events/events.ts';

/** Deletes the oldest events and remembers up to where, so that a cursor before it is refused. */
const SWEEP = query(
  'events-sweep',
  (db, $: { before: number }) =>
    db
      .with('gone', () => deleteEvents(db, $.before, SWEEP_BATCH))
      .with('noted', (cte) =>
        cte
          .updateTable('EventPosition')
          .from((eb) =>
            eb
              .selectFrom('gone')
              .select(['gone.merchant', sql<string>`(array_agg(gone.txid order by gone.txid desc))[1]`.as('last')])
              .groupBy('gone.merchant')
              .as('g'),
          )
          .set((eb) => ({ deletedThrough: sql`greatest(${eb.ref('EventPosition.deletedThrough')}, g.last)` }))
          .whereRef('EventPosition.merchant', '=', 'g.merchant'),
      )
      .selectFrom('gone')
      .select((eb) => eb.fn.countAll<number>().as('count')),
  { computed: { count: 'int8' } },
);

/** Deletes the events that happened before a time, epoch ms. Returns their number. */
export const sweepEvents = (db: Db, before: number): Promise<number> => sweep(db, SWEEP, { before });
