import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { CHARGE_QUEUE, type QueueAge, REVOKE_QUEUE, WAITING_JOBS } from '../../../base/platform/jobs.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { WAITING_DELIVERIES, WEBHOOK_QUEUE } from '../../webhooks/delivery/queue.ts';

/** The queues that are watched. */
export const QUEUES = [WEBHOOK_QUEUE, CHARGE_QUEUE, REVOKE_QUEUE] as const;
export type WatchedQueue = (typeof QUEUES)[number];

/** What waits in the watched queues, as a relation of a statement; without the queues in which nothing does. */
export const WAITING = sql<QueueAge<WatchedQueue>>`
  (select * from (${WAITING_JOBS} union all ${WAITING_DELIVERIES}) waiting
    where name in (${sql.join(QUEUES.map((name) => sql.lit(name)))}))`;

const AGES = query('queue-ages', () => sql<QueueAge<WatchedQueue>>`select * from ${WAITING} ages`, {
  computed: { name: 'text', waiting: 'int4', oldestSeconds: 'int4' },
});

/** What waits for a worker in each watched queue. */
export async function readQueueAges(database: Db): Promise<QueueAge<WatchedQueue>[]> {
  const found = new Map((await database.run(AGES, {})).map((age) => [age.name, age]));
  return QUEUES.map((name) => found.get(name) ?? { name, waiting: 0, oldestSeconds: 0 });
}
