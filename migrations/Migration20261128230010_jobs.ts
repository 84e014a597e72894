import { OnlineMigration } from '#migration';

/**
 * Queues in tables of our own, in place of those of pg-boss (the schema `pgboss`). Workers of the version before go on
 * with that schema, and its servers still fill it. So nothing is moved here: workers of this version call
 * `move_earlier_jobs` while the schema is there. A contract step drops both.
 */
export class Migration20261128230010_jobs extends OnlineMigration {
  override name = 'Migration20261128230010_jobs';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists jobs (
      id bigint generated always as identity primary key,
      queue text not null,
      data jsonb not null,
      due_at bigint not null,
      claims int not null default 0,
      schedule text null
    )`);
    await this.execute('create index if not exists jobs_due on jobs (queue, due_at, id)');
    await this.execute(
      'create unique index if not exists jobs_scheduled on jobs (queue) where schedule is not null',
    );
    await this.execute(`create table if not exists webhook_jobs (
      id bigint generated always as identity primary key,
      delivery_id text not null,
      endpoint text not null,
      attempt int not null,
      due_at bigint not null,
      claims int not null default 0
    )`);
    await this.execute('create index if not exists webhook_jobs_due on webhook_jobs (due_at, id)');
    await this.execute(MOVE);
    await this.execute(KEEP_SCHEDULE);
  }
}

/**
 * Moves at most 1,000 jobs that wait in pg-boss' tables, or whose claim has ended with its worker. Returns their number;
 * null if there are no such tables. Several processes of either version may take jobs meanwhile: each job is taken once.
 */
const MOVE = `
  create or replace function move_earlier_jobs() returns bigint language plpgsql as $$
  declare
    moved bigint;
  begin
    if to_regclass('pgboss.job') is null then
      return null;
    end if;
    with due as materialized (
      select name, id from pgboss.job
       where name in ('webhooks', 'subscription.charge', 'subscription.paid', 'subscription.revoke', 'payments.rescan')
         and (state in ('created', 'retry')
              or state = 'active' and started_on + expire_seconds * interval '1 s' < now())
       limit 1000 for update skip locked),
    taken as (
      delete from pgboss.job j using due where j.name = due.name and j.id = due.id
      returning j.id, j.name, coalesce(j.data, '{}') as data, to_jsonb(j) ->> 'group_id' as endpoint,
                floor(extract(epoch from case when j.state = 'active' then now() else j.start_after end) * 1000) as due_at),
    webhooks as (
      insert into webhook_jobs (delivery_id, endpoint, attempt, due_at)
      select data ->> 'deliveryId', coalesce(endpoint, data ->> 'deliveryId'),
             -- Jobs of version 0.1 and older have it as turn.
             greatest((data ->> 'attempt')::int, (data ->> 'turn')::int, 1), due_at
        from taken where name = 'webhooks' order by due_at, id returning 1),
    others as (
      insert into jobs (queue, data, due_at) select name, data, due_at from taken where name <> 'webhooks' returning 1)
    select (select count(*) from webhooks) + (select count(*) from others) into moved;
    return moved;
  end $$`;

/** Leaves the time until which pg-boss has repeated the charges, so that a time that passes meanwhile is made up for. */
const KEEP_SCHEDULE = `
  do $$ begin
    if to_regclass('pgboss.schedule') is not null then
      insert into jobs (queue, data, due_at, schedule)
      select s.name, jsonb_build_object('repeatedUntil', floor(extract(epoch from v.cron_on) * 1000)), ${Number.MAX_SAFE_INTEGER}, ''
        from pgboss.schedule s, pgboss.version v where s.name = 'subscription.charge' and v.cron_on is not null
          on conflict (queue) where schedule is not null do nothing;
    end if;
  end $$`;
