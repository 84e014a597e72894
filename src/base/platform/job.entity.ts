import { defineEntity, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { TableOf } from './postgres/database.ts';

/** Work that a worker does after the transaction that asked for it. */
export const JobSchema = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  indexes: [
    { name: 'jobs_due', properties: ['queue', 'dueAt', 'id'] },
    {
      name: 'jobs_scheduled',
      expression: 'create unique index jobs_scheduled on jobs (queue) where schedule is not null',
    },
  ],
  properties: {
    id: p.bigint('number').columnType('bigint').generated('identity').primary(),
    queue: p.text(),
    data: p.json().columnType('jsonb'),
    /** When it may be claimed, epoch ms of the database. A claim moves it to the end of the claim. */
    dueAt: p.bigint('number'),
    /** How often it was claimed. The number names the claim. */
    claims: p.integer().default(0),
    /** The cron expression, in UTC, of a job that is repeated. */
    schedule: p.text().nullable(),
  },
});

declare module './postgres/database.ts' {
  interface Database {
    /** PostgreSQL generates the id. */
    Job: Omit<TableOf<typeof JobSchema>, 'id'> & { id: Generated<number> };
  }
}
